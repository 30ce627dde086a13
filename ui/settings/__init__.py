"""What a person can set, where it is kept, and the texts, chunks and model that follow."""
