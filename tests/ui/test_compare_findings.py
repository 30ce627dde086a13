"""Findings: every sentence is true of its plans or traces, and all fit on two lines."""

import math
import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.response_synthesizers.registry import MODES
from synth.wording import percent
from tests.examples import examples
from tests.invariants.world import worlds
from tests.ui.compare_entries import (
    PRICE,
    after,
    before,
    chain_of,
    entry_in,
    fan_of,
    lasting,
    made,
    plan_of,
    planned,
    priced,
    refused,
    request_of,
    trace_of,
)
from ui.compare.analysis.column_data import FINDINGS_LENGTH, ColumnData, fitting, names
from ui.compare.analysis.plan_findings import plan_findings
from ui.compare.analysis.run_findings import run_findings
from ui.compare.analysis.speed import most_at_once
from ui.look.escape import Bold
from ui.request.request import Model

EACH = ([0], [1], [2])


def said(parts):
    return "".join(parts).replace("\u00a0", " ")


def compact(label="A · compact", **more):
    return after(label, "compact", chain_of(made, [0, 1, 2]), **more)


def refine(label="B · refine", **more):
    return after(label, "refine", chain_of(made, *EACH), **more)


# ---- how sentences are put


@given(st.integers(0, 10_000), st.integers(1, 10_000))
def test_only_nothing_is_0_percent_and_only_all_is_100(part, whole):
    shown = int(percent(min(part, whole), whole).removesuffix("\u00a0%"))
    assert 0 <= shown <= 100
    assert (shown == 0) == (part == 0)
    assert (shown == 100) == (part >= whole)


def test_a_sentence_too_long_leaves_room_for_the_next():
    assert fitting([["a" * 100], ["b" * 300], [], [Bold("c"), "d"]]) == ["a" * 100, " ", "c", "d"]


# ---- before a run


def test_the_plans_of_columns_are_added_up():
    entries = [
        before("A", "refine", chain_of(planned, *EACH)),
        before("B", "accumulate", fan_of(planned, *EACH)),
        before("C", "simple_summarize", fan_of(planned, [0, 1])),
        before("D", "no_text"),
    ]
    assert said(plan_findings(entries)) == (
        "The 4 columns together would make 7 calls, price unknown. Only simple_summarize loses"
        " text (30 tokens, 50 %), since what does not fit into its one call is cut; no_text sends"
        " none. refine has the longest chain: 3 calls, one"
        " after the other. accumulate makes as many, but all at once."
    )
    assert [part for part in plan_findings(entries) if isinstance(part, Bold)] == [
        "7 calls",
        "Only simple_summarize loses text",
        "refine has the longest chain",
    ]


def test_one_plan_is_called_by_its_name():
    entry = priced(before("A", "compact", fan_of(planned, [0, 1, 2])))
    cost = 0.001 * entry.high.prompt_tokens + 0.1
    assert said(plan_findings([entry])) == f"compact would make 1 call, at most ${cost:.4f}."
    lossy = before("A", "compact", fan_of(planned, [0]))
    assert said(plan_findings([lossy])).endswith("compact loses text (50 tokens, 83 %).")


def test_a_range_of_calls_and_dollars():
    low = plan_of(chain_of(planned, [0, 1, 2]))
    entry = priced(before("A", "refine", chain_of(planned, *EACH), low))
    most = max(0.001 * p.prompt_tokens + 0.01 * p.output_tokens for p in (low, entry.high))
    assert said(plan_findings([entry])) == (f"refine would make 1 to 3 calls, at most ${most:.4f}.")


def test_prices_that_are_only_partly_known_say_so():
    known = priced(before("A", "compact", fan_of(planned, [0, 1, 2])))
    unknown = before("B", "accumulate", fan_of(planned, *EACH))
    assert "as far as prices are known." in said(plan_findings([known, unknown]))
    offline = replace(unknown, request=request_of("accumulate", Model("offline")))
    assert "prices" not in said(plan_findings([known, offline]))
    assert "price" not in said(plan_findings([offline]))


def test_the_same_prompts_are_named_and_not_added_up():
    one = before("A · compact", "compact", chain_of(planned, [0], [1, 2]))
    two = before("B · compact", "compact", chain_of(planned, [0], [1, 2]))
    assert said(plan_findings([one, two])) == (
        "Each on its own, both columns would make 4 calls, price unknown."
        " A · compact and B · compact would send the very same prompts."
    )
    other = replace(two, low=plan_of(chain_of(planned, [0, 1, 2])))
    assert "same prompts" not in said(plan_findings([one, other]))


def test_what_can_not_be_planned_to_its_end_is_said_first():
    stuck = before("B", "tree_summarize", fan_of(planned, [0]))
    stuck = replace(stuck, high=replace(stuck.high, problem="It would not end."))
    custom = ColumnData("C", request_of("mine"), None, None, None)
    lossy = before("D", "simple_summarize", fan_of(planned, [0, 1]))
    silent = before("E", "no_text")
    text = said(plan_findings([refused("A", "refine"), stuck, custom, lossy, silent]))
    assert text == (
        "refine would be refused; tree_summarize would stop before the end; mine can be run but"
        " not planned. The other 2 together would make 1 call, price unknown. simple_summarize"
        " loses text (30 tokens, 50 %), since what does not fit into its one call is cut; no_text"
        " sends none."
    )
    assert said(plan_findings([refused("A", "refine")])) == "refine would be refused."


def test_who_sends_no_text_stands_against_the_others():
    all_of_it, silent = before("A", "compact", fan_of(planned, [0, 1, 2])), before("B", "no_text")
    text = said(plan_findings([all_of_it, silent]))
    assert text.endswith("no_text sends none of the text, the other sends all of it.")
    assert "text" not in said(plan_findings([silent])).replace("no_text", "")
    two = [before("A", "simple_summarize", fan_of(planned, [0, 1])), replace(silent, label="C")]
    two.append(before("B", "mine", fan_of(planned, [0])))
    assert "simple_summarize and mine lose text, up to 50 tokens (83 %); no_text sends none." in (
        said(plan_findings(two))
    )


def test_the_longest_chain_is_said_only_if_it_is_one():
    three, two = chain_of(planned, *EACH), chain_of(planned, [0], [1, 2])
    assert "chain" not in said(
        plan_findings([before("A", "refine", three), before("B", "compact", three)])
    )
    # With short answers the second one may have as long a chain.
    unsure = before("B", "compact", two, low=plan_of(three))
    assert "chain" not in said(plan_findings([before("A", "refine", three), unsure]))
    assert "chain" in said(
        plan_findings([before("A", "refine", three), before("B", "compact", two)])
    )


def test_no_columns_have_nothing_to_say():
    assert plan_findings([]) == []
    assert run_findings([]) == []


# ---- after a run


def test_the_reference_is_held_against_the_column_with_other_calls():
    simple = after("C", "simple_summarize", fan_of(made, [0, 1]), "cold spring")
    entries = [compact(response="the river is cold"), refine(response="the river is wide"), simple]
    assert said(run_findings(entries)) == (
        "compact made 1 call instead of refine's 3 and sent the same text; refine's answer keeps"
        " 75 % of the words of compact's. simple_summarize lost 30 tokens (50 %)."
    )
    assert said(run_findings(entries, reference=1)).startswith(
        "refine made 3 calls instead of comp"
    )


def test_columns_with_as_many_calls_and_without_any():
    silent = after("B", "no_text", [], "")
    assert said(run_findings([compact(), silent])) == (
        "compact made 1 call instead of no_text's none."
        " no_text sent none of the text, the other sent all of it."
    )
    assert said(run_findings([silent, compact()])).startswith(
        "no_text made no call instead of compact's 1."
    )
    other = after("B", "tree_summarize", chain_of(made, [1, 2, 0]), "something else")
    assert said(run_findings([compact(), other])).startswith(
        "compact and tree_summarize made 1 call each and sent the same text;"
    )
    assert said(run_findings([compact()])) == "compact made 1 call."


def test_the_same_prompts_after_a_run():
    one, two = compact("A"), compact("B")
    assert said(run_findings([one, two])).startswith(
        "A and B sent the very same prompts and got the same answer."
    )
    assert said(run_findings([one, replace(two, trace=one.trace)])) == (
        "A and B sent the very same prompts, so one run serves both."
    )
    other = compact("B", response="the end of it")
    assert said(run_findings([one, other])).startswith(
        "A and B sent the very same prompts and got different answers;"
        " B's answer keeps 100 % of the words of A's."
    )


def test_the_same_answer_of_different_prompts_is_told_once():
    tree = after("C", "tree_summarize", chain_of(made, [0, 1], [2]), "another")
    assert said(run_findings([compact(), refine(), tree])) == (
        "compact made 1 call instead of refine's 3 and sent the same text."
        " compact and refine gave the same answer."
    )


@pytest.mark.parametrize(
    ("entry", "words"),
    [
        (refine(response=None, error="no key"), "refine failed after 3 answers."),
        (refine(response=None, stopped=True), "refine was stopped after 3 answers."),
        (
            after("B", "refine", [replace(made(1, 0), answer=None, error="no")], None, error="no"),
            "refine failed before its first answer.",
        ),
        (replace(before("B", "refine"), problem="KeyError"), "refine failed."),
        (refused("B", "refine"), "refine was refused."),
    ],
)
def test_who_has_no_answer_is_said_first_and_compared_with_none(entry, words):
    assert said(run_findings([compact(), entry])) == f"{words} compact made 1 call."
    assert said(run_findings([compact(), entry], reference=1)) == f"{words} compact made 1 call."
    assert said(run_findings([entry])) == words


def test_many_without_an_answer_are_counted():
    entries = [refused(letter, mode) for letter, mode in zip("ABC", MODES, strict=False)]
    assert said(run_findings(entries)) == (
        "3 columns have no answer: refine, compact and tree_summarize."
    )


def test_a_column_that_still_runs_is_no_trouble():
    assert said(run_findings([compact(), before("B", "refine")])) == "compact made 1 call."


def test_as_many_calls_at_once_are_faster():
    slow = after("A", "compact", lasting(chain_of(made, [0], [1, 2]), (0, 2), (2, 2)), seconds=4.0)
    fast = after(
        "B", "accumulate", lasting(fan_of(made, [0, 1], [2]), (0, 2), (0.1, 2)), seconds=2.1
    )
    told = (
        "accumulate was faster than compact with the same number of calls: 2 of its 2 ran at once."
    )
    assert told in said(run_findings([slow, fast]))
    assert told in said(run_findings([fast, slow]))
    # One after the other all the same, so there is another reason.
    alone = after(
        "B", "accumulate", lasting(fan_of(made, [0, 1], [2]), (0, 1), (1, 1)), seconds=2.0
    )
    assert "at once" not in said(run_findings([slow, alone]))
    assert (
        "compact took longest: 4.0 s for 2 calls, one after the other; accumulate took 2.0 s."
        in (said(run_findings([slow, alone])))
    )


def test_times_that_nobody_notices_are_not_told():
    quick, slow = compact(seconds=0.001), refine(seconds=0.05)
    assert "took" not in said(run_findings([quick, slow]))
    known = [replace(call, replayed=True) for call in chain_of(made, *EACH)]
    cached = after("B", "refine", known, seconds=0.2)
    assert "took" not in said(run_findings([compact(seconds=9.0), cached]))
    assert "took" in said(run_findings([compact(seconds=9.0), refine(seconds=0.2)]))


def test_calls_at_one_moment():
    calls = fan_of(made, *EACH)
    assert most_at_once(lasting(calls, (0, 2), (1, 2), (2, 1))) == 2
    assert most_at_once(lasting(calls, (0, 1), (1, 1), (2, 1))) == 1
    assert most_at_once(lasting(calls, (0, 0), (0, 0), (0, 0))) == 0


def test_costs_are_compared_only_if_all_are_known():
    one, two = priced(compact()), priced(refine())
    costs = [PRICE.of(e.trace.prompt_tokens, e.trace.output_tokens) for e in (one, two)]
    assert said(run_findings([one, two])).endswith(
        f"At list prices refine costs most (${costs[1]:.4f}) and compact least (${costs[0]:.4f})."
    )
    assert "list prices" not in said(run_findings([one, refine()]))


def test_columns_that_tie_are_named_together():
    one, other = priced(refine("A")), priced(refine("B"))
    slow = replace(one.trace, seconds=9.0)
    cheap = priced(compact("C", seconds=1.0, response="no"))
    text = said(run_findings([cheap, replace(one, trace=slow), replace(other, trace=slow)]))
    assert (
        "A and B took longest: 9.0 s for 3 calls, one after the other; compact took 1.0 s." in text
    )
    text = said(run_findings([cheap, one, other]))
    assert re.search(r"At list prices A and B cost most \(.*\) and compact least \(", text)


# ---- every sentence, in every world

NAME = r"([0-9]·\w+|\w+)"
COUNT = r"(no|[\d,]+)"


def number(text):
    return 0 if text in ("no", "none") else int(text.replace(",", ""))


def sent_text(run):
    """The visible characters of chunks that stand in a prompt."""
    found = {
        (origin.number, at)
        for call in run.calls
        for origin in call.origins
        if origin.kind == "chunk"
        for at in range(origin.start, origin.end)
    }
    return {(n, at) for n, at in found if run.setup.chunks[n - 1][at].strip()}


def all_text(run):
    return {
        (n, at)
        for n, chunk in enumerate(run.setup.chunks, 1)
        for at, letter in enumerate(chunk)
        if letter.strip()
    }


def check_lost(sentence, runs):
    """Who loses text and who sends none, character by character."""
    silent = {name for name, run in runs.items() if all_text(run) and not sent_text(run)}
    some = {
        name for name, run in runs.items() if name not in silent and sent_text(run) < all_text(run)
    }
    for name in runs:
        head, _, tail = sentence.partition(";")
        whole = re.search(rf"(?<![\w·]){name}(?![\w·])", head)
        if "none of the text" in sentence:
            assert not some
            assert silent
        elif whole:
            assert name in some
        elif re.search(rf"(?<![\w·]){name}(?![\w·])", tail):
            assert name in silent
    if sentence.startswith("Only"):
        assert len(some) == 1
    for share in re.findall(r"(\d+)\u00a0%", sentence):
        assert 1 <= int(share) <= 99
    for tokens in re.findall(r"([\d,]+) tokens?", sentence):
        lost = {sum(chunk.lost_tokens for chunk in run.coverage) for run in runs.values()}
        assert number(tokens) in lost


def check_after(sentence, entries):
    """One sentence after a run, told by its words and held against the traces."""
    by_name = dict(zip(names(entries), entries, strict=True))
    runs = {name: e.trace for name, e in by_name.items() if e.answer is not None}
    if found := re.match(
        rf"{NAME} made {COUNT} calls? instead of {NAME}'s (none|[\d,]+)", sentence
    ):
        one, count, other, others = found.groups()
        assert len(runs[one].calls) == number(count) != number(others) == len(runs[other].calls)
        if "same text" in sentence:
            assert sent_text(runs[one]) == sent_text(runs[other]) != set()
    elif found := re.match(rf"{NAME} and {NAME} made {COUNT} calls? each", sentence):
        one, other, count = found.groups()
        assert len(runs[one].calls) == number(count) == len(runs[other].calls)
        if "same text" in sentence:
            assert sent_text(runs[one]) == sent_text(runs[other]) != set()
    elif found := re.match(rf"{NAME} made {COUNT} calls?\.$", sentence):
        assert len(runs[found[1]].calls) == number(found[2])
    elif "very same prompts" in sentence:
        who = [name for name in runs if re.search(rf"(?<![\w·]){name}(?![\w·'])", sentence)]
        prompts = [tuple(call.prompt.text for call in runs[name].calls) for name in who]
        assert len(set(prompts)) == 1
        answers = {runs[name].response for name in who}
        assert ("same answer" in sentence) == (len(answers) == 1) or "others" in sentence
    elif "gave the same answer" in sentence:
        who = [name for name in runs if re.search(rf"(?<![\w·]){name}(?![\w·])", sentence)]
        assert len({runs[name].response for name in who}) == 1
    elif re.search(r"\b(failed|was stopped|was refused|no answer)\b", sentence):
        assert len(runs) < len(entries)
    elif "lost" in sentence or "none of the text" in sentence:
        check_lost(sentence, runs)
    else:
        assert re.match(rf"{NAME} (took longest|was faster than)|At list prices", sentence), (
            sentence
        )
    for share in re.findall(r"(\d+)\u00a0%", sentence):
        assert 0 <= int(share) <= 100


def columns_in(world, modes, run):
    """Columns whose labels are single words, so that the check finds them."""
    return [
        entry_in(world, f"{place}·{mode}", mode, run, PRICE) for place, mode in enumerate(modes)
    ]


def sentences(parts):
    text = "".join(parts)
    assert len(text) <= FINDINGS_LENGTH
    assert "  " not in text
    return re.split(r"(?<=\.) (?=\S)", text) if text else []


@given(
    world=worlds(),
    modes=st.lists(st.sampled_from(list(MODES)), min_size=1, max_size=4),
    reference=st.integers(0, 3),
)
@examples(100)
def test_every_sentence_after_a_run_is_true(world, modes, reference):
    entries = columns_in(world, modes, run=True)
    for sentence in sentences(run_findings(entries, reference % len(entries))):
        check_after(sentence, entries)


@given(world=worlds(), modes=st.lists(st.sampled_from(list(MODES)), min_size=1, max_size=9))
@examples(100)
def test_every_sentence_before_a_run_is_true(world, modes):
    entries = columns_in(world, modes, run=False)
    plans = {
        name: entry.plans
        for name, entry in zip(names(entries), entries, strict=True)
        if entry.plans
    }
    for sentence in sentences(plan_findings(entries)):
        if found := re.search(
            rf"would make {COUNT}(?: to ([\d,]+))? calls?( or more)?\b", sentence
        ):
            for low, high, bounds in plans.values():
                assert bounds.calls.low <= low.call_count <= bounds.calls.high
                assert bounds.calls.low <= high.call_count <= bounds.calls.high
            most = math.inf if found[3] else number(found[2] or found[1])
            assert number(found[1]) == sum(pair.bounds.calls.low for pair in plans.values())
            assert most == sum(pair.bounds.calls.high for pair in plans.values())
        elif "very same prompts" in sentence:
            who = [name for name in plans if re.search(rf"(?<![\w·]){name}(?![\w·])", sentence)]
            sent = {tuple(call.prompt.text for call in plans[name][1].calls) for name in who}
            assert len(sent) == 1
        elif "longest chain" in sentence:
            found = re.match(rf"{NAME} has the longest chain", sentence)
            chain = plans[found[1]][1].longest_chain
            assert all(
                plan.longest_chain < chain
                for name, pair in plans.items()
                for plan in (pair.low, pair.high)
                if name != found[1]
            )
        elif "as many, but all at once" in sentence:
            who = [name for name in plans if re.search(rf"(?<![\w·]){name}(?![\w·])", sentence)]
            assert all(plans[name][1].longest_chain == 1 for name in who)
        elif "refused" in sentence or "stop before" in sentence:
            assert len(plans) < len(entries)
        else:
            check_lost(sentence, {name: pair.high for name, pair in plans.items()})


def test_the_check_sees_a_sentence_that_is_not_true():
    entries = [compact("A"), replace(refine("B"), trace=trace_of(chain_of(made, [0], [1])))]
    check_after("compact made 1 call instead of refine's 2.", entries)
    for wrong in (
        "compact made 1 call instead of refine's 3.",
        "compact made 1 call instead of refine's 2 and sent the same text.",
        "compact lost 30 tokens (50\u00a0%).",
        "refine lost 31 tokens (50\u00a0%).",
        "compact and refine sent the very same prompts and got the same answer.",
        "compact is nicer.",
    ):
        with pytest.raises(AssertionError):
            check_after(wrong, entries)
