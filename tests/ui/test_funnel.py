"""The fact funnel: its data from runs and plans, and what it says."""

from dataclasses import replace

from synth.quality import follow, read_facts
from synth.runs.trace import Plan
from synth.words.fact_way import call_words, fact_mark, source_words
from synth.words.fact_words import end_of_bar, path_sentence
from tests.quality import test_follow
from tests.quality.test_follow import NO, YES, A, B, C, each_case
from tests.ui.compare_columns import cell, ran, request_of
from ui.pages.compare.facts_view import finding, follow_facts
from ui.plans.plan_range import PlanRange

FACTS = read_facts("* the seal was worn\nnobody was hurt\nat night\nthe moon\nthe fourth chunk")
LISTED = (A, B, C, "The fourth chunk.")


def column(mode, answers, chunks=(A, B, C), run=True, **options):
    """A column with a run of these answers, or with its plan alone."""
    trace = test_follow.ran(mode, list(chunks), answers, **options)
    request = replace(request_of(mode), text_chunks=tuple(chunks))
    if run:
        return ran(cell("A", request), trace)
    plan = Plan(trace.setup, trace.calls, 0)
    return cell("A", request, PlanRange(plan, plan))


def funnel(*columns, facts=FACTS, listed=LISTED):
    return follow_facts(facts, columns, listed).funnel


def said(parts):
    return "".join(parts)


REFINED = column("refine", [NO, YES, YES])
DROPPED = column("accumulate", [NO, NO, NO])


def test_the_facts_say_where_they_stand_and_the_panels_how_far_they_came():
    made = funnel(REFINED)
    assert [(one.chunks, one.retrieved) for one in made.facts] == [
        ((2,), True),
        ((3,), True),
        ((1,), True),
        ((), False),
        ((4,), False),
    ]
    [panel] = made.panels
    assert [fate.passed for fate in panel.fates] == [
        (True, True, True),
        (True, False, False),
        (True, False, False),
        (False, False, False),
        (False, False, False),
    ]
    assert panel.counts() == (3, 1, 1)
    assert panel.arrived(made.facts) == (1, 1)


def test_a_plan_says_what_is_sent_and_nothing_of_answers():
    [panel] = funnel(column("simple_summarize", [NO], run=False)).panels
    assert panel.planned
    assert [fate.passed[0] for fate in panel.fates] == [True, True, True, False, False]
    assert not any(fate.passed[1] or fate.passed[2] for fate in panel.fates)


def test_the_finding_names_the_only_column_that_loses_what_must_arrive():
    text = said(finding(funnel(REFINED, DROPPED)))
    assert text.startswith("Only accumulate loses “the seal was worn”. ")
    assert text.endswith("Of 5 facts the answers hold: refine 1, accumulate 0.")


def test_the_finding_says_that_it_was_lost_before_any_call():
    tight = {"window": 200, "num_output": 20}
    cut = column("simple_summarize", [NO], chunks=("night " * 170, B), **tight)
    text = said(finding(funnel(cut, column("compact", [YES]))))
    assert text.startswith("Only simple_summarize loses “the seal was worn”, before any call.")


def test_the_finding_where_all_arrive_and_where_none_does():
    assert "Every answer holds all facts that must arrive" in said(finding(funnel(REFINED)))
    assert "Every answer lacks" in said(finding(funnel(DROPPED, column("compact", [NO]))))


def test_the_finding_of_plans():
    plan = column("simple_summarize", [NO], run=False)
    assert said(finding(funnel(plan))) == (
        "3 of 5 facts stand in the chunks, and every column would send them all."
    )
    alone = column("simple_summarize", [NO], chunks=(B,), run=False)
    assert said(finding(funnel(alone))).startswith("1 of 5 facts stands in the chunks")


def test_a_column_that_cannot_run_passes_nothing():
    refused = cell("A", REFINED.request, PlanRange(refused="There is no room."))
    [panel] = funnel(refused).panels
    assert panel.counts() == (0, 0, 0)
    assert {fate.sentence for fate in panel.fates} == {"There is no room."}


@each_case
def test_every_path_is_marked_where_a_call_lost_it(case):
    trace = case.run()
    path = follow(case.fact, trace)
    mark = fact_mark(path)
    assert (mark is None) == (path.stage in ("answered", "absent"))
    if mark is not None:
        assert mark.chunks == set(path.chunks)
        assert mark.end is None or mark.end in mark.calls
        assert source_words(path).endswith(f"call {mark.end}" if mark.end else "")
    assert all(call_words(path, call, trace) for call in trace.calls)


@each_case
def test_every_path_has_a_sentence_and_few_words(case):
    trace = case.run()
    path = follow(case.fact, trace)
    sentence = said(path_sentence(path, trace))
    assert case.fact.text in sentence
    assert sentence.endswith(".")
    assert "None" not in sentence
    assert len(end_of_bar(path)) <= 27
    assert bool(end_of_bar(path)) == (path.stage not in ("absent", "answered"))
