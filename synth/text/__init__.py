"""Text that knows where it came from: counted, cut, ranked, compared, and put into sentences."""
