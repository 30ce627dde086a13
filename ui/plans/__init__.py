"""Requests before they run: their plans and costs, those of llama-index-core, and their curves."""
