"""The stylesheets that pages, reports and notebooks share, and the colours of every meaning.

Each meaning (template, query, chunks …) has one fill, one edge and one label colour wherever it
appears. The contrast of the edge with the paper is at least 3:1, that of the label with the fill
at least 4.5:1.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from synth.prompts.kinds import VALUES, SpanKind

COLOURS, TEXT = (
    Path(__file__).with_name(f"{name}.css").read_text("utf-8") for name in ("colours", "text")
)
"""The colours as variables of CSS, and the rules of sentences, prompts, keys and answers."""

PALETTE: Mapping[str, tuple[str, str]] = {
    name: (light, dark)
    for name, light, dark in re.findall(r"--([\w-]+): light-dark\((#\w+), (#\w+)\)", COLOURS)
}
"""The colours of light and dark pages as #RRGGBB, by the names of their variables in CSS."""


def kind_name(meaning: str) -> str:
    """Name a meaning as the stylesheets do, which know a kind of variables by no other name."""
    known = meaning in PALETTE or meaning not in VALUES
    return meaning if known else SpanKind.VARIABLE
