"""Every number that the pages say, in random workspaces, before a run and after it.

Compare, opened traces and Learn have such tests of their own (`tests/ui/test_compare_analysis.py`,
`tests/traces/test_applications.py`, `tests/ui/test_lessons.py`). For 200 workspaces:

    pytest tests/ui/sentences --hypothesis-profile=deep -o faulthandler_timeout=0

They take longer than the ten minutes after which a test is otherwise ended.
"""

from collections import defaultdict

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.registry import MODES
from synth.quality.samples import SAMPLES
from synth.runs.trace import Plan
from tests.examples import examples
from tests.ui.page import Playground
from tests.ui.sentences.readings import claims
from tests.ui.sentences.said import PAGES, said
from tests.ui.sentences.source import Source

pytestmark = pytest.mark.slow

SENT = examples(4)
MOST_CHUNKS = {"documented": 5, "llama_index": 2}
"""The time of a test grows with the chunks, most under llama_index."""


@st.composite
def workspaces(draw) -> dict[str, object]:
    """The settings of a workspace: a sample, or some of its chunks, and limits around it."""
    sample = draw(st.sampled_from(SAMPLES))
    behaviour = draw(st.sampled_from(("documented", "documented", "llama_index")))
    count = draw(st.integers(1, MOST_CHUNKS[behaviour]))
    return {
        "query_str": sample.question,
        "chunks": draw(st.permutations(sample.chunks))[:count],
        "mode": draw(st.sampled_from(sorted(MODES))),
        "behaviour": behaviour,
        "context_window": draw(st.integers(200, 3_000)),
        "num_output": draw(st.integers(8, 160)),
        "chunk_overlap_ratio": draw(st.sampled_from((0.0, 0.1, 0.5))),
        "chunk_size_limit": draw(st.none() | st.integers(60, 500)),
        "response_padding_size": draw(st.none() | st.integers(0, 200)),
        "tokenizer": draw(st.sampled_from(("cl100k_base", "o200k_base"))),
        "selection": draw(st.sampled_from(("all", "top"))),
        "similarity_top_k": draw(st.integers(1, 12)),
    }


def check(page: Playground, plans: dict[object, Plan]) -> None:
    """Each number has a source, is the number of it, and is the same wherever it is said."""
    source = Source(page.settings, page.job.trace if page.job else None, plans)
    found = [claim for name in PAGES for one in said(name, page) for claim in claims(source, one)]
    assert not [claim for claim in found if claim.quantity is None and claim.number is not None]
    claimed = [claim for claim in found if claim.quantity is not None]
    numbers = defaultdict(set)
    for claim in claimed:
        numbers[claim.quantity].add(claim.number)
    assert not [several for several in numbers.items() if len(several[1]) > 1]
    for claim in claimed:
        assert claim.quantity is not None
        assert claim.number == source.value(claim.quantity), claim


@SENT
@given(workspaces())
def test_each_number_is_what_it_speaks_of_on_every_page(settings):
    page, plans = Playground(**settings), {}
    check(page, plans)
    page.script = None
    if page.open().can_run:
        check(page.finish(), plans)
