"""The left side of the Playground: the question, the chunks, the mode and its templates."""
