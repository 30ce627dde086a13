"""What LlamaIndex itself would do: its calls beside ours, and its tokens or its refusal."""

import pytest

from tests.ui.page import Playground

LONG = " ".join(f"word{number}" for number in range(400))
PACKED = {"mode": "compact", "context_window": 1024, "chunks": (LONG,)}
TREE = {"mode": "tree_summarize", "context_window": 300, "num_output": 120, "chunks": (LONG,) * 3}


def asked(**settings):
    return Playground(**{"num_output": 100, "query_str": "What happened?", **settings})


@pytest.mark.parametrize(
    ("settings", "head", "why"),
    [
        (PACKED, "LlamaIndex itself would make 3 calls here, not 1.", " prompt tokens in all, "),
        (
            {"mode": "simple_summarize", "chunks": (LONG,)},
            "LlamaIndex itself would make 1 call here too, with other prompts.",
            " prompt tokens in all, against ",
        ),
        (
            {"chunks": ()},
            "LlamaIndex itself would make 1 call here, not 0.",
            " prompt tokens in all, against 0.",
        ),
        (
            PACKED | {"context_window": 600},
            "LlamaIndex itself would refuse this.",
            "safety margin (padding) 500",
        ),
        (TREE, " calls or more here.", ""),
    ],
)
def test_its_calls_are_said_with_its_tokens_or_its_refusal(settings, head, why):
    text = asked(**settings).text
    assert "<b>LlamaIndex itself would " in text
    assert head in text
    assert why in text


@pytest.mark.parametrize("mode", ["compact", "accumulate", "no_text"])
def test_where_both_would_send_the_same_nothing_is_said(mode):
    assert (
        "LlamaIndex itself" not in asked(mode=mode, context_window=2000, chunks=("one", "two")).text
    )


@pytest.mark.slow
def test_a_plan_that_stops_at_its_first_level_says_so():
    page = asked(**TREE | {"num_output": 125, "chunk_overlap_ratio": 0.5})
    assert "<b>44 calls</b> with short answers and <b>stop early</b> with long ones: " in page.text
    assert "With answers of 125 tokens this plan stops early." in page.text
