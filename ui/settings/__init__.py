"""The settings, where each is kept, and the texts, chunks and model that follow from them."""
