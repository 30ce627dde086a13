"""What names a tokenizer as text: in settings, in files and in links."""

from __future__ import annotations

from typing import NamedTuple

from typing_extensions import override

MODEL, ESTIMATE, SERVER, FILE = "model", "estimate", "server", "file"
"""Kinds of specs: a model, an encoding that stands in for its tokenizer, a server that counts, the
path of a tokenizer.json."""


class Spec(NamedTuple):
    """`[model|estimate|server|file] NAME`.

    The `name` is that of an encoding where `kind` is "" or ESTIMATE, the path of a FILE, else of a
    model, after its host where a server counts.
    """

    name: str
    kind: str = ""

    @classmethod
    def of(cls, text: str) -> Spec:
        """Read the spec that stands in a text; all of a text that is none is the name."""
        kind, _, name = text.partition(" ")
        return cls(name, kind) if name and kind in (MODEL, ESTIMATE, SERVER, FILE) else cls(text)

    @override
    def __str__(self) -> str:
        return f"{self.kind} {self.name}" if self.kind else self.name
