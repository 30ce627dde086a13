"""Our own example texts with their limits, and our own questions on them and on others."""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from synth.quality.facts import Fact, read_facts


@dataclass(frozen=True)
class Sample:
    """A question, the chunks to answer it from, limits in tokens, and what there is to see.

    `cause` is the fact of the question that a mode without room for all chunks does not answer.
    """

    name: str
    title: str
    question: str
    chunks: tuple[str, ...]
    window: int
    num_output: int
    note: str
    cause: str = ""


@dataclass(frozen=True)
class ShippedQuestion:
    """A question, the chunks to answer it from, limits in tokens, and its facts."""

    question: str
    chunks: tuple[str, ...]
    window: int
    num_output: int
    facts: tuple[Fact, ...]


_FOLDER = Path(__file__).parent
_DOCUMENTS = tomllib.loads(_FOLDER.joinpath("questions.toml").read_text("utf-8"))["documents"]


def _read_texts(document: Mapping[str, Any]) -> dict[str, Any]:
    """Read the chunks and the limits of a document."""
    chunks = document.get("chunks")
    if chunks is None:
        text = _FOLDER.joinpath(f"{document['sample']['name']}.txt").read_text("utf-8")
        chunks = text.strip().split("\n\n")
    limits = {name: document[name] for name in ("window", "num_output")}
    return {"chunks": tuple(chunks), **limits}


SAMPLES = tuple(
    Sample(**each["sample"], **_read_texts(each)) for each in _DOCUMENTS if "sample" in each
)


@cache
def shipped_questions() -> tuple[ShippedQuestion, ...]:
    """Read twenty questions on each sample, and ten on other texts, each larger than its window."""
    questions = []
    for document in _DOCUMENTS:
        texts = _read_texts(document)
        for asked in document["questions"]:
            facts = read_facts("\n".join(asked["facts"]))
            questions.append(ShippedQuestion(asked["text"], facts=facts, **texts))
    return tuple(questions)
