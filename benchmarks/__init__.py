"""What packing costs, beside llama-index-core and beside tiktoken alone."""
