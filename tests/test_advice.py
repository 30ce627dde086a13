"""The adviser's choices, and that its sentences say what the plans do."""

import pytest

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import SynthError
from synth.modes.advice.choice import Prospect, choose, short_and_long
from synth.modes.advice.reasons import Advice, advise
from synth.modes.facts import Goal
from synth.runs.prices import Price
from tests.invariants.world import ALL, passage

ONE = (passage("english", 400, 1),)
MANY = tuple(passage("english", 700, seed) for seed in range(12))
GOALS: tuple[Goal, ...] = ("detail", "summary", "per_chunk", "cheapest", "fastest")
TEXT = PromptTemplate("Read: {context_str} Question: {query_str}")


def plans(
    chunks: tuple[str, ...], window: int = 4_000, num_output: int = 60
) -> dict[str, Prospect]:
    found = {}
    for mode in ALL:
        helper = PromptHelper(window, num_output)
        synthesizer = get_response_synthesizer(mode, None, helper, text_qa_template=TEXT)
        try:
            found[mode] = Prospect(*short_and_long(synthesizer, "Why?", chunks, (8, num_output)))
        except SynthError:
            continue
    return found


def advised(goal: Goal, chunks: tuple[str, ...], **limits: int) -> Advice:
    advice = advise(goal, plans(chunks, **limits))
    assert advice is not None
    return advice


@pytest.mark.parametrize("goal", GOALS)
def test_where_nothing_can_run_there_is_no_advice(goal: Goal):
    assert advise(goal, {}) is None
    assert advise(goal, plans(())) is None
    assert advise(goal, plans(ONE, window=80)) is None


@pytest.mark.parametrize("goal", ["cheapest", "fastest"])
def test_what_answers_without_the_chunks_never_wins(goal: Goal):
    some = {mode: pair for mode, pair in plans(ONE).items() if mode in ALL[-3:]}
    assert len(some) == 3
    assert advise(goal, some) is None


def test_one_chunk_in_detail_is_one_call_and_others_are_as_good():
    advice = advised("detail", ONE)
    assert advice.mode == "compact"
    assert advice.why[:2] == ("compact makes 1 call.", "That call has all the chunks.")
    assert advice.why[-1].endswith(" prompt tokens and 60 output tokens; price unknown.")
    assert "simple_summarize sends the very same prompts, and gives the same answer." in (
        advice.equal
    )
    assert any(line.startswith("tree_summarize makes 1 call as well") for line in advice.equal)


def test_many_chunks_in_detail_name_what_refine_would_take():
    advice = advised("detail", MANY, window=1_000)
    calls = [plan.call_count for plan in plans(MANY, window=1_000)["compact"][:2]]
    assert advice.mode == "compact"
    assert len(set(calls)) == 1
    assert advice.why[0] == f"compact makes {calls[0]} calls, one after the other."
    assert (
        "refine would make 12 calls: take it where each chunk should be read on its own."
        in advice.why
    )
    assert advice.equal == ()


def test_a_mode_with_fewer_calls_that_suits_the_goal_less_is_named_with_the_reason():
    found = plans(MANY, window=1_000)
    compact, tree = found["compact"].high, found["tree_summarize"].high
    assert tree.longest_chain < compact.longest_chain
    assert tree.call_count >= compact.call_count
    assert (
        f"tree_summarize would be done after {tree.longest_chain} batches instead of"
        f" {compact.longest_chain}, but suits this goal less: it summarizes the chunks, then the"
        " summaries, until one is left."
    ) in advised("detail", MANY, window=1_000).why
    tree_advised = advised("summary", MANY, window=1_000)
    assert (
        f"compact would make {compact.call_count} calls instead of {tree.call_count}, but suits"
        " this goal less: it fills each call with as much text as fits, and a later call improves"
        " the answer of the one before."
    ) in tree_advised.why


def test_a_mode_that_would_not_end_is_passed_over_in_words():
    found = plans(MANY, window=600, num_output=400)
    assert found["tree_summarize"][1].problem is not None
    advice = advise("summary", found)
    assert advice is not None
    assert advice.mode != "tree_summarize"
    assert "tree_summarize is passed over: its plan never finishes." in advice.why


def test_what_loses_text_is_advised_only_where_nothing_else_can_be_and_says_so():
    found = plans(MANY, window=1_000)
    lost = sum(chunk.lost_tokens for chunk in found["simple_summarize"][1].coverage)
    sentence = f"simple_summarize cuts off {lost:,} tokens of the chunks."
    assert lost > 1
    for goal in ("detail", "summary", "cheapest", "fastest"):
        best = advise(goal, found)
        assert best is not None
        assert best.mode != "simple_summarize"
        alone = advise(goal, {"simple_summarize": found["simple_summarize"]})
        assert alone is not None
        assert alone.why[0] == sentence


@pytest.mark.parametrize("price", [None, Price(1.0, 100.0), Price(0.0, 0.0)])
def test_the_cheapest_costs_least_of_what_reads_all_the_chunks(price: Price | None):
    found = {mode: pair._replace(price=price) for mode, pair in plans(MANY, window=1_000).items()}
    advice = advise("cheapest", found)
    assert advice is not None
    plan = found[advice.mode][1]
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
    less = "take fewer tokens" if price is None else "cost less"
    cheaper = f"generation would {less}, but it answers without the chunks."
    assert (cheaper in advice.why) == (price is None or price.output > 0)
    assert ("price unknown" in advice.why[-1]) == (price is None)
    assert ("$" in advice.why[-1]) == (price is not None)


def test_the_fastest_waits_for_the_fewest_batches():
    advice = advised("fastest", MANY, window=1_000)
    assert advice.mode == "compact_accumulate"
    assert (
        "Of the 5 modes that send all the chunks, 2 are done after 1 batch of calls; none of these"
        " takes fewer tokens."
    ) in advice.why
    assert (
        "All modes that send all the chunks are done after 1 batch of calls; none takes fewer"
        " tokens."
    ) in advised("fastest", ONE).why


def test_the_cheapest_of_several_models_is_told_by_prices_only_if_all_are_known():
    compact, refine = (plans(MANY, window=1_000)[mode] for mode in ("compact", "refine"))
    dear, free = Price(100.0, 100.0), Price(0.0, 0.0)
    paid = {"A": compact._replace(price=dear), "B": refine._replace(price=free)}
    assert choose("cheapest", paid) == ["B"]
    assert choose("cheapest", {**paid, "B": refine}) == ["A"]
