"""Applications of four frameworks, each in another set-up, as they were recorded.

Each synthesis is verified, or has the reason that is the truth: what the application was made
with. No version is taken for another.
"""

import json
import re
from collections import Counter
from itertools import groupby
from pathlib import Path

import pytest
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer

from synth.errors import ImportedRunError
from synth.traces import read
from synth.traces.imported_run import IMPORTED, NOTES, OLDER, OLDER_RULES
from tests.traces.application import recording
from tests.traces.applications import APPS, found, model
from tests.traces.recordings import (
    CALLS,
    CORES,
    ENVIRONMENTS,
    HEAD,
    NO_CLAIM,
    is_so,
    load,
    reasons_of,
    runs_of,
    table_row,
)

pytestmark = pytest.mark.slow


def trace_id(span):
    return span["context"]["trace_id"]


NOW = CORES[0]
TABLE = (Path(__file__).parents[2] / "docs" / "llama_index.md").read_text("utf-8")


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_every_run_is_what_the_table_says_and_no_reason_is_not_so(name):
    assert f"\n{HEAD}\n" in TABLE
    assert f"\n{table_row(name)}\n" in TABLE
    named = [each for each in reasons_of(name) if each[1] not in ("verified", CALLS, *NO_CLAIM)]
    assert not [each for each in named if not is_so(name, *each)]
    rules = {run.rules for _, run in runs_of(name) if run.mode != IMPORTED and run.verify().equal}
    assert ((OLDER_RULES,) in rules) == (name in CORES[1:])


def test_every_synthesis_is_found():
    counts = Counter(app for app, run in runs_of(NOW) if NOTES["no synthesis"] not in run.notes)
    assert counts == {app: made.runs for app, made in APPS.items()}


def test_another_mode_is_planned_by_the_rules_of_the_version_that_was_recorded():
    """refine of the older version keeps 5 tokens free, and this one 500."""
    runs = {run.behaviour: run for _, run in runs_of("llama-index-core-0.14.21") if run.calls}
    run = runs[OLDER]
    assert run.plan().call_count == len(run.calls)
    assert run.plan("refine").setup.behaviour == OLDER


def recorded(application):
    return [run for each, run in runs_of(NOW) if each == application]


def test_verdicts_failures_and_calls_beside_a_synthesis_are_read_of_what_was_recorded():
    *filtered, malformed = recorded("filtering")
    for run in filtered:
        assert run.filtering
        assert [call.satisfied for call in run.calls] == [False, True, False, True][
            : len(run.calls)
        ]
    assert not any(call.satisfied for call in malformed.calls)
    assert (malformed.calls[0].reply, malformed.response) == ("answer 1 is so", "Empty Response")
    failed, _ = recorded("asked again after a failure")
    assert (failed.calls[0].answer is None, failed.calls[1].answer) == (False, None)
    assert failed.failure == "Call 2 failed when it was recorded: no answer in 30 seconds"
    [silent] = recorded("nothing is similar enough")
    assert (silent.mode, silent.calls, silent.texts) == ("compact", (), [])
    assert "given no documents" in silent.notes[0]
    [run] = recorded("agent with a query engine")
    assert run.notes[-1].endswith("outside of its syntheses are left out: 2.")


BARE = re.compile(r".*\.(a?query|a?retrieve|a?(stream_)?(chat|complete))")


def bare(spans):
    """The question, the retriever and the calls of a model: what says nothing of a synthesis."""
    rows = [span for span in spans if BARE.fullmatch(span["name"])]
    [root] = [span["context"]["span_id"] for span in rows if span["name"].endswith("query")]
    parents = {root, None}
    return [row if row["parent_id"] in parents else row | {"parent_id": root} for row in rows]


@pytest.mark.parametrize("name", [NOW, "llama-index-core-0.13.6"])
def test_the_prompts_alone_say_the_mode_where_one_alone_sends_them(name):
    spans = load(name)["applications"]["every mode in every way"]
    traces = groupby(sorted(spans, key=trace_id), key=trace_id)
    modes = Counter()
    for each in ([*rows] for _, rows in traces):
        [run], [alone] = read(json.dumps(each)), read(json.dumps(bare(each)))
        assert alone.mode in (run.mode, "imported") or len(alone.calls) == 1
        modes[run.mode, alone.mode] += alone.mode == IMPORTED or alone.verify().equal
    assert modes["tree_summarize", "tree_summarize"] == modes["refine", "refine"] == 10
    assert modes["generation", IMPORTED] == 10


def test_a_stream_that_was_not_read_is_said_to_be_the_likely_reason():
    for mode, calls in (("tree_summarize", 0), ("refine", 1)):
        with recording() as lines:
            model()
            made = get_response_synthesizer(response_mode=ResponseMode(mode), streaming=True)
            stream = made.synthesize("Why?", found()[:2])
            next(stream.response_gen)
        if calls:
            [run] = read(lines.getvalue())
            assert run.notes[:2] == (NOTES["no synthesis"], NOTES["unended"])
        else:
            with pytest.raises(ImportedRunError, match="not read to its end"):
                read(lines.getvalue())
