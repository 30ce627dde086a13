"""Applications, each in another set-up, recorded with five versions of llama-index-core.

Every synthesis is found, and each is verified or has the reason that is the truth: the one that
the application was made with. No version is taken for another.
"""

import json
import re
from collections import Counter
from itertools import groupby

import pytest
from llama_index.core.response_synthesizers import ResponseMode, get_response_synthesizer

from synth.errors import ImportedRunError
from synth.traces import fits, read
from synth.traces.imported_run import IMPORTED, OLDER, OLDER_RULES
from synth.traces.notes import NOTES
from tests.traces.application import recording
from tests.traces.applications import APPS, found, model
from tests.traces.recordings import ENVIRONMENTS, NO_CLAIM, load, reason, runs_of

pytestmark = pytest.mark.slow


def trace_id(span):
    return span["context"]["trace_id"]


NOW = "llama-index-core-0.14.25"
CORES = [name for name in ENVIRONMENTS if name.startswith("llama-index-core")]


@pytest.mark.parametrize("name", CORES)
def test_every_run_is_verified_or_has_its_true_reason(name):
    runs = list(runs_of(name))
    said = [(app, reason(run)) for app, run in runs]
    claims = [(app, words) for app, words in said if words not in ("verified", *NO_CLAIM)]
    wrong = [(app, words) for app, words in claims if APPS[app].truth not in words]
    assert not wrong
    verified = [app for app, words in said if words == "verified"]
    assert len(verified) >= 0.92 * len(runs)
    older = {run.rules for _, run in runs if run.mode != IMPORTED and run.verify().equal}
    assert older == ({()} if name == NOW else {(), (OLDER_RULES,)})


def test_every_synthesis_is_found():
    counts = Counter(app for app, _ in runs_of(NOW))
    assert counts == {app: made.runs for app, made in APPS.items()}


def test_the_most_likely_setting_is_named_first():
    [run] = [run for app, run in runs_of(NOW) if app == "global limits of two kinds"]
    first, second, *others = [fit.changes[0] for fit in fits(run) if fit.is_likely]
    assert first == "num_output 550 in the prompt helper (the model's is 64)"
    assert "such as 900 and 50" in second
    assert [each.split()[0] for each in others] == ["chunk", "padding"]


def test_another_mode_is_planned_by_the_rules_of_the_version_that_was_recorded():
    """refine of the older version keeps 5 tokens free, and this one 500."""
    runs = {run.behaviour: run for _, run in runs_of("llama-index-core-0.14.21") if run.calls}
    run = runs[OLDER]
    assert run.plan().call_count == len(run.calls)
    assert run.plan("refine").setup.behaviour == OLDER


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
