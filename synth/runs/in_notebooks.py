"""How plans, bounds, runs and responses come into a notebook."""

from importlib import import_module
from typing import Protocol, cast


class _Pages(Protocol):
    def notebook_html(self, shown: object) -> str: ...


class InNotebooks:
    """A value that a notebook shows as HTML; terminals keep its plain text."""

    def _repr_html_(self) -> str:
        # By its name, and only here: what draws a run knows runs, and `import synth` draws nothing.
        pages = cast(_Pages, import_module("synth.html.notebook"))
        return pages.notebook_html(self)
