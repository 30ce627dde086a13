"""Plans of long texts: made in a process that can be ended, and the same as those made here."""

import re

import pytest

from synth.text.tokens import get_tokenizer
from tests.recipes import make_request
from tests.ui.page import Playground
from ui.plans import outlines, plan_range, upstream
from ui.plans.axes import AXES
from ui.plans.curves import curves
from ui.session import apart as module
from ui.session import workspace
from ui.session.apart import TookTooMuch, apart

CHUNKS = tuple(f"The pump of house {number} stood still at noon. " * 12 for number in range(12))
MODES = ("compact", "tree_summarize")


@pytest.fixture(autouse=True)
def _space():
    """A workspace of its own for each test."""
    workspace.stand_in()


def asked(mode, chunks=CHUNKS, **changed):
    return make_request(mode, "What failed?", chunks, 1_200, **changed)


def shown(mode):
    """What pages say of a request, and how often a process was asked for it."""
    workspace.stand_in()
    request = asked(mode)
    plans = plan_range.plan_range(request)
    axis = AXES["window"]
    span = axis.span(request, len(CHUNKS))
    return (
        (plans.high.to_frame().to_csv(), plans.low.to_frame().to_csv(), plans.bounds),
        outlines.outline(request),
        upstream.upstream(request),
        curves(axis, span, {mode: request}, lambda share: None),
    )


@pytest.fixture
def calls(monkeypatch):
    """The functions that were called apart."""
    made = []

    def counted(function, *args):
        made.append(function.__name__)
        return apart(function, *args)

    monkeypatch.setattr(module, "apart", counted)
    return made


@pytest.mark.slow
@pytest.mark.parametrize("mode", MODES)
def test_what_is_made_apart_is_what_would_be_made_here(mode, calls, monkeypatch):
    here = shown(mode)
    assert not calls
    monkeypatch.setattr(module, "MOST_HERE", 0)
    assert shown(mode) == here
    assert {*calls} == {"_compared", "_computed", "_outline", "_remembered"}


def test_long_texts_many_chunks_and_many_calls_are_much_work():
    assert asked("compact").work < module.MOST_HERE
    for long in (
        asked("compact", (CHUNKS[0] * 300,)),
        asked("refine", ("short",) * 300),
        asked("compact", (CHUNKS[0] * 60,), chunk_size_limit=20),
        asked("compact", (CHUNKS[0] * 60,), chunk_overlap_ratio=0.97),
    ):
        assert long.work > module.MOST_HERE


def _took_too_much(*_):
    raise TookTooMuch("took more than 20 seconds")


def test_a_plan_that_takes_too_long_is_refused_with_its_numbers_and_nothing_is_lost(monkeypatch):
    monkeypatch.setattr(module, "MOST_HERE", 0)
    monkeypatch.setattr(module, "apart", _took_too_much)
    page = Playground(query_str="What failed?", chunks=list(CHUNKS))
    assert "The plan of 12 chunks with 5,928 characters took" in page.text
    assert "more than 20 seconds. Send fewer chunks" in page.text
    assert "takes too long to plan" in page.find_button("mode refine").label
    assert not page.can_run
    monkeypatch.undo()
    page.set(context_window=2_000)
    assert page.chunks == CHUNKS
    assert page.settings.query_str == "What failed?"
    assert page.can_run


@pytest.mark.slow
def test_what_is_said_of_an_answer_is_the_same_where_it_is_found_apart(calls, monkeypatch):
    def said():
        page = Playground(query_str="What failed?", chunks=list(CHUNKS)).finish()
        return re.sub(r"in [\d.]+ m?s", "", page.html)

    here = said()
    monkeypatch.setattr(module, "MOST_HERE", 0)
    assert said() == here
    assert {"matches", "unfounded"} <= {*calls}


@pytest.mark.slow
def test_an_answer_stays_where_looking_for_its_words_takes_too_long(monkeypatch):
    page = Playground(query_str="What failed?", chunks=list(CHUNKS)).press("run_button")
    page.job.wait()
    workspace.registry().find(page.space.id).forget_results()
    monkeypatch.setattr(module, "MOST_HERE", 0)
    monkeypatch.setattr(module, "apart", _took_too_much)
    page.draw()
    assert "so none is underlined" in page.text
    assert "so none are marked" in page.text
    assert page.job.trace.response[:20] in page.text


def test_where_a_curve_takes_too_long_the_mode_has_none(monkeypatch):
    monkeypatch.setattr(module, "MOST_HERE", 0)
    monkeypatch.setattr(module, "apart", _took_too_much)
    request = asked("compact")
    axis = AXES["window"]
    span = axis.span(request, len(CHUNKS))
    curve = curves(axis, span, {"compact": request}, lambda share: None)["compact"]
    assert not any(point.drawn for point in curve.points)
    assert "took more than 20 seconds" in curve.points[0].high.problem


@pytest.mark.slow
def test_a_tokenizer_is_one_in_each_process():
    plain = get_tokenizer("o200k_base")
    special = plain.with_special_tokens()
    assert apart(special.with_special_tokens) is special
    assert apart(get_tokenizer, plain) is plain
