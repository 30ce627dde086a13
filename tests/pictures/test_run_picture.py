"""What the pictures of a run and of its coverage show is what the run is, in HTML and as a sign."""

import re
from itertools import pairwise
from xml.etree import ElementTree as ET

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.pictures.bar_parts import call_bars
from synth.pictures.coverage_picture import draw_coverage
from synth.pictures.placement import CARD, COLUMN, PAGE, STRIP, Mark
from synth.pictures.run_picture import MOST_BARS, draw_run
from synth.pictures.scene import Box, Label, Path, RowName, Scene
from synth.pictures.scene_writer import HATCHES, ROOM, STYLES, scene_html, shapes_svg, sign_svg
from synth.runs.coverage import coverage
from synth.text.wording import Bold
from tests.pictures.scenes import CHUNKS, MODES, bands, boxes, planned, ran
from tests.ui.sample_calls import chunk, chunks_of, setup_of
from tests.ui.sample_calls import planned as planned_call

WINDOWS = st.integers(260, 1_600)


@given(mode=st.sampled_from(MODES), window=WINDOWS, num_output=st.integers(1, 120))
def test_the_parts_of_a_bar_fill_its_window(mode, window, num_output):
    plan = planned(mode, window, num_output)
    for bar in call_bars(plan.calls, plan.setup):
        assert bar.parts[0].start == 0
        for left, right in pairwise(bar.parts):
            assert left.end == pytest.approx(right.start)
        assert bar.parts[-1].end == pytest.approx(max(window, bar.needed))
        assert bar.needed == pytest.approx(bar.call.prompt_tokens + num_output)
        for kind in ("context", "answer", "query"):
            drawn = sum(part.end - part.start for part in bar.parts if part.kind == kind)
            assert drawn == pytest.approx(bar.budget.tokens(kind))


@given(mode=st.sampled_from(MODES), window=WINDOWS, size=st.sampled_from([PAGE, COLUMN, CARD]))
def test_all_stands_within_the_picture_and_calls_side_by_side(mode, window, size):
    scene = draw_run(planned(mode, window), size=size)
    for box in boxes(scene):
        assert -0.01 <= box.left <= box.right <= 100.01
        assert 0 <= box.top <= box.top + box.height <= scene.height
    rows = {}
    for box in boxes(scene, "window"):
        rows.setdefault(box.top, []).append(box)
    for row in rows.values():
        for left, right in pairwise(sorted(row)):
            assert left.right <= right.left + 0.01


@pytest.mark.parametrize("mode", MODES)
def test_a_ribbon_leads_from_its_stretch_of_a_chunk_to_its_part_of_the_call(mode):
    plan = planned(mode, 700)
    scene, calls = draw_run(plan), {call.number: call for call in plan.calls}
    ribbons = bands(scene, "context")
    origins = [one for call in calls.values() for one in call.origins if one.kind == "chunk"]
    assert len(ribbons) == len(origins)
    chunks = [box for box in boxes(scene) if box.target and box.target[0] == "chunk"]
    for band in ribbons:
        assert any(
            box.left - 0.01 <= band.begin[0] and band.begin[1] <= box.right + 0.01 for box in chunks
        ) or any(box.kind == "twice" for box in chunks)
        parts = [box for box in boxes(scene, "context") if box.target == band.target]
        assert any(
            box.left == pytest.approx(band.end[0]) and box.right == pytest.approx(band.end[1])
            for box in parts
        )


def test_an_answer_leads_to_the_call_that_reads_it_and_the_last_one_leaves():
    chain = draw_run(ran("refine", 700))
    arcs = [band for band in bands(chain, "answer") if band.rise]
    assert len(arcs) == len(CHUNKS) - 1
    [out] = [band for band in bands(chain, "answer") if "out" in band.style]
    assert out.begin == out.end
    tree = draw_run(ran("tree_summarize", 420))
    assert not any(band.rise for band in bands(tree, "answer"))
    each = draw_run(ran("accumulate", 700))
    assert len(bands(each, "answer")) == len(CHUNKS)


def test_what_was_cut_off_lies_lower_on_the_scale_of_the_call():
    plan = planned("simple_summarize", 400)
    scene = draw_run(plan)
    [call] = boxes(scene, "window")
    lost, sent = boxes(scene, "lost"), [box for box in boxes(scene, "context") if not box.text]
    scale = (call.right - call.left) / 400
    tokens = sum(box.right - box.left for box in lost) / scale
    assert tokens == pytest.approx(plan.lost_tokens, abs=len(lost) + 2)
    assert {box.top for box in lost}.isdisjoint({box.top for box in boxes(scene, "context")})
    assert min(box.left for box in lost) == pytest.approx(max(box.right for box in sent), abs=0.5)
    assert f"{plan.lost_tokens:,} tokens cut off" in texts(scene)


def texts(scene):
    """All wordings of a scene."""
    return " ".join("".join(words) for label in scene.labels for words in label.wordings)


def test_a_text_is_there_once_however_many_boxes_show_it():
    scene = draw_run(planned("tree_summarize", 420))
    hashes = [box.text for box in boxes(scene) if box.text]
    assert set(hashes) == set(scene.texts)
    assert len(scene.texts) == len(CHUNKS)
    beginnings = {chunk[:60] for chunk in CHUNKS}
    assert {text[:60] for text in scene.texts.values()} == beginnings


def test_a_followed_fact_is_lit_from_its_chunk_to_where_it_was_lost():
    run = ran("refine", 700)
    mark = Mark("the pool", frozenset({2}), frozenset({2, 3, 4}), 4, "lost here")
    scene = draw_run(run, mark=mark)
    lit = {box.target for box in boxes(scene) if "lit" in box.style}
    assert ("chunk", 2) in lit
    assert {target for target in lit if target[0] == "chunk"} == {("chunk", 2)}
    assert {band.target for band in bands(scene) if band.style == "lit"} == {
        ("call", 2),
        ("call", 3),
        ("call", 4),
    }
    assert "lost here" in texts(scene)
    assert "“the pool”" in texts(scene)
    assert scene.alt.endswith(" “the pool”, chunk 2, lost here.")


def test_a_selected_call_lights_all_that_it_read():
    run = ran("tree_summarize", 420)
    root = run.calls[-1].number
    scene = draw_run(run, selected=root)
    assert not any("dim" in box.style for box in boxes(scene))
    first = draw_run(run, selected=1)
    assert any("dim" in box.style for box in boxes(first))


@pytest.mark.parametrize("mode", ["refine", "accumulate", "tree_summarize"])
def test_any_call_of_many_can_be_selected_and_all_are_counted(mode):
    chunks = [f"Part {number}. The pool held {number} links. " * 8 for number in range(60)]
    run = ran(mode, 420, chunks=chunks)
    assert len(run.calls) > MOST_BARS
    for call in run.calls:
        scene = draw_run(run, selected=call.number, size=STRIP)
        assert scene.alt.startswith(f"60 chunks went into {len(run.calls)} calls")
        assert any(
            box.target == ("call", call.number) and "dim" not in box.style for box in boxes(scene)
        )


def test_each_state_of_a_call_has_its_sign():
    plan = planned("refine", 700)
    begun = ran("refine", 700).calls[:2]
    scene = draw_run(plan, begun, states={3: "running", 4: "failed", 5: "waiting"})
    styles = {box.target[1]: box.style for box in boxes(scene, "window")}
    assert styles[1] == styles[2] == "done"
    assert [styles[number] for number in (3, 4, 5, 6)] == [
        "running",
        "failed",
        "waiting",
        "planned",
    ]
    assert [box.target for box in boxes(scene, "failed")] == [("call", 4)]
    assert "≤ 60" in texts(scene)


def test_a_chunk_that_only_waiting_calls_carry_is_not_sent_yet():
    begun = ran("refine", 700).calls[:2]
    scene = draw_run(planned("refine", 700), begun)
    says = {box.target[1]: box.says for box in boxes(scene, "context") if box.text}
    assert [number for number, words in says.items() if "not sent yet" in words] == [3, 4, 5, 6]


def test_more_calls_than_bars_are_an_overview_with_some_under_a_lens():
    many = [f"{chunk} {number}" for number in range(8) for chunk in CHUNKS]
    plan = planned("refine", 700, chunks=many)
    assert len(plan.calls) > MOST_BARS
    scene = draw_run(plan)
    assert [box.target[1] for box in boxes(scene, "clear")] == [*range(1, len(many) + 1)]
    assert [box.target[1] for box in boxes(scene, "window")] == [1, 2, 3, 4]
    assert [box.target[1] for box in boxes(draw_run(plan, first=30), "window")] == [30, 31, 32, 33]
    mark = Mark("x", frozenset({9}), frozenset({9, 10, 11, 12, 13}), 13, "lost here")
    lens = [box.target[1] for box in boxes(draw_run(plan, mark=mark), "window")]
    assert lens == [10, 11, 12, 13]
    assert not boxes(draw_run(plan, size=CARD), "window")
    heights = [shape for shape in scene.shapes if isinstance(shape, Path) and "area" in shape.kind]
    assert {path.kind.split()[1] for path in heights} >= {"k-context", "k-query", "k-reserved"}


def test_a_picture_says_in_a_sentence_what_it_shows():
    assert draw_run(planned("refine", 700)).alt == "6 chunks would go into 6 calls in a chain."
    assert " in 2 levels." in draw_run(ran("tree_summarize", 420)).alt


@pytest.fixture
def partly():
    """Chunk 1 sent whole and its second half twice; of chunk 2 the first half; of 3 nothing."""
    setup = setup_of(chunks_of(10, 20, 30))
    first, second = chunk(setup.chunks[0], 1), chunk(setup.chunks[1], 2)
    half = len(first) // 2 + 1
    calls = [
        planned_call(1, 0, first, second.slice(0, len(second) // 2)),
        planned_call(2, 0, first.slice(half, len(first))),
    ]
    return coverage(setup, calls)


def test_stretches_add_up_to_the_chunks_on_one_scale(partly):
    drawn = boxes(draw_coverage(partly))
    kinds = [[box.kind for box in drawn if box.target == ("chunk", at)] for at in (1, 2, 3)]
    assert kinds == [["context", "twice"], ["context", "lost"], ["lost"]]
    ends = [max(box.right for box in drawn if box.target == ("chunk", at)) for at in (1, 2, 3)]
    assert ends[1] / ends[2] == pytest.approx(partly[1].tokens / partly[2].tokens)
    assert [box.left for box in drawn if box.left == 0] == [0, 0, 0]


def test_words_say_what_is_missing_of_which_chunk(partly):
    scene = draw_coverage(partly)
    words = ["".join(label.wordings[0]) for label in scene.labels]
    lost = partly[1].lost_tokens
    assert words[1] == f"cut off {lost} of {partly[1].tokens}"
    assert "twice" in words[0]
    total = sum(one.tokens for one in partly)
    assert scene.alt == f"3 chunks of {total} tokens, {lost + partly[2].tokens} cut off."


def test_thousands_of_chunks_have_a_few_names(partly):
    scene = draw_coverage(partly * 700)
    assert scene.height <= 3 * 2_100
    assert len(scene.rows) <= 2_100 / 4
    assert not scene.labels


HOSTILE = '<img src=x onerror="alert(1)">&"'


@pytest.mark.parametrize("mode", MODES)
def test_each_shape_is_drawn_and_only_a_page_has_handles(mode):
    scene = draw_run(ran(mode, 700))
    shapes, figure = shapes_svg(scene), scene_html(scene)
    assert shapes in figure
    assert 'class="handle ' not in figure
    assert 'class="handle window"' in scene_html(scene, touched=True)
    for document in (figure.replace("<br/>", "\n"), sign_svg(scene, "", 100)):
        ET.fromstring(document)
    assert shapes.count("<rect") == sum(isinstance(shape, Box) for shape in scene.shapes)


def test_across_all_is_in_per_cent():
    shapes = shapes_svg(draw_run(planned("compact", 700)))
    rects = re.findall(r'<rect [^>]*?x="([^"]+)"[^>]*?width="([^"]+)"', shapes)
    assert rects
    assert all(value.endswith("%") for pair in rects for value in pair)


def test_each_class_of_a_picture_has_a_rule_and_each_hatch_a_pattern():
    scenes = [draw_run(run(mode, 500)) for mode in MODES for run in (planned, ran)]
    classes = {
        name
        for scene in scenes
        for kinds in re.findall(r'class="([^"]+)"', scene_html(scene, touched=True))
        for name in kinds.split()
    }
    plain = {"done", "out", "scene", "drawing", "middle", "window"}
    unruled = {name for name in classes - plain if f".{name}" not in STYLES + ROOM}
    assert not {name for name in unruled if not name.startswith("on-")}
    patterns = {*re.findall(r'id="(hatch-\w+)"', HATCHES)}
    assert {*re.findall(r"url\(#(hatch-\w+)\)", STYLES)} == patterns


def test_text_is_never_markup():
    scene = Scene(HOSTILE, 40)
    scene.shapes.append(Box(0, 50, 0, 20, "context", says=HOSTILE, text=scene.text(HOSTILE)))
    scene.labels.append(Label(0, 100, 10, [[Bold(HOSTILE), HOSTILE]]))
    scene.rows.append(RowName(10, HOSTILE, HOSTILE))
    assert "<img" not in scene_html(scene, touched=True)
