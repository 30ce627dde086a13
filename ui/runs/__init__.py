"""A run: the thread that reads its events, its start, its resumption and its branches."""
