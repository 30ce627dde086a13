"""Bad input: a message with the numbers, never a traceback, and nothing lost."""

import pytest

from synth.documents.cutting import TOKENS
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("chunks", "why"), [((), "there are no chunks"), ((" ", "\n\n"), "no chunk has any text")]
)
def test_no_chunks_and_blank_ones_cost_nothing(chunks, why):
    page = Playground(chunks=chunks)
    assert f"would make <b>no call</b>: {why}." in page.text
    assert f"made <b>no call</b>: {why}." in page.finish().text
    assert "Empty Response" in page.text


def test_a_cut_into_too_many_chunks_loses_nothing_and_can_be_made_coarser():
    page = Playground(chunks=("one",)).paste("The pump failed at noon.\n\n" * 42_000)
    assert "That would be 42,000 chunks; at most 2,000 can be used at once." in page.text
    assert page.chunks == ("one",)
    assert 1_000 < len(page.enter("separator", TOKENS).press("use_text").chunks) <= 2_000


DRAWN = {"calls": "call_bar", "picture": "picture", "coverage": "coverage", "steps": "opened_call"}
"""The views of a run, and the key of a figure in each."""


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("שלום \u202eevil\u202c עולם a\x00b", "שלום ⟨U+202E⟩evil⟨U+202C⟩ עולם a⟨U+0000⟩b"),
        ("half \ud83d", "half ⟨U+D83D⟩"),
    ],
)
def test_any_text_at_all(text, shown):
    page = Playground(chunks=(text,) * 3, query_str=text if "\ud83d" not in text else "half?")
    for view in ("calls", "coverage"):
        assert DRAWN[view] in page.set(plan_view=view).keys
        assert shown in page.text
    page.finish()
    assert shown in page.text
    for view, figure in DRAWN.items():
        assert figure in page.set(view=view).keys
        assert shown in page.text
        assert "\u202e" not in page.text


def test_a_model_that_never_shrinks():
    with FakeOpenAI(Answer("word " * 300)) as server:
        page = endpoint(server, mode="tree_summarize", context_window=500, num_output=100).finish()
    assert "The run failed." in page.text
    assert page.job.trace.error_kind == "NotShrinking"
    assert "resume" not in [button.key for button in page.at.button]
