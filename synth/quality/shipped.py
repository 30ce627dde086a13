"""Our own questions on our own texts, with the facts that a good answer to each holds."""

import tomllib
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from synth.quality.facts import Fact, read_facts
from synth.quality.samples import SAMPLES


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
    """Twenty questions on each sample, and ten on other texts, each text larger than its window."""
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
