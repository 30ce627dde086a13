"""Two texts compared: their word diff, and words of an answer found in chunks. Pure functions."""
