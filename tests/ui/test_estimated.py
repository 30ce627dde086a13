"""What an estimate would have planned, beside the plan by the model's own tokenizer."""

import pytest

from synth.text.tokens import get_tokenizer
from synth.text.wording import percent
from tests.ui.page import Playground
from ui.plans.estimated import estimated
from ui.settings.chunk_list import from_texts
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

KNOWN = {"model": "endpoint", "model_name": "gpt-4o", "base_url": "http://localhost:1/v1"}
UNKNOWN = {**KNOWN, "model_name": "nobody-knows"}
CODE = "element.getElementsByTagName(name) " * 300
"""Text that has more tokens by o200k_base than by cl100k_base."""
CHINESE = "这个数据库连接池的大小被设置为八十个连接。" * 300
"""Text that has fewer."""


def request(text="", **changes):
    chunks = {"chunks": from_texts([text], "test")} if text else {}
    return Request.of(DEFAULT.with_({**KNOWN, "mode": "tree_summarize", **chunks, **changes}))


def prompts(asked, tokenizer):
    """The tokens of the prompts that wait for no answer, by a tokenizer."""
    calls = asked.synthesizer().plan(asked.query_str, asked.text_chunks).calls
    return [call.prompt.tokens(get_tokenizer(tokenizer)) for call in calls if not call.depth]


def test_a_call_that_only_the_estimate_holds_for_small_enough_is_over_the_window():
    [believed] = prompts(request(CODE, context_window=100_000), "cl100k_base")
    asked = request(CODE, context_window=believed + 200)
    found = estimated(asked)
    assert (found.calls, found.differs) == (1, True)
    assert found.ours > 1
    [(row, end)] = found.shown
    assert end == believed + asked.num_output < asked.context_window
    [weighs] = prompts(request(CODE, context_window=100_000), "model gpt-4o")
    assert row.budget.prompt == weighs
    assert (
        row.budget.over
        == weighs + asked.num_output - asked.context_window
        == found.reach - (asked.context_window)
    )
    more = percent(weighs - believed, believed)
    assert "".join(found.sentence) == (
        "An estimate would plan 1 call, and your server would refuse it or cut it. It holds"
        f" {more} more tokens than cl100k_base counts: {weighs - believed - 7:,} by the tokenizer"
        " and 7 by the chat template."
    )
    page = Playground(**KNOWN, mode="tree_summarize", chunks=[CODE], context_window=believed + 200)
    assert "An estimate would plan 1 call, and your server would refuse it" in page.text
    page.press("show_estimated")
    assert "estimated with cl100k_base" in page.text
    assert "An estimate would plan" not in page.text


def test_where_the_plans_are_alike_one_line_says_by_how_much_the_estimate_is_off():
    asked = request(mode="compact", context_window=20_000)
    found = estimated(asked)
    assert not found.differs
    [ours] = asked.synthesizer().plan(asked.query_str, asked.text_chunks).calls
    theirs = ours.prompt.tokens(get_tokenizer("cl100k_base"))
    more = ours.prompt_tokens - theirs
    assert more
    line = f"An estimate with cl100k_base says {abs(more)} prompt tokens"
    assert found.line == f"{line} {'fewer' if more > 0 else 'more'}."
    assert found.line in Playground(**KNOWN, context_window=20_000).text


@pytest.mark.parametrize("settings", [{}, UNKNOWN], ids=["a known encoding", "an estimate"])
def test_a_count_without_a_chat_template_has_no_estimate_beside_it(settings):
    assert estimated(Request.of(DEFAULT.with_(settings))) is None
    assert "An estimate" not in Playground(**settings).text


def test_an_estimate_that_counts_too_much_makes_calls_that_are_not_needed():
    found = estimated(request(CHINESE, context_window=5_300))
    assert found.calls > found.ours
    assert not any(row.budget.over for row in found.rows)
    said = "".join(found.sentence)
    assert said.startswith(
        f"An estimate would plan {found.calls} calls, not {found.ours}. Those that wait for no"
        " answer hold "
    )
    assert " fewer tokens than cl100k_base counts" in said
    assert " fewer by the tokenizer" in said
    assert " more by the chat template" in said
