"""What is said of plans and runs: sentences, and words for facts, measures and advice."""
