"""The setting that is a record, a price; which tokenizer a setting may name."""

import re
from contextlib import suppress
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

from synth.errors import SynthError
from synth.text.encodings import RECIPES
from synth.text.tokens import FILE, MODEL, read_name, register, tokenizer_of_file
from ui.session.host import host

Name = Annotated[str, Field(max_length=2_000)]
_Dollars = Annotated[float | None, Field(ge=0.0, le=1e6)]


class Frozen(BaseModel):
    """What is checked where it comes in, and never changed."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class Pricing(Frozen):
    """What a person chose as the price of a model, in dollars for a million tokens.

    `like` is the model that it costs as; what was typed, on the day `since`, precedes that.
    """

    like: Name = ""
    prompt: _Dollars = None
    output: _Dollars = None
    since: str = Field(default="", max_length=10)

    @property
    def typed(self) -> bool:
        """Whether a part of it was typed."""
        return self.prompt is not None or self.output is not None


TOKENIZERS = {"": "the model's own", **{name: name for name in RECIPES}}
"""Those to choose from, and how each is shown."""

_LONGEST_SPEC = 300  # characters


_OLDER = re.compile(
    r"(?:packed (?P<packs>[^ ]+) )?(?:measured (?:\d+ ){3})?(?P<rest>.+)", re.DOTALL
)


def without_measure(spec: str) -> str:
    """Return an older spec without how a run measured it, or the encoding alone that packs."""
    found = _OLDER.fullmatch(spec)
    return spec if found is None else found["packs"] or found["rest"]


def checked_tokenizer(spec: str) -> str:
    """Return one of the choices, a model that a trace names, or the path of a tokenizer.json.

    It comes with links too, so it never leads to a server: that follows from the endpoint. A path
    is read on one's own machine alone. ValueError for any other; what an older program measured is
    the model's own.
    """
    if (today := without_measure(spec[:_LONGEST_SPEC])) != spec[:_LONGEST_SPEC]:
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
