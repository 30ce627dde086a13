"""Plans of long texts: they are made in the thread of their page, and hold up no other."""

import time
from threading import Event, Thread

import pytest
from streamlit.runtime.scriptrunner import StopException

from synth.quality.samples import SAMPLES
from tests.recipes import make_request
from ui.plans import plan_range
from ui.plans.axes import AXES
from ui.plans.curves import curves
from ui.session import workspace

MODES = ("refine", "compact", "tree_summarize", "accumulate", "simple_summarize")
SAMPLE = "\n\n".join(SAMPLES[0].chunks)


def long(mode, characters=2_000_000, **changed):
    """A request with so many characters of chunks, a thousand in each."""
    text = (SAMPLE * (characters // len(SAMPLE) + 1))[:characters]
    chunks = tuple(text[at : at + 1_000] for at in range(0, characters, 1_000))
    return make_request(mode, "What failed?", chunks, 4_096, **changed)


def longest_wait(work):
    """The longest time for which another thread waited to go on, in seconds, beyond its sleep."""
    done, waits = Event(), []

    def others():
        while not done.is_set():
            began = time.perf_counter()
            time.sleep(0.005)
            waits.append(time.perf_counter() - began - 0.005)

    thread = Thread(target=others)
    thread.start()
    work()
    done.set()
    thread.join()
    return max(waits)


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_a_plan_of_two_megabytes_holds_up_nobody(mode):
    request = long(mode)
    waited = longest_wait(lambda: plan_range.plan_range(request))
    assert plan_range.plan_range(request).plans is not None
    assert waited < 0.3


@pytest.mark.slow
def test_curves_of_two_megabytes_hold_up_nobody_and_end_soon():
    requests = {mode: long(mode) for mode in MODES}
    span = AXES["window"].span(requests["compact"], 2_000)
    began = time.process_time()
    made = []
    waited = longest_wait(lambda: made.append(curves(AXES["window"], span, requests, id)))
    assert waited < 0.3
    assert time.process_time() - began < 8 * len(MODES)
    assert all(len(curve.points) >= 2 for curve in made[0].values())


class Overtaken:
    """Stands for the run of a script in whose tab something newer was entered."""

    def yield_check(self) -> None:
        raise StopException


def test_no_long_plan_is_begun_for_an_edit_that_another_has_followed(monkeypatch):
    monkeypatch.setattr(workspace, "get_script_run_ctx", lambda suppress_warning: Overtaken())
    with pytest.raises(StopException):
        plan_range.plan_range(long("compact", 200_000))
    assert plan_range.plan_range(long("compact", 2_000)).plans is not None


def test_long_texts_many_chunks_and_many_calls_are_much_work():
    assert long("compact", 2_000).work < plan_range.LONG
    for much in (
        long("compact", 200_000),
        make_request("refine", "What failed?", ("short",) * 300, 1_200),
        long("compact", 40_000, chunk_size_limit=20),
        long("compact", 40_000, chunk_overlap_ratio=0.999),
    ):
        assert much.work > plan_range.LONG
