"""Node, where LlamaIndex's documents import it from."""

from synth.schema import Node

__all__ = ["Node"]
