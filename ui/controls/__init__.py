"""The widgets that hold the settings: the sidebar, the question, the chunks, the templates."""
