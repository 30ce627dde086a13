"""What LlamaIndex itself would do: both counts, the quirk that shows, and where it is reported."""

import pytest

from tests.ui.page import Playground

LONG = " ".join(f"word{number}" for number in range(400))
ISSUES = "https://github.com/run-llama/llama_index"
REPORTED = {
    "splits again in reverse order": "/issues/23155",
    "as a Python list": "/pull/22392",
    "LlamaIndex sets no limit": "/issues/6976",
}
PACKED = {"mode": "compact", "context_window": 1024, "chunks": (LONG,)}
TREE = {"mode": "tree_summarize", "context_window": 300, "num_output": 120, "chunks": (LONG,) * 3}
FULL = {
    "mode": "refine",
    "context_window": 400,
    "num_output": 60,
    "response_padding_size": 5,
    "chunks": (LONG, LONG),
}
LONGER_IN_CHARACTERS = {  # and shorter in tokens, which is what counts
    "text_qa_template": "{context_str} {query_str}" + " x" * 60,
    "refine_template": "{context_msg} {query_str} {existing_answer}" + "=" * 200,
}
TONE = {
    "mode": "accumulate",
    "context_window": 1000,
    "chunks": (LONG,),
    "text_qa_template": "{context_str} {query_str} {tone}",
    "variables.tone": "soft " * 150,
}


def asked(**settings):
    return Playground(**{"num_output": 100, "query_str": "What happened?", **settings})


def links(page):
    return [one.proto.url for one in page.at.get("link_button")]


@pytest.mark.parametrize(
    ("settings", "head", "why"),
    [
        (
            PACKED,
            "LlamaIndex itself would make 3 calls here, not 1.",
            "It keeps a safety margin of 500 tokens, and this plan keeps none.",
        ),
        (
            PACKED | {"response_padding_size": 100} | LONGER_IN_CHARACTERS,
            "LlamaIndex itself would make 1 call here, not 2.",
            "It cuts the chunks at other places: ",
        ),
        (
            PACKED | {"mode": "refine", "response_padding_size": 100},
            "LlamaIndex itself would make 2 calls here too, with other prompts.",
            "It packs as if the question had no tokens.",
        ),
        (
            PACKED | {"mode": "refine", "context_window": 1600, "query_str": "Why? " * 450},
            "LlamaIndex itself would make 1 call here, not 2.",
            "tokens of 1,600: it keeps no room for the question.",
        ),
        (
            TONE,
            "LlamaIndex itself would make 1 call here, not 2.",
            "Call 1 needs 1,054 tokens of 1,000: it keeps no room for your variables.",
        ),
        (
            FULL,
            "LlamaIndex itself would make 13 calls here, not 9.",
            "It sends chunk pieces that it splits again in reverse order.",
        ),
        (
            {"mode": "simple_summarize", "chunks": (LONG,)},
            "LlamaIndex itself would make 1 call here too, with other prompts.",
            "It sends the chunks as a Python list",
        ),
        (
            {"mode": "accumulate", "chunks": ("one", " ", "two")},
            "LlamaIndex itself would make 3 calls here, not 2.",
            "1 call would have no chunk text: it makes a call even for blank chunks, or for none.",
        ),
        (
            {"mode": "accumulate", "context_window": 300, "chunks": ("<|endoftext|> yes " * 60,)},
            "LlamaIndex itself would make 2 calls here, not 3.",
            "It counts a special token such as &lt;|endoftext|&gt; in a chunk as one token.",
        ),
        (
            {"chunks": ()},
            "LlamaIndex itself would make 1 call here, not 0.",
            "it makes a call even for blank chunks, or for none.",
        ),
        (
            PACKED | {"context_window": 600},
            "LlamaIndex itself would refuse this.",
            "safety margin (padding) 500",
        ),
        (
            TREE,
            "LlamaIndex itself would never finish here.",
            "its answers are as long as what they summarize, and LlamaIndex sets no limit.",
        ),
    ],
)
def test_the_quirk_that_shows_is_named(settings, head, why):
    page = asked(**settings)
    assert f"<b>{head}" in page.text
    assert why in page.text
    reported = [path for reason, path in REPORTED.items() if reason in why]
    assert links(page) == [f"{ISSUES}{path}" for path in reported]


@pytest.mark.slow
def test_padding_is_no_reason_where_another_one_changes_nothing():
    text = asked(mode="refine", context_window=2000, chunks=("one", " ", "two")).text
    assert "would make 3 calls here, not 2." in text
    assert "It keeps a safety margin" not in text


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
