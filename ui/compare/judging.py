"""The runs of a comparison, judged by what is expected of their answers."""

from __future__ import annotations

from collections.abc import Sequence

from synth.models import Price
from synth.quality import Question
from synth.trace import Trace
from ui.compare.analysis.judged_runs import Expected, Judged, JudgedRun, judge
from ui.compare.comparison import Comparison
from ui.compare.run_slots import RunSlot, slot_runs
from ui.session import workspace
from ui.settings import fact_texts, reference_texts

_Key = tuple[int, int, Expected]
"""The serial of a job, the events that it has read, and what is expected of its answer."""


def expected_of(comparison: Comparison, question: int) -> Expected:
    """What is expected of the answers to the question at this position."""
    query = comparison.questions[question]
    facts, _ = fact_texts.facts_of(query)
    asked = comparison.asked[question] if comparison.asked else Question(query)
    return Expected(facts, asked.checks, reference_texts.text_of(query) or asked.reference)


def judged(comparison: Comparison, expected: Sequence[Expected]) -> list[Judged]:
    """The runs of each column, each job judged once for as long as its question stays the same."""
    runs = slot_runs()
    given: dict[_Key, tuple[Trace, Price | None]] = {}
    places: dict[RunSlot, _Key] = {}
    for slot in comparison.slots():
        run = runs.get(slot)
        # A slot may still hold a run of the question that stood there before.
        if run is not None and run.request.query == comparison.questions[slot.question]:
            job = run.job
            key = places[slot] = (job.serial, job.events_read, expected[slot.question])
            if job.trace is not None:
                given[key] = (job.trace, run.request.model.price)

    def make(key: _Key) -> JudgedRun:
        trace, price = given[key]
        return judge(trace, key[-1], price)

    found = workspace.current().remembered_together("judged runs", given, make)
    return [
        [
            [
                found.get(places[slot]) if slot in places else None
                for slot in (
                    RunSlot(column.name, at, repeat) for repeat in range(comparison.repeats)
                )
            ]
            for at in range(len(comparison.questions))
        ]
        for column in comparison.columns
    ]
