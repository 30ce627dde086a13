"""Our own example texts with their limits, and our own questions on them and on others."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path

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


def _chunks(name: str) -> tuple[str, ...]:
    text = Path(__file__).with_name(name).read_text(encoding="utf-8")
    return tuple(text.strip().split("\n\n"))


SAMPLES = (
    Sample(
        name="post_mortem",
        title="Incident post-mortem",
        question="What caused the outage and how was it fixed?",
        chunks=_chunks("post_mortem.txt"),
        window=1024,
        num_output=128,
        note="The first chunks blame DNS; the cause stands in chunk 9 and the fix in chunk 10.",
        cause="8 instead of 80",
    ),
    Sample(
        name="policy",
        title="保险条款 (an insurance policy, in Chinese)",
        question="车辆在暴雨中被淹后，哪些损失可以理赔，需要在多长时间内报案？",
        chunks=_chunks("policy.txt"),
        window=900,
        num_output=160,
        note="Chinese and emoji: no spaces to cut at, and often more tokens than characters.",
    ),
)


@dataclass(frozen=True)
class ShippedQuestion:
    """A question, the chunks to answer it from, limits in tokens, and its facts."""

    question: str
    chunks: tuple[str, ...]
    window: int
    num_output: int
    facts: tuple[Fact, ...]


@cache
def shipped_questions() -> tuple[ShippedQuestion, ...]:
    """Read twenty questions on each sample, and ten on other texts, each larger than its window."""
    samples = {sample.name: sample for sample in SAMPLES}
    file = tomllib.loads(files("synth.quality").joinpath("questions.toml").read_text("utf-8"))
    questions = []
    for document in file["documents"]:
        if "sample" in document:
            sample = samples[document["sample"]]
            limits = (sample.chunks, sample.window, sample.num_output)
        else:
            limits = (tuple(document["chunks"]), document["window"], document["num_output"])
        for asked in document["questions"]:
            facts = read_facts("\n".join(asked["facts"]))
            questions.append(ShippedQuestion(asked["text"], *limits, facts))
    return tuple(questions)
