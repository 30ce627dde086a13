"""A run: the thread that reads its events, how it starts, goes on and branches."""
