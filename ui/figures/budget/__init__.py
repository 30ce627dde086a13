"""The budget of calls: one bar per call, or for many calls a strip of thin columns."""
