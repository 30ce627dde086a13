"""What is said of a run: sentences, words for facts and measures, and what became of a text."""
