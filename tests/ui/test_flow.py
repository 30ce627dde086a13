"""The flow: its data add up, nothing overlaps, and it stays small for big runs."""

from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.llms import FunctionLLM
from synth.response_synthesizers.registry import MODES
from tests.ui.plotly_figures import checked, light
from tests.ui.sample_calls import answer, chunk, chunks_of, made, planned, setup_of, tree_of
from ui import figures
from ui.figures import flow_alt
from ui.figures.flow.data import flow_data
from ui.figures.flow.layouts import chain, levels, never_falling, spread

SPAN = 750.0

flow_figure = checked(figures.flow_figure)


def fan(sizes=(10, 20, 30)):
    setup = setup_of(chunks_of(*sizes))
    texts = [chunk(text, number) for number, text in enumerate(setup.chunks, 1)]
    return [planned(number, 0, text) for number, text in enumerate(texts, 1)], setup


def refined(sizes=(10, 20, 30), make=planned):
    setup = setup_of(chunks_of(*sizes))
    calls = []
    for number, text in enumerate(setup.chunks, 1):
        before = [answer(number - 1)] if number > 1 else []
        calls.append(make(number, number - 1, chunk(text, number), *before))
    return calls, setup


def tree(count=9, each=3, size=10):
    setup = setup_of(chunks_of(*[size] * count))
    return tree_of(setup.chunks, each), setup


def scene_of(calls, setup):
    data = flow_data(calls, setup)
    return (chain if data.shape == "chain" else levels)(data, SPAN)


def boxes_of(scene, kind):
    return [box for box in scene.boxes if box.kind == kind]


def bars(figure, kind):
    return [
        tuple(data[:2])
        for trace in figure.data
        if trace.type == "bar"
        for data in trace.customdata
        if data[0] == kind
    ]


def words_of(figure):
    return [text for trace in figure.data if trace.type == "scatter" for text in trace.text or ()]


def assert_tidy(scene):
    """Boxes of one row stand side by side, in the picture, and ribbons fill their calls."""
    rows = groupby(sorted(scene.boxes, key=lambda b: (b.y, b.left)), key=lambda b: b.y)
    for _, row in rows:
        listed = list(row)
        assert all(a.right <= b.left + 0.01 for a, b in pairwise(listed))
        assert listed[0].left >= -0.01
        assert listed[-1].right <= scene.span + 0.01
    for call in boxes_of(scene, "call"):
        arriving = [r for r in scene.ribbons if r.call == call.number]
        if arriving:
            assert arriving[0].arrive[0] == pytest.approx(call.left)
            assert arriving[-1].arrive[1] == pytest.approx(call.right)
            assert all(a.arrive[1] == pytest.approx(b.arrive[0]) for a, b in pairwise(arriving))


@pytest.mark.parametrize(
    ("made_of", "shape"), [(fan(), "fan"), (refined(), "chain"), (tree(), "tree")]
)
def test_the_shape_is_read_from_the_calls(made_of, shape):
    assert flow_data(*made_of).shape == shape


def test_a_level_of_parallel_calls_is_a_tree_even_if_each_reads_one_answer():
    calls, setup = fan((10, 10))
    deeper = [planned(number + 2, 1, answer(number)) for number in (1, 2)]
    assert flow_data([*calls, *deeper], setup).shape == "tree"


@pytest.mark.parametrize("made_of", [fan(), refined(), tree()])
def test_parts_add_up_to_their_sources(made_of):
    data = flow_data(*made_of)
    assert not data.lost
    assert sum(call.tokens("chunk") for call in data.calls) == pytest.approx(sum(data.chunks))
    read = {number for call in data.calls for number in call.reads}
    carried = sum(call.tokens("answer") for call in data.calls)
    assert carried == pytest.approx(10 * len(read))


def test_text_that_a_template_holds_twice_is_one_part():
    setup = setup_of(chunks_of(10))
    text = chunk(setup.chunks[0], 1)
    assert len(flow_data([planned(1, 0, text, text)], setup).calls[0].parts) == 1


def test_parts_of_a_real_answer_are_shares_of_it():
    setup = setup_of([])
    calls = [made(1, 0), made(2, 1, answer(1).slice(0, len(answer(1)) // 2))]
    assert flow_data(calls, setup).calls[1].tokens("answer") == pytest.approx(5, abs=0.2)


def test_what_no_call_carries_is_lost():
    setup = setup_of(chunks_of(10, 20))
    data = flow_data([planned(1, 0, chunk(setup.chunks[0], 1))], setup)
    assert [(part.number, round(part.end)) for part in data.lost] == [(2, 20)]
    assert data.unsent == 20


def test_a_lineage_goes_down_to_the_first_calls():
    data = flow_data(*tree(27, 3))
    assert data.lineage(10) == {1, 2, 3, 10}
    assert data.lineage(13) == set(range(1, 14))
    assert data.lineage(99) == set()


numbers = st.floats(0, 1000, allow_nan=False)


@given(st.lists(numbers))
def test_never_falling_never_falls_and_keeps_the_sum(values):
    result = never_falling(values)
    assert all(a <= b + 1e-6 for a, b in pairwise(result))
    assert sum(result) == pytest.approx(sum(values))


@given(st.lists(st.tuples(numbers, st.floats(1, 40)), min_size=1, max_size=20))
def test_spread_boxes_keep_apart_and_inside(wished):
    wished.sort()
    centres, widths = zip(*wished, strict=True)
    lefts = spread(centres, widths, 2, 1000)
    placed = list(zip(lefts, widths, strict=True))
    assert all(a + width + 2 <= b + 1e-6 for (a, width), (b, _) in pairwise(placed))
    assert min(lefts) >= 0
    assert lefts[-1] + widths[-1] <= 1000 + 1e-6


def test_boxes_that_do_not_collide_stay_where_they_wish():
    assert spread([10, 50, 90], [10, 20, 10], 5, 100) == pytest.approx([5, 40, 85])


sizes = st.lists(st.integers(1, 300), min_size=1, max_size=40)


@given(sizes)
def test_fans_are_tidy(chunks):
    assert_tidy(scene_of(*fan(chunks)))


@given(sizes)
def test_chains_are_tidy(chunks):
    assert_tidy(scene_of(*refined(chunks)))


@given(st.integers(1, 120), st.integers(2, 6), st.integers(1, 60))
def test_trees_are_tidy(count, each, size):
    assert_tidy(scene_of(*tree(count, each, size)))


def test_parents_stand_over_the_middle_of_their_children():
    calls, setup = tree(27, 3, 40)
    scene = scene_of(calls, setup)
    place = {(box.kind, box.number): box for box in scene.boxes}
    for call in calls:
        children = [place[origin.kind, origin.number] for origin in call.origins]
        middle = (children[0].centre + children[-1].centre) / 2
        assert place["call", call.number].centre == pytest.approx(middle, abs=0.5)


def test_widths_are_tokens():
    scene = scene_of(*fan((10, 20, 30)))
    chunks, calls = boxes_of(scene, "chunk"), boxes_of(scene, "call")
    assert chunks[1].width == pytest.approx(2 * chunks[0].width)
    assert [box.width for box in calls] == pytest.approx([box.width for box in chunks])


def test_a_chunk_that_calls_divide_is_shown_in_lettered_pieces():
    setup = setup_of(chunks_of(90))
    whole = chunk(setup.chunks[0], 1)
    half = len(whole) // 2
    calls = [planned(1, 0, whole.slice(0, half)), planned(2, 0, whole.slice(half, len(whole)))]
    pieces = boxes_of(scene_of(calls, setup), "chunk")
    assert [box.label for box in pieces] == ["1a", "1b"]
    assert {box.number for box in pieces} == {1}
    assert sum(box.tokens for box in pieces) == pytest.approx(90)


def test_unsent_text_is_hatched_in_the_row_of_chunks():
    setup = setup_of(chunks_of(50, 50))
    half = chunk(setup.chunks[0], 1).slice(0, 90)
    pieces = boxes_of(scene_of([planned(1, 0, half)], setup), "chunk")
    assert sorted((box.number, box.meaning, box.label) for box in pieces) == [
        (1, "context", "1"),
        (1, "lost", ""),
        (2, "lost", "2"),
    ]


def test_every_node_can_be_clicked():
    calls, setup = tree(9, 3)
    figure = flow_figure(calls, setup, planned=True)
    every = [("call", call.number) for call in calls]
    assert sorted(bars(figure, "call")) == every
    assert len(bars(figure, "answer")) == len(calls)
    assert sorted(set(bars(figure, "chunk"))) == [("chunk", number) for number in range(1, 10)]


def test_planned_answers_are_dashed_and_at_most():
    figure = flow_figure(*refined(), planned=True)
    dashed = [shape for shape in figure.layout.shapes if shape.line.dash]
    assert len(dashed) == 3
    words = words_of(figure)
    assert words.count("≤ 10") == 3
    assert "answer" in words


def test_made_answers_are_solid_and_counted():
    figure = flow_figure(*refined(make=made))
    words = words_of(figure)
    assert words.count("10") == 3
    assert not figure.layout.shapes


def test_the_selected_call_has_a_frame_and_its_lineage_is_lit():
    calls, setup = tree(27, 3)
    plain = flow_figure(calls, setup)
    chosen = flow_figure(calls, setup, selected=10)
    [frame] = [shape for shape in chosen.layout.shapes if shape.line.width == 2.5]
    assert frame.line.color == light("ink")
    fills = [
        len([t for t in one.data if t.type == "scatter" and t.fill]) for one in (plain, chosen)
    ]
    assert fills == [2, 4]


def test_states_are_told_without_colour():
    calls, setup = fan((40, 40, 40, 40, 40))
    states = {1: "done", 2: "cached", 3: "running", 4: "failed"}
    figure = flow_figure(calls, setup, states=states, planned=True)
    words = words_of(figure)
    words += [one.text for one in figure.layout.annotations]
    assert {"call 1", "↺ call 2", "▸ call 3", "✕ call 4", "call 5"} <= set(words)
    assert len(bars(figure, "answer")) == 4


def test_a_failed_call_hands_nothing_on():
    calls, setup = refined(make=made)
    scene = scene_of(calls, setup)
    traces = [
        [trace for trace in flow_figure(calls, setup, states=states).data if is_arrows(trace)]
        for states in (None, {1: "done", 2: "done", 3: "failed"}, {1: "done", 2: "failed"})
    ]
    assert [len(arrows.x) / 3 for [arrows] in traces] == [5, 4, 3]
    assert {arrow.call for arrow in scene.arrows} == {1, 2, 3}


def is_arrows(trace):
    return trace.type == "scatter" and trace.mode == "lines" and not trace.fill


def test_tokens_between_calls_stand_above_them():
    for count in (3, 24):
        calls, setup = refined((50,) * count, make=made)
        boxes = scene_of(calls, setup).boxes
        top = max(box.top for box in boxes if box.kind == "call")
        figure = flow_figure(calls, setup, width=SPAN)
        heights = {
            trace.y[list(trace.text).index("10")]
            for trace in figure.data
            if trace.text and "10" in trace.text and trace.textposition == "top center"
        }
        assert heights == {top}


def test_a_mark_that_has_no_room_beside_its_number_stands_above_it():
    calls, setup = refined((50,) * 12, make=made)
    words = words_of(flow_figure(calls, setup, states={12: "cached"}, width=500))
    assert "↺<br>12" in words


def test_what_a_run_still_holds_back_has_no_size():
    calls, setup = refined(make=made)
    words = words_of(flow_figure(calls, setup, states={1: "done", 2: "waiting", 3: "waiting"}))
    assert words.count("10") == 1
    assert not [word for word in words if "≤" in word]


def test_a_big_tree_stays_small():
    setup = setup_of(chunks_of(*[30] * 240))
    calls = tree_of(setup.chunks, 3)
    figure = flow_figure(calls, setup, planned=True)
    assert len(calls) > 100
    assert len(figure.layout.annotations) <= 50
    assert len(figure.layout.shapes) <= 80
    assert len(figure.data) <= 16
    assert len(figure.to_json()) < 200_000


def test_few_chunk_numbers_stand_below_thin_chunks():
    figure = flow_figure(*fan([30] * 200))
    below = next(t for t in figure.data if t.textposition == "bottom center")
    assert below.text[:2] == ("1", "10")
    gaps = [b - a for a, b in pairwise(below.x)]
    assert min(gaps) > 30


@pytest.mark.parametrize("planned_only", [True, False])
def test_calls_without_chunks_can_be_seen(planned_only):
    for chunks in ([], chunks_of(10, 10)):
        figure = flow_figure([planned(1, 0)], setup_of(chunks), planned=planned_only)
        assert bars(figure, "call") == [("call", 1)]
        call = next(
            trace for trace in figure.data if ["call", 1] in map(list, trace.customdata or [])
        )
        assert call.width[0] > 40


def test_a_single_level_is_given_more_room_than_each_of_several():
    assert scene_of(*fan()).unit > scene_of(*tree()).unit


def test_a_run_without_calls_shows_its_chunks_as_unsent():
    figure = flow_figure([], setup_of(chunks_of(10, 10)))
    assert len(bars(figure, "chunk")) == 2
    assert not bars(figure, "call")
    assert flow_figure([], setup_of([])).data == ()


def test_a_narrow_flow_has_no_words_beside_it():
    figure = flow_figure(*fan(), width=330, height=130)
    assert figure.layout.margin.l < 20
    assert not figure.layout.annotations
    assert figure.layout.height == 130


def test_the_flow_is_told_in_a_sentence():
    assert flow_alt(*fan(), planned=True) == "Flow: 3 chunks would go into 3 calls at once."
    assert flow_alt(*refined()) == "Flow: 3 chunks went into 3 calls, one after the other."
    assert flow_alt(*tree()) == (
        "Flow: 9 chunks went into a tree of 4 calls: 3 at level 0, 1 at level 1."
    )
    setup = setup_of(chunks_of(10, 20))
    assert flow_alt([planned(1, 0, chunk(setup.chunks[0], 1))], setup) == (
        "Flow: 2 chunks went into 1 call; 20 tokens of them not sent."
    )


TEXT = "The pool of connections was too small, so requests waited until they timed out. "


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
def test_every_mode_of_the_engine_has_a_tidy_flow(mode, behaviour):
    llm = FunctionLLM(lambda prompt: "Too few connections.", context_window=900, num_output=60)
    asked = get_response_synthesizer(response_mode=mode, llm=llm, behaviour=behaviour)
    chunks = [TEXT * (3 + number % 5) for number in range(24)]
    plan = asked.plan("What was too small?", chunks)
    assert_tidy(scene_of(plan.calls, plan.setup))
    figure = flow_figure(plan.calls, plan.setup, planned=True)
    assert len(bars(figure, "call")) == plan.call_count
