"""The sidebar: the model, the limits, the cap, the behaviour, the link."""
