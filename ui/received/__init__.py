"""Spans that running applications send: received, kept, and read as syntheses."""
