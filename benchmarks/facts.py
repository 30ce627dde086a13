"""How many facts the offline model's answers hold, in each mode.

    python -m benchmarks.facts [--answers]

The questions are those that the package ships, twenty on each sample among them. Only the facts
count that must be in an answer. Every document is larger than its window, so each mode must go over
it in its own way. With `--answers` each answer is printed with the facts that it misses.
"""

import sys

from synth import ExtractiveLLM, get_response_synthesizer
from synth.quality import ShippedQuestion, follow, shipped_questions
from synth.runs.trace import Trace

MODES = (
    "refine",
    "compact",
    "tree_summarize",
    "simple_summarize",
    "accumulate",
    "compact_accumulate",
)


def ran(asked: ShippedQuestion, mode: str) -> Trace:
    """The run of a question in this mode."""
    llm = ExtractiveLLM(asked.window, asked.num_output)
    return get_response_synthesizer(mode, llm).run(asked.question, asked.chunks)


def missed(asked: ShippedQuestion, trace: Trace) -> list[str]:
    """The facts that must be in the answer and are not."""
    must = [fact for fact in asked.facts if fact.must]
    return [fact.text for fact in must if follow(fact, trace).stage != "answered"]


def main(*options: str) -> None:
    questions = shipped_questions()
    every = sum(fact.must for asked in questions for fact in asked.facts)
    print(f"{len(questions)} questions, {every} facts")
    print("| mode               | facts held | questions with all facts |")
    print("|--------------------|------------|--------------------------|")
    for mode in MODES:
        traces = [ran(asked, mode) for asked in questions]
        lacking = [missed(*pair) for pair in zip(questions, traces, strict=True)]
        held = every - sum(map(len, lacking))
        print(f"| {mode:<18} | {held:>10} | {lacking.count([]):>24} |")
        if "--answers" in options:
            for asked, trace, lacks in zip(questions, traces, lacking, strict=True):
                print(f"\n{asked.question}\n{trace.response}\nmissed: {lacks or 'nothing'}")


if __name__ == "__main__":
    main(*sys.argv[1:])
