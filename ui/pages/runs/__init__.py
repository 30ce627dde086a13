"""The Runs page: the saved runs as a list, those that are ticked, and an opened trace."""
