"""The judge: its calls, what it costs at most, and what its replies mean."""

import json

import pytest

from synth import Cap, FunctionLLM, PromptHelper
from synth.errors import BudgetError, CapReached
from synth.quality.judge import judge_correctness, judge_pair, judge_support, judge_together
from synth.quality.judge_replies import (
    agreement,
    answered_part,
    better,
    consensus,
    grade,
    judged_claims,
)
from synth.runs.calls import prompt_hash
from synth.runs.events import RunOptions
from synth.runs.prices import Price
from tests.quality.answered import CHUNKS, answered

HELPER = PromptHelper(2_000, 100)
ANSWER = "The pool was set to 8 instead of 80. Ada mended it at noon."


def judged(judging, reply, **options):
    """The trace of a judge that replies so, to each prompt."""
    fn = reply if callable(reply) else lambda prompt: reply
    return judging.run(FunctionLLM(fn, 2_000, 100), RunOptions(**options))


def said(supported, quote=""):
    return json.dumps({"supported": supported, "quote": quote})


def test_a_claim_is_supported_by_a_quote_that_stands_in_the_text():
    def reply(prompt):
        assert CHUNKS[0] in prompt
        return said(True, "set to 8 instead of 80") if "Claim: The pool" in prompt else said(False)

    trace = judged(judge_support(answered(ANSWER), HELPER), reply)
    one, two = judged_claims(trace)
    assert (one.claim, one.verdict, one.calls) == (
        "The pool was set to 8 instead of 80.",
        "supported",
        (1,),
    )
    [(kind, number, start, end)] = one.evidence
    assert (kind, CHUNKS[number - 1][start:end]) == ("chunk", "set to 8 instead of 80")
    assert (two.verdict, two.calls) == ("unsupported", (2,))


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("", "can't be read"),
        ("Yes, it does.", "can't be read"),
        ('{"supported": "yes", "quote": "set to 8 instead"}', "can't be read"),
        ('{"supported": true}', "can't be read"),
        ('{"supported": true, "quote": 8}', "can't be read"),
        ('{"supported": tru', "can't be read"),
        ("[true]", "can't be read"),
        ("{" * 100_000 + "}", "can't be read"),
        (said(True, "set to 9 instead of 90"), "not in its text"),
        (said(True, "the"), "less than three words"),
        (said(True, ""), "less than three words"),
    ],
)
def test_an_unreadable_or_unproven_reply_is_no_verdict(reply, reason):
    trace = judged(judge_support(answered("It was 8."), HELPER), reply)
    [claim] = judged_claims(trace)
    assert claim.verdict == "no verdict"
    assert reason in claim.reason
    assert trace.calls[0].reply == reply


@pytest.mark.parametrize("around", ["```json\n{}\n```", "<think>{{no}}</think>{}", "Sure: {}."])
def test_an_object_with_text_around_it_is_read(around):
    reply = around.replace("{}", said(False)).replace("{{", "{").replace("}}", "}")
    [claim] = judged_claims(judged(judge_support(answered("It was 8."), HELPER), reply))
    assert claim.verdict == "unsupported"


def test_text_that_does_not_fit_is_asked_about_in_parts():
    chunks = tuple(f"In year {year} the {year} boats came home. " * 8 for year in range(1900, 1930))
    judging = judge_support(answered("The 1925 boats came.", chunks, window=8_000), HELPER)
    plan = judging.plan()
    assert plan.call_count > 1
    assert all(call.prompt_tokens <= 1_900 for call in plan.calls)

    def reply(prompt):
        there = "the 1925 boats came home" in prompt
        return said(True, "the 1925 boats came home") if there else said(False)

    [claim] = judged_claims(judged(judging, reply))
    assert claim.verdict == "supported"
    assert len(claim.calls) == plan.call_count
    [(_, number, start, end)] = claim.evidence
    assert chunks[number - 1][start:end] == "the 1925 boats came home"


def test_text_that_was_cut_off_is_not_shown_to_the_judge():
    chunks = ("one " * 400, "The secret is blue.")
    judging = judge_support(answered("It is blue.", chunks, window=300), HELPER)
    assert not [call for call in judging.plan().calls if "secret" in call.prompt.text]


@pytest.mark.parametrize("answer", ["I don't know.", ""])
def test_an_answer_without_claims_costs_no_call(answer):
    judging = judge_support(answered(answer), HELPER)
    assert judging.plan().call_count == 0
    assert judged_claims(judged(judging, "x")) == ()


@pytest.mark.parametrize("said_grade", ["correct", "partly", "incorrect"])
def test_a_grade(said_grade):
    judging = judge_correctness(answered(ANSWER), "It was set to 8.", HELPER)
    reply = json.dumps({"reason": "As it says.", "grade": said_grade})
    assert grade(judged(judging, reply)) == said_grade
    assert grade(judged(judging, reply.replace(said_grade, "good"))) == "no verdict"
    prompt = judging.plan().calls[0].prompt.text
    assert all(text in prompt for text in ("Why?", "It was set to 8.", ANSWER))


@pytest.mark.parametrize(
    ("replies", "expected"),
    [
        ((1, 2), "one"),
        ((2, 1), "other"),
        ((1, 1), "tie"),  # the first place wins, whoever stands there
        ((0, 2), "tie"),
        ((0, 0), "tie"),
        ((1, 3), "no verdict"),
        ((1, None), "no verdict"),
        ((True, 2), "no verdict"),
    ],
)
def test_a_pair_is_judged_in_both_orders(replies, expected):
    judging = judge_pair("Why?", "first words", "last words", HELPER)
    one, two = (call.prompt.text for call in judging.plan().calls)
    assert one.index("first words") < one.index("last words")
    assert two.index("last words") < two.index("first words")
    waiting = iter(replies)
    trace = judged(judging, lambda prompt: json.dumps({"better": next(waiting)}))
    assert better(trace) == expected


def test_repeats_agree_as_often_as_the_most_frequent_verdict():
    assert agreement(["correct", "partly", "correct"]) == pytest.approx(2 / 3)
    assert agreement(["correct"]) is None


@pytest.mark.parametrize(
    ("verdicts", "expected"),
    [
        (["correct"], "correct"),
        (["partly", "correct", "correct"], "correct"),
        (["partly", "correct"], "no verdict"),
        (["no verdict", "no verdict", "correct"], "no verdict"),
    ],
)
def test_the_consensus_is_what_most_repeats_say(verdicts, expected):
    assert consensus(verdicts) == expected


def test_judgings_asked_together_send_equal_prompts_once_and_are_read_apart():
    judgings = [
        judge_support(answered(ANSWER), HELPER),
        judge_pair("Why?", "a", "b", HELPER),
        judge_support(answered(ANSWER, mode="compact"), HELPER),
        judge_correctness(answered("I don't know."), "8", HELPER),
        judge_support(answered(""), HELPER),
    ]
    plans = [judging.plan() for judging in judgings]
    together = judge_together(judgings, HELPER)
    assert [plan.call_count for plan in plans] == [2, 2, 2, 1, 0]
    assert together.plan().call_count == 5
    trace = judged(together, lambda prompt: said(False) if "Claim" in prompt else '{"better": 1}')
    replies = {prompt_hash(call.prompt): call for call in trace.calls}
    one, pair, other, graded, nothing = (answered_part(plan, replies) for plan in plans)
    assert [claim.verdict for claim in judged_claims(one)] == ["unsupported"] * 2
    assert judged_claims(other) == judged_claims(one)
    assert (better(pair), grade(graded)) == ("tie", "no verdict")
    assert one.setup.query == "Why?"
    assert judged_claims(nothing) == ()


def test_a_claim_is_left_out_until_every_call_about_it_is_answered():
    chunks = tuple(f"In year {year} the {year} boats came home. " * 8 for year in range(1900, 1930))
    judging = judge_support(
        answered(f"In 1925 the boats came. {ANSWER}", chunks, window=8_000), HELPER
    )
    plan = judging.plan()
    trace = judged(judging, said(False))
    replies = {prompt_hash(call.prompt): call for call in trace.calls[:-1]}
    claim, _ = judged_claims(answered_part(plan, replies))
    assert claim.claim == "In 1925 the boats came."
    assert better(answered_part(judge_pair("Why?", "a", "b", HELPER).plan(), {})) == "no verdict"


def test_a_judge_whose_window_has_no_room_for_text_is_refused():
    with pytest.raises(BudgetError, match=r"window of 300 leaves 0 .*lower the answer length"):
        judge_support(answered(ANSWER), PromptHelper(300, 400)).plan()


@pytest.mark.parametrize("share", [0.3, 0.6, 0.99, 1.0])
def test_the_cost_is_never_over_the_cap(share):
    price = Price(1_000, 4_000)
    judging = judge_support(answered(f"{ANSWER} It rained. Nobody saw it."), HELPER)
    most = judging.plan()
    dollars = share * price.of(most.prompt_tokens, most.output_tokens)
    cap = Cap(dollars=dollars, price=price)
    reply = "no" + " no" * 99  # as long as there is room
    try:
        trace = judged(judging, reply, cap=cap)
    except CapReached as reached:
        trace = reached.trace
        assert share < 1
    answered_calls = [call for call in trace.calls if call.answer is not None]
    prompts = sum(call.prompt_tokens for call in answered_calls)
    assert price.of(prompts, sum(call.output_tokens for call in answered_calls)) <= dollars
    assert (len(answered_calls) == most.call_count) == (share == 1)
