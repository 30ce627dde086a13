"""Which tokenizers a setting may name."""

from synth.errors import SynthError
from synth.text.encodings import RECIPES
from synth.text.specs import MODEL, SERVER, Spec
from synth.text.tokens import get_tokenizer

TOKENIZERS = {"": "the model's own", **{name: name for name in RECIPES}}
"""Those to choose from, and how each is shown."""

_LONGEST_SPEC = 300  # characters


def checked_tokenizer(spec: str) -> str:
    """One of the choices, what a run measured, or what gives the counts of an imported run.

    It comes with links too, so it never leads to a server: that follows from the endpoint.
    ValueError for any other.
    """
    if spec in TOKENIZERS:
        return spec
    _, kind, correction, packs = Spec.of(spec[:_LONGEST_SPEC])
    of_a_run = correction is not None or kind == MODEL or (bool(packs) and kind != SERVER)
    try:
        if len(spec) <= _LONGEST_SPEC and of_a_run:
            get_tokenizer(spec)
            return spec
    except SynthError as problem:
        raise ValueError(str(problem)) from None
    raise ValueError(f"there is no {spec[:_LONGEST_SPEC]}")
