"""The response modes: one file an algorithm, and what makes one by its name."""
