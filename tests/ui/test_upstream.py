"""What llama-index-core would do: its calls where they differ from ours, or its refusal."""

import pytest

from tests.ui.page import Playground

LONG = " ".join(f"word{number}" for number in range(400))
PACKED = {"mode": "compact", "context_window": 1024, "chunks": (LONG,)}
TREE = {"mode": "tree_summarize", "context_window": 300, "num_output": 120, "chunks": (LONG,) * 3}


def asked(**settings):
    return Playground(**{"num_output": 100, "query_str": "What happened?", **settings})


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        (PACKED, ": 3 calls"),
        ({"mode": "simple_summarize", "chunks": (LONG,)}, ""),
        ({"chunks": ()}, ": 1 call"),
        (PACKED | {"context_window": 600}, ": refuses it"),
        (TREE, ": no end"),
        ({"mode": "no_text", "context_window": 2000, "chunks": ("one", "two")}, ""),
    ],
)
def test_the_behaviour_that_is_not_chosen_says_its_calls_where_they_differ(settings, difference):
    _, other = asked(**settings).find("behaviour").options
    assert other == f"as llama-index-core{difference}"


@pytest.mark.slow
def test_a_plan_that_stops_at_its_first_level_says_so():
    page = asked(**TREE | {"num_output": 125, "chunk_overlap_ratio": 0.5})
    assert "would make <b>44 calls</b>, or <b>stop early</b> with long answers." in page.text
    assert "With answers of 125 tokens this plan stops early." in page.text
