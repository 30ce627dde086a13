"""HTML is made here, by type: a text that is not `Html` is escaped where it is put into one.

Here too are the stylesheets that pages, reports and notebooks share. Each meaning (template, query,
chunks …) has one fill, one edge and one label colour wherever it appears. The contrast of the edge
with the paper is at least 3:1, that of the label with the fill at least 4.5:1.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Self

from markupsafe import Markup

from synth.prompts.prompt import VALUES, SpanKind
from synth.text.wording import reveal


class Html(Markup):
    """Text that is HTML: what is added to it, joined by it or formatted into it is escaped.

    Characters that could reorder or break the page are then shown as code points. Html itself is
    left as it is.
    """

    __slots__ = ()

    @classmethod
    def escape(cls, text: Any, /) -> Self:
        """Write the text as HTML that shows exactly this text."""
        return super().escape(text if hasattr(text, "__html__") else reveal(str(text)))


escape = Html.escape


def together(parts: Iterable[str]) -> Html:
    """Write the texts and HTML one after the other, as HTML."""
    return Html().join(parts)


def tag(name: str, *parts: str, **attributes: str) -> Html:
    """Write an element of HTML, such as `tag("td.n", text, dir="auto")`.

    Words after a dot are its classes, and `data_click` is the attribute `data-click`. Parts and
    values of attributes are escaped unless they are HTML.
    """
    name, *classes = name.split(".")
    if classes:
        attributes = {"class": " ".join(classes), **attributes}
    given = (f' {key.replace("_", "-")}="{escape(text)}"' for key, text in attributes.items())
    return Html(f"<{name}{''.join(given)}>{together(parts)}</{name}>")


def table(style: str, head: Sequence[str], rows: Iterable[Sequence[str]]) -> Html:
    """Write a table with the classes in `style`, such as "num".

    The first cell of each row is its heading.
    """
    columns = (tag("th", text, scope="col") if text else tag("td") for text in head)
    body = (
        tag("tr", tag("th", name, scope="row"), *(tag("td", text, dir="auto") for text in cells))
        for name, *cells in rows
    )
    return tag(f"table.{style}", tag("thead", tag("tr", *columns)), tag("tbody", *body))


def pairs(rows: Iterable[tuple[str, str]]) -> Html:
    """Write the names with a text each, as a list; nothing if there are none."""
    cells = [tag("div", tag("dt", name), tag("dd", text, dir="auto")) for name, text in rows]
    return tag("dl.pairs.num", *cells) if cells else Html()


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
