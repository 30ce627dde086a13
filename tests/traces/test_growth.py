"""Twice as large a trace takes about twice the work; what is beyond a bound is not read."""

import json
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.documents.records import count_values
from synth.errors import ImportedRunError
from synth.modes.registry import MODES
from synth.traces import fits, read, size_limits
from synth.traces.fitting import _Search
from tests.calls import calls_of
from tests.traces.hostile import HOSTILE, call, lines, span, synthesis
from tests.traces.test_live import record


def read_and_verify(data):
    for run in read(data):
        if run.mode in MODES:
            run.verify()


@pytest.mark.slow
@pytest.mark.parametrize("name", HOSTILE)
def test_work_grows_with_the_size_of_the_trace(name):
    small, large = HOSTILE[name](250), HOSTILE[name](500)
    with suppress(ImportedRunError):
        read_and_verify(small)  # what is made once for all
    assert calls_of(read_and_verify, large) < 2.6 * calls_of(read_and_verify, small)


CHAIN = [span(each, "step", {}, each - 1 if each else None) for each in range(5)]
BEYOND = {
    "MOST_CALLS": [synthesis(0), *(call(1 + each, 0) for each in range(5))],
    "MOST_RUNS": [synthesis(each) for each in range(5)],
    "MOST_TEXTS": [synthesis(0, "abcde")],
    "MOST_VALUES": [
        synthesis(0),
        span(
            1, "OpenAI.predict", {"input.value": '{"kwargs": {"a": 1, "b": 2, "c": 3, "d": 4}}'}, 0
        ),
        call(2, 1),
    ],
    "DEEPEST_SPANS": [*CHAIN, call(5, 4)],
}


@pytest.mark.parametrize("bound", BEYOND)
def test_what_goes_beyond_a_bound_is_refused_with_the_bound(bound, monkeypatch):
    monkeypatch.setattr(size_limits, bound, 3)
    with pytest.raises(ImportedRunError, match=r"\b3\b.*: (record|export) "):
        read(lines(BEYOND[bound]))


def test_a_search_ends_and_says_how_much_was_tried(monkeypatch):
    run, _ = record("refine")
    monkeypatch.setattr("synth.traces.fitting._MOST_TRIES", 60)
    tried = []
    verify = _Search.verify
    monkeypatch.setattr(_Search, "verify", lambda *args: tried.append(1) or verify(*args))
    with pytest.raises(ImportedRunError, match=r"60 settings were tried with [\d,]+ characters"):
        fits(replace(run, query="What else?"))
    assert len(tried) <= 70  # the simple choices are tried in any case


JSON = st.recursive(
    st.text(alphabet='a"\\,[{连') | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='b"\\,{['), inner),
)


def values_of(document):
    if not isinstance(document, list | dict):
        return 0
    inner = document.values() if isinstance(document, dict) else document
    return max(1, len(document)) + sum(map(values_of, inner))


@given(document=JSON)
def test_they_are_counted_without_what_stands_in_texts(document):
    text = json.dumps(document, ensure_ascii=False)
    assert count_values(text, len(text)) == values_of(document)
    assert (count_values(text, 0) > 0) == (values_of(document) > 0)


@pytest.mark.parametrize("value", ["{},", "1,", '"",', '"' * 5, r'"\"",'])
def test_more_than_the_most_is_found_of_any_kind(value):
    assert count_values(f"[{value * 1_000}0]", 900) > 900
