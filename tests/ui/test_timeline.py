"""The timeline: times as they were, the path that decided them, what could have been better."""

from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.errors import ModelError
from synth.llms import ExtractiveLLM, FunctionLLM
from synth.times import timeline_facts
from synth.trace import Trace
from tests.ui.page import Playground
from tests.ui.plotly_figures import checked, light
from tests.ui.sample_calls import answer, chunk, chunks_of, made, setup_of
from ui.figures import timeline
from ui.figures.timeline import timeline_alt
from ui.views import timeline_view

timeline_figure = checked(timeline.timeline_figure)

SETUP = setup_of(chunks_of(5, 5, 5, 5))


def call(number, depth, started, seconds, **changes):
    text = answer(1) if depth else chunk(SETUP.chunks[0], 1)
    return replace(made(number, depth, text), started=started, seconds=seconds, **changes)


def trace_of(*calls):
    return Trace(
        SETUP, calls, "end", seconds=max((c.started + c.seconds for c in calls), default=0)
    )


def tree():
    """Two at once: 1 and 2, then 3 in the place of 2; 4 reads them all."""
    return trace_of(
        call(1, 0, 0.0, 3.0), call(2, 0, 0.0, 1.0), call(3, 0, 1.0, 4.0), call(4, 1, 5.0, 2.0)
    )


def spoken(trace):
    return "".join(timeline_facts(trace).sentence)


def test_the_key_says_when_the_first_call_was_sent_and_what_a_dotted_line_is():
    late = trace_of(call(1, 0, 0.5, 1.0), call(2, 1, 1.5, 1.0))
    assert timeline_facts(late).key == (
        "Run is at the left; the first call was sent 0.5 s later, once its prompt was packed and"
        " counted. Dotted (┊): the call waited for the one before."
    )
    assert timeline_facts(trace_of(call(1, 0, 0.0, 1.0))).key == "Run is at the left."


def bars(figure):
    """Row, start, length and paper or ink of each bar, from the top."""
    found = [
        (y, base, x, trace.marker.color)
        for trace in figure.data
        if trace.type == "bar"
        for y, base, x in zip(trace.y, trace.base, trace.x, strict=True)
    ]
    return sorted(found)


def words(figure):
    """The times at the right."""
    return [note.text for note in figure.layout.annotations if note.xref == "paper"]


def test_the_critical_path_is_what_the_end_waited_for():
    facts = timeline_facts(tree())
    assert facts.critical == (2, 3, 4)
    assert (facts.seconds, facts.parallel) == (7.0, 6.0)


@pytest.mark.parametrize(
    ("trace", "sentence"),
    [
        (tree(), "Took 7.0 s; with every parallelizable call in parallel, 6.0 s."),
        (trace_of(call(1, 0, 0, 1.25)), "Took 1.2 s."),
        (
            trace_of(call(1, 0, 0, 2.0), call(2, 1, 2.0, 0.5)),
            "Took 2.5 s: each call waits for the one before, so nothing can be parallel.",
        ),
        (
            trace_of(call(1, 0, 0, 2.0), call(2, 0, 0, 1.0)),
            "Took 2.0 s with every parallelizable call in parallel.",
        ),
        (
            trace_of(call(1, 0, 0, 8.0, replayed=True), call(2, 1, 0, 0.02)),
            "Took 20 ms. 1 answer was reused (originally 8.0 s).",
        ),
        (
            trace_of(call(1, 0, 0, 8.0, replayed=True), call(2, 0, 0, 2.0, replayed=True)),
            "No call was sent. 2 answers were reused (originally 10.0 s).",
        ),
        (trace_of(), "No call was sent."),
    ],
)
def test_the_times_are_told_in_a_sentence(trace, sentence):
    if trace.calls and all(one.replayed for one in trace.calls):
        trace = replace(trace, seconds=0.0)
    elif trace.calls and trace.calls[0].replayed:
        trace = replace(trace, seconds=0.02)
    assert spoken(trace) == sentence


times = st.lists(
    st.tuples(st.integers(0, 3), st.floats(0, 10), st.floats(0, 10), st.booleans()), max_size=25
)


@given(times)
def test_the_critical_path_never_overlaps_and_reaches_the_end(found):
    calls = [
        call(number, depth, started, seconds, replayed=replayed)
        for number, (depth, started, seconds, replayed) in enumerate(sorted(found), 1)
    ]
    facts = timeline_facts(trace_of(*calls))
    path = [calls[number - 1] for number in facts.critical]
    for one, two in pairwise(path):
        assert one.started + one.seconds <= two.started
    sent = [one for one in calls if not one.replayed]
    assert bool(path) == bool(sent)
    if sent:
        assert path[-1].started + path[-1].seconds == max(c.started + c.seconds for c in sent)
    assert facts.parallel <= sum(one.seconds for one in sent) + 1e-9
    timeline_figure(trace_of(*calls))


def test_bars_begin_and_end_when_the_calls_did():
    figure = timeline_figure(tree())
    assert bars(figure) == [
        (0, 0.0, 3.0, light("template")),
        (1, 0.0, 1.0, light("ink")),
        (2, 1.0, 4.0, light("ink")),
        (3, 5.0, 2.0, light("ink")),
    ]
    assert list(figure.layout.yaxis.ticktext) == [
        *("1 · level 0", "2 · level 0", "3 · level 0", "4 · level 1")
    ]
    assert sorted(words(figure)) == ["1.0 s", "2.0 s", "3.0 s", "4.0 s"]


def test_the_path_is_one_dotted_line():
    line, *_ = timeline_figure(tree()).data
    assert (line.x, line.y) == ((1.0, 1.0, None, 5.0, 5.0, None), (1, 2, None, 2, 3, None))
    assert line.line.dash
    alone = timeline_figure(trace_of(call(1, 0, 0, 1)))
    assert not [trace for trace in alone.data if trace.type == "scatter" and trace.line.dash]


def test_replayed_and_failed_calls_have_signs():
    trace = trace_of(
        call(1, 0, 0.0, 9.0, replayed=True),
        call(2, 1, 0.0, 2.0),
        call(3, 2, 2.0, 1.0, answer=None, error="down"),
    )
    figure = timeline_figure(trace)
    assert {"↺ 9.0 s", "✕ 1.0 s"} <= set(words(figure))
    assert figure.layout.annotations[0].text == "↺ reused · ✕ no answer"
    first = bars(figure)[0]
    assert first[2] < 0.1  # it took no time in this run


def test_every_call_can_be_clicked():
    figure = timeline_figure(trace_of(*(call(at, 0, 0, 0) for at in range(1, 9))))
    clicked = [tuple(data) for trace in figure.data for data in trace.customdata or ()]
    assert sorted(clicked) == [("call", at) for at in range(1, 9)]
    assert all(length > 0 for _, _, length, _ in bars(figure))


def test_a_quick_run_is_shown_in_milliseconds():
    figure = timeline_figure(trace_of(call(1, 0, 0.0, 0.02), call(2, 1, 0.02, 0.03)))
    assert [round(length) for _, _, length, _ in bars(figure)] == [20, 30]
    assert figure.layout.xaxis.title.text == "milliseconds since Run"


def test_each_call_has_its_time_at_the_right():
    figure = timeline_figure(trace_of(call(1, 0, 0.0, 0.1), call(2, 1, 0.1, 9.9)))
    _, *times = figure.layout.annotations
    assert [(note.y, note.text) for note in times] == [(0, "0.1 s"), (1, "9.9 s")]
    assert {(note.x, note.xanchor) for note in times} == {(1, "right")}


def test_the_colour_of_the_longest_chain_is_explained_beside_another_colour():
    def legend(*calls):
        return timeline_figure(trace_of(*calls)).layout.annotations[0].text

    both = call(1, 0, 0.0, 1.0), call(2, 0, 0.0, 2.0), call(3, 2, 2.0, 1.0)
    assert legend(*both) == "strong colour: the longest chain"
    assert legend(*both[1:]) == ""


def test_many_calls_stay_small():
    figure = timeline_figure(trace_of(*(call(at, 0, at / 10, 0.5) for at in range(1, 600))))
    assert figure.layout.height < 2_000
    assert len(figure.layout.annotations) <= 1
    assert len(figure.data) <= 3
    assert list(figure.layout.yaxis.ticktext)[:2] == ["1 · text_qa", "50 · text_qa"]
    assert not words(figure)


def test_names_of_templates_are_text():
    odd = replace(call(1, 0, 0, 1), template="<b>$x$</b>_template")
    [name] = timeline_figure(trace_of(odd)).layout.yaxis.ticktext
    assert not set("<>$") & set(name)


def test_the_timeline_is_told_in_words():
    assert timeline_alt(tree(), timeline_facts(tree())) == (
        "Timeline of 4 calls. Took 7.0 s; with every parallelizable call in parallel, 6.0 s."
    )


def test_real_runs_have_a_timeline():
    llm = ExtractiveLLM(context_window=400, num_output=40)
    texts = ["The pool was too small for all of them. " * 6] * 6
    for mode in ("refine", "tree_summarize", "accumulate"):
        trace = get_response_synthesizer(response_mode=mode, llm=llm).run("What was small?", texts)
        assert timeline_facts(trace).parallel <= trace.seconds
        assert len(bars(timeline_figure(trace, width=620))) == len(trace.calls)

    def broken(prompt):
        raise ModelError("it is out of order")

    with pytest.raises(ModelError) as failure:
        get_response_synthesizer(response_mode="refine", llm=FunctionLLM(broken)).run("Why?", texts)
    assert any(word.startswith("✕") for word in words(timeline_figure(failure.value.trace)))


def test_the_times_of_a_run_are_not_found_again_when_the_view_is_drawn_again(monkeypatch):
    page = Playground(mode="refine").finish().set(view="timeline")
    shown = page.text
    assert "<b>Took " in shown
    monkeypatch.setattr(timeline_view, "timeline_facts", None)  # it can't be called any more
    assert page.draw().text == shown
