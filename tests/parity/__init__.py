"""Our `llama_index` behaviour against llama-index-core itself, prompt for prompt."""
