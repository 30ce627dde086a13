"""What was received is kept, each span once, as much as fits."""

import random
from time import time

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from synth.errors import ImportedRunError
from synth.traces import capacity, read
from synth.traces.notes import NOTES
from tests.received.otlp import request, span
from tests.traces.applications import in_order, of_app, told
from tests.ui.store.recorded import renewed
from ui.received import store
from ui.received.decoding import decode
from ui.store.database import ADDRESS
from ui.store.runs import forget_old
from ui.store.store import current_store

RECORDED = (
    "router",
    "sub questions",
    "asked again after a failure",
    "three questions at once",
    "chat engine that streams",
)


@pytest.fixture(scope="module")
def recordings():
    return [of_app(name) for name in RECORDED]


def sent(spans):
    data = request(spans).SerializeToString()
    return decode(data)


@pytest.mark.slow
@given(
    at=st.integers(0, len(RECORDED) - 1),
    seed=st.integers(0, 2**32),
    sizes=st.lists(st.integers(1, 40)),
)
@settings(max_examples=8, phases=[Phase.generate])  # to shrink one would take minutes
def test_batches_in_any_order_some_twice_give_the_runs_of_the_file(
    recordings, tmp_path_factory, at, seed, sizes
):
    data = recordings[at]
    spans = in_order(data)
    chosen = random.Random(seed)
    chosen.shuffle(spans)
    batches = []
    for size in [*sizes, len(spans)]:
        batches.append(spans[:size])
        spans = spans[size:]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(ADDRESS, f"sqlite:///{tmp_path_factory.mktemp('received')}/h.sqlite3")
        renewed(patch)
        for batch in [*batches, *chosen.choices(batches, k=2)]:
            store.add(sent(batch))
        found = [one for trace in store.read_traces() for one in store.read_syntheses(trace)]
        current_store().close()
    runs = [run for run in read(data) if NOTES["no synthesis"] not in run.notes]
    assert runs
    assert {one.run.identity: told(one.run) for one in found} == {
        run.identity: told(run) for run in runs
    }


def trace_of(number):
    return f"{number + 1:032x}"


def test_the_oldest_go_first(history, monkeypatch):
    monkeypatch.setattr(store, "MOST_TRACES", 3)
    for number in (0, 1, 2, 0, 3):
        store.add([span(trace=trace_of(number))])
    assert [trace.trace_id for trace in store.read_traces()] == list(map(trace_of, (3, 0, 2)))


@pytest.mark.parametrize(("most", "words"), [("MOST_SPANS", "spans"), ("MOST_BYTES", "char")])
def test_a_trace_is_read_that_is_as_large_as_a_file_may_be(history, monkeypatch, most, words):
    store.add([span(id=f"{number + 1:016x}") for number in range(4)])
    [trace] = store.read_traces()
    monkeypatch.setattr(capacity, most, 3)
    with pytest.raises(ImportedRunError, match=f" {words}.*3 is the limit"):
        store.read_syntheses(trace)


def test_what_is_past_its_time_goes(history):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(store, "time", lambda: time() - 3 * 86_400)
        store.add([span(trace=trace_of(0))])
    store.add([span(trace=trace_of(1))])
    forget_old(history, None)
    assert len(store.read_traces()) == 2
    forget_old(history, 2)
    assert [trace.trace_id for trace in store.read_traces()] == [trace_of(1)]
