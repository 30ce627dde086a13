"""The widgets of the settings: the sidebar, the question, the chunks, the templates."""
