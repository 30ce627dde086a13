"""Whether a reply only refers to the answer before it: "The original answer remains unchanged."

Models that are asked to refine an answer say so instead of repeating it. Such a reply has nothing
but words about answers and contexts (reference.toml); one that says anything else as well is an
answer.
"""

import re
import tomllib
from pathlib import Path


def _compile(*phrases: str) -> re.Pattern[str]:
    return re.compile("|".join(phrases), re.IGNORECASE)


_FILE = tomllib.loads(Path(__file__).with_name("reference.toml").read_text("utf-8"))
_WORDS, _BEGINNINGS, _CHINESE = (
    "|".join(_FILE[name].split()) for name in ("words", "beginnings", "chinese")
)
_ORIGINAL, _CONTEXT = _compile(*_FILE["original"]), _compile(*_FILE["context"])
_TALK = _compile(_WORDS, rf"(?:{_BEGINNINGS})\w*", rf"(?:{_CHINESE})++")
_CLAUSES = re.compile(r"[.!?;:,\n—–]+|[。！？；：，、]|\s-\s")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def is_reference(reply: str) -> bool:
    """Return whether a reply says nothing but that the answer before it stands."""
    if not _ORIGINAL.search(reply):
        return False
    return all(
        _CONTEXT.search(clause) or all(map(_TALK.fullmatch, _WORD.findall(clause)))
        for clause in _CLAUSES.split(reply)
    )
