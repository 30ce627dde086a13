"""The Runs page: the saved runs as a list, one of them in short, two of them side by side."""
