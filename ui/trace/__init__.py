"""A trace as data to look at: its steps, its states, its timeline."""
