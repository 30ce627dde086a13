"""No words of a figure lie on each other or leave it, however many chunks and at any width."""

from typing import NamedTuple

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.ui.sample_calls import answer, chunk, chunks_of, made, planned, setup_of, tree_of
from tests.ui.text_boxes import collisions
from ui.figures import flow_figure

WIDTHS = st.integers(380, 1100)
COUNTS = st.one_of(st.sampled_from([1, 2, 12, 20, 200]), st.integers(1, 210))


class Flow(NamedTuple):
    """Calls of `each` chunks of these sizes, in a chain, a fan or a tree; answered or planned."""

    shape: str
    sizes: list[int]
    each: int
    answered: bool

    def calls(self):
        """The calls, and their setup."""
        setup = setup_of(chunks_of(*self.sizes))
        if self.shape == "tree":
            return tree_of(setup.chunks, self.each), setup
        texts = [chunk(text, number) for number, text in enumerate(setup.chunks, 1)]
        make, chain, calls = made if self.answered else planned, self.shape == "chain", []
        for number, at in enumerate(range(0, len(texts), self.each), 1):
            before = [answer(number - 1)] if chain and number > 1 else []
            depth = number - 1 if chain else 0
            calls.append(make(number, depth, *texts[at : at + self.each], *before))
        return calls, setup


SIZES = st.tuples(COUNTS, st.randoms(use_true_random=False)).map(
    lambda drawn: [drawn[1].choice((1, 5, 40)) for _ in range(drawn[0])]
)
FLOWS = st.builds(
    Flow, st.sampled_from(["chain", "fan", "tree"]), SIZES, st.integers(2, 9), st.booleans()
) | st.builds(Flow, st.sampled_from(["chain", "fan"]), SIZES, st.just(1), st.booleans())


@settings(deadline=None)
@given(FLOWS, WIDTHS)
@example(Flow("fan", [1, 1, 1, 40, 40], 2, False), 380)  # the first call is at the edge
def test_the_words_of_a_flow_are_apart(flow, width):
    calls, setup = flow.calls()
    planned_tree = flow.shape == "tree" or not flow.answered
    figure = flow_figure(calls, setup, width=width, planned=planned_tree)
    assert collisions(figure, width) == []
