"""What names a tokenizer as text: in settings, in files and in links."""

from __future__ import annotations

import re
from typing import NamedTuple

from typing_extensions import override

MODEL, ESTIMATE, SERVER, FILE = "model", "estimate", "server", "file"
"""Kinds of specs: a model, an encoding that stands in for its tokenizer, a server that counts, a
file that a person gave."""

_SPEC = re.compile(
    r"(?:packed (?P<packs>[^ ]+) )?"
    r"(?:measured (?P<per_call>\d+) (?P<percent>\d+) (?P<calls>\d+) )?"
    rf"(?:(?P<kind>{MODEL}|{ESTIMATE}|{SERVER}|{FILE}) )?(?P<name>.+)",
    re.ASCII | re.DOTALL,
)
_DIGITS = 9  # of a number that are read
_MOST = 1_000_000  # of each number


class Correction(NamedTuple):
    """About `per_call` tokens more a prompt, and `percent` of a count, from so many `calls`."""

    per_call: int
    percent: int
    calls: int

    def of(self, tokens: int) -> int:
        """About what the server counts of a text of so many tokens; rounded up."""
        return -(-tokens * self.percent // 100)


class Spec(NamedTuple):
    """`[packed ENCODING] [measured PER_CALL PERCENT CALLS] [model|estimate|server|file] NAME`.

    The `name` is that of an encoding where `kind` is "" or ESTIMATE, the hash of a FILE, else of a
    model, after its host where a server counts. `correction` is what a run measured of it, and
    `packs` the encoding with which an application packs, where that is another one.
    """

    name: str
    kind: str = ""
    correction: Correction | None = None
    packs: str = ""

    @classmethod
    def of(cls, text: str) -> Spec:
        """The spec that stands in a text; all of a text that is none is the name."""
        found = _SPEC.fullmatch(text)
        if found is None:
            return cls(text)
        correction = None
        if found["calls"]:
            numbers = (found[name][:_DIGITS] for name in Correction._fields)
            correction = Correction(*(min(int(number), _MOST) for number in numbers))
            if not correction.percent or not correction.calls:
                return cls(text)
        return cls(found["name"], found["kind"] or "", correction, found["packs"] or "")

    @override
    def __str__(self) -> str:
        packs = ("packed", self.packs) if self.packs else ()
        measured = () if self.correction is None else ("measured", *self.correction)
        return " ".join(map(str, (*packs, *measured, *filter(None, (self.kind,)), self.name)))
