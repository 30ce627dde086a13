"""Which tokenizers a setting may name."""

import re
from contextlib import suppress

from synth.errors import SynthError
from synth.text.encodings import RECIPES
from synth.text.tokens import FILE, MODEL, read_name, register, tokenizer_of_file
from ui.session.host import host

TOKENIZERS = {"": "the model's own", **{name: name for name in RECIPES}}
"""Those to choose from, and how each is shown."""

_LONGEST_SPEC = 300  # characters


_OLDER = re.compile(
    r"(?:packed (?P<packs>[^ ]+) )?(?:measured (?:\d+ ){3})?(?P<rest>.+)", re.DOTALL
)


def drop_measure(spec: str) -> str:
    """Return an older spec without how a run measured it, or the encoding alone that packs."""
    found = _OLDER.fullmatch(spec)
    return spec if found is None else found["packs"] or found["rest"]


def check_tokenizer(spec: str) -> str:
    """Return one of the choices, a model that a trace names, or the path of a tokenizer.json.

    It comes with links too, so it never leads to a server: that follows from the endpoint. A path
    is read on one's own machine alone. ValueError for any other; what an older program measured is
    the model's own.
    """
    if (today := drop_measure(spec[:_LONGEST_SPEC])) != spec[:_LONGEST_SPEC]:
        return today if today in TOKENIZERS else ""
    if spec in TOKENIZERS:
        return spec
    kind, name = read_name(spec)
    if len(spec) <= _LONGEST_SPEC and kind == MODEL:
        return spec
    if len(spec) <= _LONGEST_SPEC and kind == FILE:
        if not host().own_machine:
            raise ValueError("a tokenizer.json is read on one's own machine alone")
        with suppress(SynthError):  # the estimate in its place says that it was not read
            read_tokenizer(name)
        return spec
    raise ValueError(f"there is no {spec[:_LONGEST_SPEC]}")


def read_tokenizer(path: str) -> None:
    """Read a tokenizer.json, whose spec names it from now on; SynthError if it can't be read."""
    register(tokenizer_of_file(path))
