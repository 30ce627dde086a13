"""The terms in what we say and draw, each with one sentence that explains it (glossary.toml)."""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from synth.html.markup import Html, escape, tag, together


class Term(NamedTuple):
    """The sentence that explains a term, and its name in LlamaIndex, if it has one there."""

    meaning: str
    api_name: str = ""


_FILE = Path(__file__).with_name("glossary.toml").read_text("utf-8")
TERMS: Mapping[str, Term] = {name: Term(**row) for name, row in tomllib.loads(_FILE).items()}
"""Every term of the vocabulary, in the singular."""

# Single words would be underlined in every sentence; only a level is rare enough.
_IN_SENTENCES = sorted((name for name in TERMS if " " in name or name == "level"), key=len)
_FOUND = re.compile(rf"\b({'|'.join(reversed(_IN_SENTENCES))})(s?)\b")


def help_of(name: str) -> str:
    """Return the explanation of a term as Markdown, for the `help` of a widget."""
    meaning, api_name = TERMS[name]
    return f"{meaning} In LlamaIndex: `{api_name}`." if api_name else meaning


def term_html(word: str) -> Html:
    """Return a word of ours as HTML, explained on hover and on keyboard focus if it is a term."""
    name = word if word in TERMS else word.removesuffix("s")
    return _explain(name, word) if name in TERMS else escape(word)


def with_terms(text: str, explained: set[str]) -> Html:
    """Return the text as HTML, with each term in it explained where it stands first.

    The terms that are found are added to `explained`; those in it are left as they are.
    """
    parts, end = [], 0
    for match in _FOUND.finditer(text):
        if (name := match[1]) not in explained:
            explained.add(name)
            parts += [text[end : match.start()], _explain(name, match[0])]
            end = match.end()
    return together([*parts, text[end:]])


def _explain(name: str, word: str) -> Html:
    meaning, api_name = TERMS[name]
    text = f"{meaning} In LlamaIndex: {api_name}." if api_name else meaning
    return tag("dfn", word, tabindex="0", aria_description=text)
