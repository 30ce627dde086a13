"""No words of a figure lie on each other or leave it, however many chunks and at any width."""

from hypothesis import given
from hypothesis import strategies as st

from tests.ui.sample_calls import answer, chunk, chunks_of, made, planned, setup_of, tree_of
from tests.ui.text_boxes import collisions
from ui.figures import flow_figure
from ui.look.theme import LIGHT

WIDTHS = st.integers(380, 1100)
COUNTS = st.one_of(st.sampled_from([1, 2, 12, 20, 200]), st.integers(1, 210))


@st.composite
def flows(draw):
    """Calls of a chain, a fan or a tree, their setup, and whether they are planned."""
    count, size = draw(COUNTS), draw(st.sampled_from([1, 9, 40]))
    sizes = draw(st.lists(st.integers(1, size), min_size=count, max_size=count))
    setup = setup_of(chunks_of(*sizes))
    texts = [chunk(text, number) for number, text in enumerate(setup.chunks, 1)]
    shape, make = draw(st.sampled_from(["chain", "fan", "tree"])), planned
    if shape == "tree":
        return tree_of(setup.chunks, draw(st.integers(2, 9))), setup, True
    if is_run := draw(st.booleans()):
        make = made
    each = draw(st.integers(1, 6))  # chunks to a call
    calls = []
    for number, at in enumerate(range(0, count, each), 1):
        before = [answer(number - 1)] if shape == "chain" and number > 1 else []
        depth = number - 1 if shape == "chain" else 0
        calls.append(make(number, depth, *texts[at : at + each], *before))
    return calls, setup, not is_run


@given(flows(), WIDTHS)
def test_the_words_of_a_flow_are_apart(flow, width):
    calls, setup, is_plan = flow
    figure = flow_figure(calls, setup, LIGHT, width=width, planned=is_plan)
    assert collisions(figure, width) == []
