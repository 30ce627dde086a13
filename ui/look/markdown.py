"""Foreign texts for Streamlit and Plotly, which read Markdown, tags and formulas in them."""

import re

from synth.html.markup import escape
from synth.text.wording import reveal, short

_IS_A_LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_IS_A_MARK = re.compile(r"(?<=:)(?=[\w+-]+[:\[{/])")  # :red[x], :material/home:, :smile:
_OPENS_EMPHASIS = re.compile(r"(?<!\w)(?=_)")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_JOINER = "\u2060"


def plot_text(text: str, limit: int = 24) -> str:
    """Return the text as one short line for Plotly, which reads tags and formulas in its labels."""
    return str(escape(short(text, limit))).replace("$", "&#36;")


def label_text(text: str) -> str:
    """Write the text as one line of a widget's label, which is Markdown: it reads as it is.

    A backslash keeps its punctuation from being read. An invisible word joiner keeps an address
    from becoming a link by itself, and Streamlit from reading a colour, an icon or an emoji.
    """
    line = _unlinked(reveal(" ".join(text.split())))
    return _PUNCTUATION.sub(lambda found: f"\\{found[0]}", line)


def name_text(name: str) -> str:
    """Write the name of a variable in a widget's label, Markdown and its accessible name."""
    return _unlinked(_OPENS_EMPHASIS.sub(_JOINER, name))


def _unlinked(text: str) -> str:
    return _IS_A_MARK.sub(_JOINER, _IS_A_LINK.sub(_JOINER, text))
