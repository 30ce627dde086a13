"""The flow: its data add up, nothing overlaps, and it stays small for big runs."""

from dataclasses import replace
from itertools import groupby, pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from synth import get_response_synthesizer
from synth.llms import FunctionLLM
from synth.modes.registry import MODES
from synth.pictures import flow
from synth.pictures.flow.data import flow_data, flow_of
from synth.pictures.flow.layouts import chain, levels
from synth.pictures.shapes import Head, Path
from synth.runs.trace import Trace
from tests.pictures.reading import boxes, clicks, collisions, words
from tests.ui.sample_calls import answer, chunk, chunks_of, made, planned, setup_of, tree_of

SPAN = 750.0


def flow_picture(calls, setup, width, **options):
    return flow.flow_picture(flow_data(calls, setup), width, **options)


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


def blocks_of(scene, kind):
    return [block for block in scene.blocks if block.kind == kind]


def assert_tidy(scene):
    """Boxes of one row stand side by side, in the picture, and ribbons fill their calls."""
    rows = groupby(sorted(scene.blocks, key=lambda b: (b.y, b.left)), key=lambda b: b.y)
    for _, row in rows:
        listed = list(row)
        assert all(a.right <= b.left + 0.01 for a, b in pairwise(listed))
        assert listed[0].left >= -0.01
        assert listed[-1].right <= scene.span + 0.01
    for call in blocks_of(scene, "call"):
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


def test_a_chunk_that_calls_divide_is_shown_in_lettered_pieces():
    setup = setup_of(chunks_of(90))
    whole = chunk(setup.chunks[0], 1)
    half = len(whole) // 2
    calls = [planned(1, 0, whole.slice(0, half)), planned(2, 0, whole.slice(half, len(whole)))]
    pieces = blocks_of(scene_of(calls, setup), "chunk")
    assert [block.label for block in pieces] == ["1a", "1b"]
    assert {block.number for block in pieces} == {1}
    assert sum(block.tokens for block in pieces) == pytest.approx(90)


def test_unsent_text_is_hatched_in_the_row_of_chunks():
    setup = setup_of(chunks_of(50, 50))
    half = chunk(setup.chunks[0], 1).slice(0, 90)
    pieces = blocks_of(scene_of([planned(1, 0, half)], setup), "chunk")
    assert sorted((block.number, block.meaning, block.label) for block in pieces) == [
        (1, "context", "1"),
        (1, "lost", ""),
        (2, "lost", "2"),
    ]


def test_planned_answers_are_dashed_and_at_most():
    picture = flow_picture(*refined(), 880, planned=True)
    assert len(boxes(picture, "k-answer assumed")) == 3
    assert words(picture).count("≤ 10") == 2
    assert "answer\n≤ 10" in words(picture)
    assert "answer of call 2\nat most 10 tokens" in [box.says for box in picture.boxes]


def test_the_last_answer_of_a_run_that_ended_early_is_not_the_response():
    calls, setup = refined(make=made)
    ended = {
        response: words(flow.flow_picture(flow_of(Trace(setup, tuple(calls), response)), 880))
        for response in ("Noon.", None)
    }
    assert "answer\n10" in ended["Noon."]
    assert "answer\n10" not in ended[None]
    assert ended[None].count("10") == 3


def ribbons(picture, kind):
    paths = [shape for shape in picture.shapes if isinstance(shape, Path)]
    return sum(len(path.lines) for path in paths if path.kind == kind)


def test_the_selected_call_has_a_frame_and_its_lineage_is_lit():
    calls, setup = tree(27, 3)
    assert ribbons(flow_picture(calls, setup, 880), "ribbon k-context") == 27
    picture = flow_picture(calls, setup, 880, selected=10)
    assert len(boxes(picture, "frame")) == 1
    assert ribbons(picture, "ribbon k-context lit") == 9
    assert ribbons(picture, "ribbon k-context dim") == 18
    assert ribbons(picture, "ribbon k-answer lit") == 3


def test_the_way_of_a_fact_is_lit_and_all_else_is_pale():
    mark = flow.Mark("the seal was worn", frozenset({2}), frozenset({2}), 2, "lost here")
    picture = flow_picture(*refined((40, 40, 40), make=made), 880, mark=mark)
    assert {box.click for box in boxes(picture, "unlit")} == {
        (kind, number) for kind in ("chunk", "call", "answer") for number in (1, 3)
    }
    assert ribbons(picture, "ribbon k-context marked") == 1
    assert len(boxes(picture, "frame")) == 2
    assert {"✕", "lost here", "“the seal was worn” stands here"} <= set(words(picture))
    assert picture.alt.endswith(" “the seal was worn” stands in chunk 2, lost here: call 2.")


def test_states_are_told_without_colour():
    calls, setup = fan((40, 40, 40, 40, 40))
    states = {1: "done", 2: "cached", 3: "running", 4: "failed"}
    picture = flow_picture(calls, setup, 880, states=states, planned=True)
    assert {"call 1", "↺ call 2", "▸ call 3", "✕ call 4", "call 5"} <= set(words(picture))
    assert [len(boxes(picture, kind)) for kind in ("running", "failed", "waiting")] == [1, 1, 1]
    assert sum(kind == "answer" for kind, _ in clicks(picture)) == 4


@pytest.mark.parametrize(
    ("states", "heads"),
    [(None, 5), ({1: "done", 2: "done", 3: "failed"}, 4), ({1: "done", 2: "failed"}, 3)],
)
def test_a_failed_call_hands_nothing_on(states, heads):
    picture = flow_picture(*refined(make=made), 880, states=states)
    assert sum(isinstance(shape, Head) for shape in picture.shapes) == heads


@pytest.mark.parametrize(("width", "states"), [(330, None), (540, None), (540, {4: "cached"})])
def test_no_number_of_twelve_calls_is_missing(width, states):
    sizes = (40,) * 10 + (4, 40)  # call 11 is narrow
    picture = flow_picture(*refined(sizes, make=made), width, states=states)
    chunks = min(box.top for box in picture.boxes if box.click[:1] == ("chunk",))
    above = [text.plain.removeprefix("↺").strip() for text in picture.texts if text.y < chunks]
    assert {f"{number}" for number in range(1, 13)} <= set(above)


def test_what_a_run_still_holds_back_has_no_size():
    states = {1: "done", 2: "waiting", 3: "waiting"}
    found = words(flow_picture(*refined(make=made), 880, states=states))
    assert found.count("10") == 1
    assert not [word for word in found if "≤" in word]


def test_a_big_tree_stays_small():
    setup = setup_of(chunks_of(*[30] * 240))
    calls = tree_of(setup.chunks, 3)
    picture = flow_picture(calls, setup, 880, planned=True)
    assert len(calls) > 100
    assert len(boxes(picture, "k-context thin plain")) >= 240
    assert len(picture.html()) < 120_000


@pytest.mark.parametrize(("mode", "listed"), [("accumulate", True), ("tree_summarize", False)])
def test_answers_are_a_list_only_where_the_mode_lists_them(mode, listed):
    """A tree whose plan or run stops after its first level looks like a fan, and is none."""
    calls, setup = fan()
    picture = flow_picture(calls, replace(setup, mode=mode), 880)
    assert ("3 answers\nin a list" in words(picture)) is listed


@pytest.mark.parametrize("planned_only", [True, False])
def test_calls_without_chunks_can_be_seen(planned_only):
    for chunks in ([], chunks_of(10, 10)):
        picture = flow_picture([planned(1, 0)], setup_of(chunks), 880, planned=planned_only)
        [call] = [box for box in picture.boxes if box.click == ("call", 1)]
        assert call.end - call.start > 40


def test_a_narrow_flow_has_no_words_beside_it_and_a_small_one_none_at_all():
    beside = [text for text in flow_picture(*fan(), 880).texts if text.x == 0]
    assert [text.plain for text in beside[:1]] == ["3 chunks\n60 tokens"]
    assert not [text for text in flow_picture(*fan(), 330).texts if text.anchor == "end"]
    small = flow_picture(*fan(), 330, height=130, small=True)
    assert (small.height, words(small)) == (130, [])
    assert clicks(small) == clicks(flow_picture(*fan(), 330))


TEXT = "The pool of connections was too small, so requests waited until they timed out. "


@pytest.mark.parametrize("mode", list(MODES))
@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
def test_every_mode_of_the_engine_has_a_tidy_flow(mode, behaviour):
    llm = FunctionLLM(lambda prompt: "Too few connections.", context_window=900, num_output=60)
    asked = get_response_synthesizer(response_mode=mode, llm=llm, behaviour=behaviour)
    chunks = [TEXT * (3 + number % 5) for number in range(24)]
    plan = asked.plan("What was too small?", chunks)
    assert_tidy(scene_of(plan.calls, plan.setup))
    picture = flow_picture(plan.calls, plan.setup, 880, planned=True)
    assert sum(kind == "call" for kind, _ in clicks(picture)) == plan.call_count


COUNTS = st.one_of(st.sampled_from([1, 2, 12, 20, 200]), st.integers(1, 210))
SIZES = st.tuples(COUNTS, st.randoms(use_true_random=False)).map(
    lambda drawn: [drawn[1].choice((1, 5, 40, 300)) for _ in range(drawn[0])]
)


def made_or_planned(shape, sizes, each, make):
    """Calls of `each` chunks of these sizes, in a chain, a fan or a tree."""
    setup = setup_of(chunks_of(*sizes))
    if shape == "tree":
        return tree_of(setup.chunks, max(each, 2)), setup
    texts = [chunk(text, number) for number, text in enumerate(setup.chunks, 1)]
    calls = []
    for number, at in enumerate(range(0, len(texts), each), 1):
        before = [answer(number - 1)] if shape == "chain" and number > 1 else []
        depth = number - 1 if shape == "chain" else 0
        calls.append(make(number, depth, *texts[at : at + each], *before))
    return calls, setup


@settings(deadline=None)
@given(
    st.sampled_from(["chain", "fan", "tree"]),
    SIZES,
    st.integers(1, 9),
    st.sampled_from([made, planned]),
    st.integers(320, 1100),
)
@example("fan", [1, 1, 1, 40, 40], 2, planned, 380)  # the first call is at the edge
def test_boxes_and_words_are_apart(shape, sizes, each, make, width):
    calls, setup = made_or_planned(shape, sizes, each, make)
    assert_tidy(scene_of(calls, setup))
    planned_only = shape == "tree" or make is planned
    end = 1 + len(sizes) % len(calls)
    mark = flow.Mark("the seal", frozenset({1}), frozenset({1, end}), end, "lost here")
    for marked in (None, mark):
        picture = flow_picture(calls, setup, width, planned=planned_only, mark=marked)
        assert collisions(picture) == []
