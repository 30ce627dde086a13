"""The adviser's choices are those of the plans."""

import pytest

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import SynthError
from synth.modes.advice.choice import Prospect, choose, short_and_long
from synth.runs.prices import Price
from tests.invariants.world import ALL, passage

MANY = tuple(passage("english", 700, seed) for seed in range(12))
TEXT = PromptTemplate("Read: {context_str} Question: {query_str}")


def plans(window: int = 1_000, num_output: int = 60) -> dict[str, Prospect]:
    found = {}
    for mode in ALL:
        helper = PromptHelper(window, num_output)
        synthesizer = get_response_synthesizer(mode, None, helper, text_qa_template=TEXT)
        try:
            found[mode] = Prospect(*short_and_long(synthesizer, "Why?", MANY, (8, num_output)))
        except SynthError:
            continue
    return found


def test_a_mode_that_would_not_end_is_passed_over():
    found = plans(window=600, num_output=400)
    assert found["tree_summarize"][1].problem is not None
    assert choose("summary", found)
    assert "tree_summarize" not in choose("summary", found)


def test_what_loses_text_is_advised_only_where_nothing_else_can_be():
    found = plans()
    assert sum(chunk.lost_tokens for chunk in found["simple_summarize"][1].coverage)
    for goal in ("detail", "summary", "cheapest", "fastest"):
        assert "simple_summarize" not in choose(goal, found)
        alone = {"simple_summarize": found["simple_summarize"]}
        assert choose(goal, alone) == ["simple_summarize"]


def test_the_fastest_waits_for_the_fewest_batches():
    found = plans()
    assert choose("fastest", found)[0] == "compact_accumulate"
    assert found["compact_accumulate"].high.longest_chain == 1


@pytest.mark.parametrize("price", [None, Price(1.0, 100.0), Price(0.0, 0.0)])
def test_the_cheapest_costs_least_of_what_reads_all_the_chunks(price: Price | None):
    found = {mode: pair._replace(price=price) for mode, pair in plans().items()}
    plan = found[choose("cheapest", found)[0]][1]
    for mode in set(ALL[:5]):
        other = found[mode][1]
        if price is None:
            assert plan.prompt_tokens + plan.output_tokens <= (
                other.prompt_tokens + other.output_tokens
            )
        else:
            assert price.of(plan.prompt_tokens, plan.output_tokens) <= price.of(
                other.prompt_tokens, other.output_tokens
            )


def test_the_cheapest_of_several_models_is_told_by_prices_only_if_all_are_known():
    compact, refine = (plans()[mode] for mode in ("compact", "refine"))
    dear, free = Price(100.0, 100.0), Price(0.0, 0.0)
    paid = {"A": compact._replace(price=dear), "B": refine._replace(price=free)}
    assert choose("cheapest", paid) == ["B"]
    assert choose("cheapest", {**paid, "B": refine}) == ["A"]
