"""What leaves the app: files of a run, and code that makes it again."""
