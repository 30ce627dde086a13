"""What leaves this package: files that are read back, and code that makes a run again."""
