"""A trace as data: its steps, the states of its calls, its timeline."""
