"""The chain of steps: what stands below the line, what above it, and what fits on it."""

import pytest

from synth import get_response_synthesizer
from synth.errors import ModelError
from synth.llms import FunctionLLM
from synth.walk import steps_of
from tests.ui.plotly_figures import checked, light, rectangles
from tests.ui.sample_calls import scripted
from ui.figures import steps as figures
from ui.figures.steps import step_columns, steps_alt

steps_figure = checked(figures.steps_figure)

ANSWERS = [
    "one two three",
    "one two three four five",
    "one two six",
    "The original answer remains.",
]


def chain(replies=ANSWERS, size=20, **options):
    """The steps of refine, with these replies; None fails."""
    llm = scripted(replies, 4_000)
    asked = get_response_synthesizer(response_mode="refine", llm=llm, **options)
    chunks = [" ".join([f"word{at}"] * size) for at in range(len(replies))]
    try:
        return steps_of(asked.run("What happened?", chunks))
    except ModelError as failure:
        return steps_of(failure.trace)


def long_chain(count):
    return chain([f"one two {'three ' * (at % 7)}" for at in range(count)], size=3)


def bars(figure):
    return [trace for trace in figure.data if trace.type == "bar"]


def words(figure):
    texts = [trace for trace in figure.data if trace.type == "scatter" and trace.text]
    return [dict(zip(trace.x, trace.text, strict=True)) for trace in texts]


def heights(figure):
    """Of each step: how far it reaches below the line, words kept, words added."""
    found = {}
    for trace in bars(figure):
        for x, y in zip(trace.x, trace.y, strict=True):
            role = "chunk" if y < 0 else "kept" if trace.base is None else "added"
            found.setdefault(x, {})[role] = y
    return found


def test_answers_stand_on_the_line_and_chunks_below_it():
    steps = chain()
    found = heights(steps_figure(steps))
    assert [(one["kept"], one["added"]) for one in found.values()] == [
        (0, 3),
        (3, 2),
        (2, 1),
        (0, 4),
    ]
    assert [found[step.number]["kept"] for step in steps] == [step.diff.kept for step in steps]
    tallest = max(steps, key=lambda step: step.tokens)
    assert min(one["chunk"] for one in found.values()) == found[tallest.number]["chunk"]


def test_kept_words_are_hatched_and_added_ones_plain():
    kept, added = [trace for trace in bars(steps_figure(chain())) if trace.y[0] >= 0]
    assert (kept.marker.pattern.shape, added.marker.pattern.shape) == ("/", None)
    assert list(added.base) == list(kept.y)


def test_labels_say_what_was_added_dropped_and_lost():
    above, inside = words(steps_figure(chain()))
    assert above == {1: "+3", 2: "+2", 3: "+1<br>−3", 4: "<b>lost</b><br>+4<br>−3"}
    assert [text.split("<br>")[0] for text in inside.values()] == [f"<b>{at}</b>" for at in "1234"]


def test_a_step_that_changes_nothing_says_so():
    above, _ = words(steps_figure(chain(["one two", "one two"])))
    assert above[2] == "="


def test_filtered_and_failed_steps_are_told_without_colour():
    replies = [
        '{"query_satisfied": true, "answer": "one two"}',
        '{"query_satisfied": false, "answer": ""}',
    ]
    steps = chain([*replies, None], structured_answer_filtering=True)
    above, _ = words(steps_figure(steps))
    assert (above[2], above[3]) == ("<b>filtered</b>", "<b>failed</b>")


def test_the_current_step_has_a_frame_and_later_ones_are_pale():
    figure = steps_figure(chain(), current=2)
    [around] = rectangles(figure)
    assert around.x0 < 2 < around.x1
    assert (around.line.color, around.line.width) == (light("ink"), 2)
    solid = {
        x
        for trace in bars(figure)
        if trace.marker.color == light("context") and trace.opacity is None
        for x in trace.x
    }
    assert solid == {1, 2}
    assert not rectangles(steps_figure(chain()))


def test_every_bar_can_be_clicked():
    figure = steps_figure(chain(), current=1)
    clicked = {tuple(data) for trace in bars(figure) for data in trace.customdata}
    assert clicked == {("step", number) for number in (1, 2, 3, 4)}


@pytest.mark.parametrize("width", [620, 880])
@pytest.mark.parametrize("count", [1, 9, 14, 30, 60])
def test_labels_do_not_run_into_one_another(count, width):
    figure = steps_figure(long_chain(count), width, current=count)
    column = (width - 124) / count
    above, *inside = words(figure)
    texts = [text for labels in inside for text in labels.values()]
    for text in (*texts, *(text for at, text in above.items() if at != count)):
        longest = max(
            len(line.replace("<b>", "").replace("</b>", "")) for line in text.split("<br>")
        )
        assert longest * 6 <= column + 2
    ticks = figure.layout.xaxis.ticktext
    assert len(ticks) * max(map(len, ticks)) * 6 <= width


def test_two_steps_are_no_wider_than_a_column_needs():
    figure = steps_figure(chain(["one", "two"]), 1100)
    start, end = figure.layout.xaxis.range
    assert (1100 - 124) / (end - start) == pytest.approx(160)
    few, many = (step_columns(chain(ANSWERS[:2] * count), 1100) for count in (1, 6))
    assert few.ends == pytest.approx((0.6 * 160 / 976, 1.6 * 160 / 976))
    assert many.ends == pytest.approx((0.6 / 12.2, 11.6 / 12.2))


@pytest.mark.parametrize("height", [210, 310])
def test_the_frame_of_a_step_and_its_label_are_within_the_figure(height):
    steps = chain()
    figure = steps_figure(steps, 880, current=4, height=height)
    bottom, top = figure.layout.yaxis.range
    [around] = rectangles(figure)
    assert bottom < around.y0 < 0 < steps[3].diff.added < around.y1 < top
    pixel = (top - bottom) / (height - 34)
    assert top - steps[1].diff.kept - steps[1].diff.added >= 3 * 15 * pixel


def test_a_chunk_without_room_for_its_tokens_still_has_its_name():
    llm = scripted(["one two", "one two"], 4_000)
    asked = get_response_synthesizer(response_mode="refine", llm=llm)
    steps = steps_of(asked.run("Why?", ["word " * 60, "word " * 40]))
    _, inside = words(steps_figure(steps, height=210))
    assert inside[1].startswith("<b>1</b><br>")
    assert inside[2] == "<b>2</b>"


def test_many_steps_are_thin_columns_without_labels():
    figure = steps_figure(long_chain(90), current=40)
    above, *_ = words(figure)
    assert [at for at, text in above.items() if text[0] in "+−="] == [40]
    assert not any(trace.marker.pattern.shape for trace in bars(figure))
    assert "stronger: kept" in figure.layout.annotations[0].text
    assert len(figure.layout.annotations) == 2


def test_words_that_do_not_fit_are_signs_with_a_key():
    steps = chain(["one two three four", ""] * 20)
    figure = steps_figure(steps)
    assert words(figure)[0][2] == "<b>↓</b>"
    assert figure.layout.annotations[0].text.endswith("<br>↓ lost")
    assert "↓" not in steps_figure(chain()).layout.annotations[0].text


def test_a_chain_without_chunks_can_be_drawn():
    llm = FunctionLLM(lambda prompt: "one two")
    asked = get_response_synthesizer(response_mode="generation", llm=llm)
    figure = steps_figure(steps_of(asked.run("Why?", [])), current=1)
    assert words(figure)[0] == {1: "+2"}


def test_the_chain_is_told_in_a_sentence():
    assert steps_alt(chain(), 2) == (
        "Steps: the answer goes from 3 to 4 words in 4 steps; an answer is lost in step 4;"
        " step 2 is shown."
    )
    assert steps_alt(chain(["one"])) == "Steps: the answer goes from 1 to 1 words in 1 step."
