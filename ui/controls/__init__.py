"""The widgets of the settings: question, modes, chunks, templates, limits, and the model."""
