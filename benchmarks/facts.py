"""How many facts the offline model's answers hold, in each mode: twenty questions, with facts.

    python -m benchmarks.facts [--answers]

`facts.toml` beside this file has the questions, the documents and the facts, each with the
wordings that count. A fact is held if one of these stands in the answer, in small letters or
capitals. Every document is larger than its window, so each mode must go over it in its own
way. With `--answers` each answer is printed with the facts that it misses.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from synth import ExtractiveLLM, get_response_synthesizer
from synth.samples import SAMPLES

MODES = (
    "refine",
    "compact",
    "tree_summarize",
    "simple_summarize",
    "accumulate",
    "compact_accumulate",
)


@dataclass(frozen=True)
class Case:
    """A question, the chunks to answer it from, limits in tokens, and the facts to be held."""

    question: str
    chunks: tuple[str, ...]
    window: int
    num_output: int
    facts: tuple[tuple[str, ...], ...]

    def answer(self, mode: str) -> str:
        llm = ExtractiveLLM(self.window, self.num_output)
        return get_response_synthesizer(mode, llm).get_response(self.question, list(self.chunks))

    def missed(self, answer: str) -> list[tuple[str, ...]]:
        """The facts that stand in none of their wordings in the answer."""
        said = answer.lower()
        return [fact for fact in self.facts if not any(words.lower() in said for words in fact)]


def cases() -> Iterator[Case]:
    """Every question of the file beside this one."""
    samples = {sample.name: sample for sample in SAMPLES}
    file = tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))
    for document in file["documents"]:
        if "sample" in document:
            sample = samples[document["sample"]]
            source = (sample.chunks, sample.window, sample.num_output)
        else:
            source = (tuple(document["chunks"]), document["window"], document["num_output"])
        for question in document["questions"]:
            yield Case(question["text"], *source, tuple(map(tuple, question["facts"])))


def main(*options: str) -> None:
    asked = list(cases())
    every = sum(len(case.facts) for case in asked)
    print(f"{len(asked)} questions, {every} facts")
    print("| mode               | facts held | questions with all facts |")
    print("|--------------------|------------|--------------------------|")
    for mode in MODES:
        answers = [case.answer(mode) for case in asked]
        missed = [case.missed(answer) for case, answer in zip(asked, answers, strict=True)]
        held = every - sum(map(len, missed))
        print(f"| {mode:<18} | {held:>10} | {missed.count([]):>24} |")
        if "--answers" in options:
            for case, answer, lacks in zip(asked, answers, missed, strict=True):
                print(f"\n{case.question}\n{answer}\nmissed: {lacks or 'nothing'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
