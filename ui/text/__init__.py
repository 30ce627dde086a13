"""Two texts beside each other: what one keeps of the other. Pure functions."""
