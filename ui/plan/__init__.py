"""A request before it runs: its plans, their cost, and the plan of llama-index-core."""
