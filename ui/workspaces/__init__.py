"""What of a workspace outlives the server: the list of it, its saving and its return."""
