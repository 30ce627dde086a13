"""What LlamaIndex's documents import from here."""

from synth.modes.base import RESPONSE_TEXT_TYPE, BaseSynthesizer

__all__ = ["RESPONSE_TEXT_TYPE", "BaseSynthesizer"]
