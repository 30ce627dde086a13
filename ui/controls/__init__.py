"""The widgets of the settings: the modes, the model, the limits, the question, the chunks, the templates."""
