"""The Learn page: lessons to predict, step through and reveal."""
