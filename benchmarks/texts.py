"""The texts to measure with, the same in every run and without a network."""

import ast
import random
import re
import sysconfig
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from pydoc_data.topics import topics

CHUNK = 900  # characters
_ROOT = Path(__file__).parents[1]
_SAMPLES = _ROOT / "synth" / "quality" / "samples"


def _docstrings(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            yield ast.get_docstring(node) or ""


def _prose() -> Iterator[str]:
    """Our own pages, Python's language reference, and the docstrings of its library."""
    yield (_SAMPLES / "post_mortem.txt").read_text("utf-8")
    for page in sorted([*_ROOT.glob("*.md"), *_ROOT.glob("docs/*.md")]):
        yield page.read_text("utf-8")
    yield from topics.values()
    library = Path(sysconfig.get_path("stdlib"))
    for path in sorted([*library.glob("*.py"), *library.glob("[a-mu-z]*/*.py")]):
        yield from _docstrings(path)


@cache
def english(characters: int) -> str:
    """Technical English, begun again from the start where there is too little of it."""
    text = ""
    for part in filter(None, _prose()):  # no more than is needed: the library takes seconds to read
        text += f"\n\n{part}" if text else part
        if len(text) >= characters:
            break
    return (text * (characters // len(text) + 1))[:characters]


@cache
def chinese(characters: int) -> str:
    """Clauses of our Chinese sample in random order, without a space or a line break."""
    sample = re.sub(r"\s", "", (_SAMPLES / "policy.txt").read_text("utf-8"))
    clauses = re.findall(r"[^，。；：]+[，。；：]", sample)
    dice = random.Random(7)
    parts: list[str] = []
    length = 0
    while length < characters:
        parts.append(dice.choice(clauses))
        length += len(parts[-1])
    return "".join(parts)[:characters]


@cache
def han(characters: int) -> str:
    """Chinese without any punctuation."""
    return re.sub(r"[^\u4e00-\u9fa5]", "", chinese(2 * characters))[:characters]


@cache
def word(characters: int) -> str:
    """One unbroken word."""
    dice = random.Random(7)
    return "".join(dice.choices("abcdefghijklmnopqrstuvwxyz", k=characters))


def chunks(text: str) -> list[str]:
    """The text in chunks of 900 characters."""
    return [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
