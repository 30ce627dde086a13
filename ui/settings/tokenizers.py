"""Which tokenizers a setting may name."""

from synth.text.encodings import RECIPES
from synth.text.tokens import MODEL, read_name

TOKENIZERS = {"": "the model's own", **{name: name for name in RECIPES}}
"""Those to choose from, and how each is shown."""

_LONGEST_SPEC = 300  # characters


def check_tokenizer(spec: str) -> str:
    """Return one of the choices, or a model that a trace names; ValueError for any other."""
    if spec in TOKENIZERS or (len(spec) <= _LONGEST_SPEC and read_name(spec)[0] == MODEL):
        return spec
    raise ValueError(f"there is no {spec[:_LONGEST_SPEC]}")
