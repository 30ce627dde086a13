"""What is said of a request before it runs: its plans, its cost, what LlamaIndex would do."""
