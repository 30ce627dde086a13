"""The settings, the texts and chunks that follow from them, and the request that they make."""
