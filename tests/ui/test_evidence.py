"""The headline of Compare after runs: it follows the evidence and says what that rests on."""

from dataclasses import replace

import pytest

from synth.quality import read_facts
from tests.ui.compare_columns import after, before, chain_of, fan_of
from tests.ui.sample_calls import made, planned
from ui.pages.compare.analysis.evidence import Evidence, evidence_of
from ui.pages.compare.analysis.evidence_words import told
from ui.pages.compare.analysis.judged_runs import Asked, chance_words, judge
from ui.pages.compare.cells import named
from ui.pages.compare.columns import Column
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.head import prospects_of
from ui.pages.compare.run_slots import RunSlot
from ui.settings.model import CapLimits

MODES = ("compact", "refine", "tree_summarize", "accumulate")
CALLS = {"compact": [[0, 1], [2]], "refine": [[0], [1], [2]]}
NO_CAP = CapLimits(None, None, None)


def comparison(*columns, facts="the pump"):
    """Columns by the questions that each passes: "1101"; "" for one that was not run."""
    count = max(map(len, columns))
    asked = tuple(Asked(f"Why {number}?", {}, read_facts(facts)) for number in range(count))
    cells = {}
    for number, one in enumerate(asked):
        row = [
            _cell(letter, mode, number, one, passes)
            for letter, mode, passes in zip("ABCD", MODES, columns, strict=False)
        ]
        cells |= {cell.slot: cell for cell in named(row, {})}
    letters = tuple(Column(letter, ()) for letter, _ in zip("ABCD", columns, strict=False))
    return Comparison(letters, asked, 1, 0, cells)


def _cell(letter, mode, number, asked, passes):
    groups = CALLS.get(mode, [[0, 1, 2]])
    if not passes:
        cell = before(letter, mode, fan_of(planned, *groups))
    else:
        response = "It was the pump." if passes[number] == "1" else "no"
        cell = after(letter, mode, chain_of(made, *groups), response)
        cell = replace(cell, judged=judge(cell.trace, asked, None))
    return replace(cell, asked=asked, slot=RunSlot(letter, number))


def headline(found, planned=()):
    prospects, _ = prospects_of(found.row(0), NO_CAP)
    return told(found, evidence_of(found), "detail", prospects, planned, "None.")


def test_what_passed_is_said_first_then_whether_it_tells_then_the_price_and_what_is_not_known():
    said = headline(comparison("1" * 20, "1" * 11 + "0" * 9, ""), planned=["tree_summarize"])
    [bold] = said.sentences
    assert bold.startswith(
        "compact passes 20 of 20 questions, refine 11; they can be told apart. compact takes"
    )
    assert said.below == (
        "Take compact where answers must be right. What tree_summarize would pass is not known:"
        " it has not run."
    )
    assert said.tags == [
        ("rests on 40 runs: 20 questions in compact and refine", "exact"),
        ("9 passed by compact alone, none by refine alone: by chance 1 time in 256", "exact"),
        ("changed by the runs: the plans alone said tree_summarize", "estimate"),
    ]


def test_a_lead_that_chance_explains_is_none_and_the_cheapest_is_advised():
    said = headline(comparison("1" + "0" * 19, "0" * 20, "0" * 20), planned=["tree_summarize"])
    assert said.sentences[0].startswith(
        "compact passes 1 of 20 questions, refine and tree_summarize none; they can't be told"
        " apart. tree_summarize takes"
    )
    assert said.advised == ["tree_summarize"]
    chance = "1 passed by compact and not refine, none the other way round: by chance as often as"
    assert said.tags[1] == (f"{chance} not among 2 pairs", "exact")
    assert "nothing shows that another one answers better" in said.below
    assert not any("changed" in words for words, _ in said.tags)


def test_the_advice_rests_on_the_tests_that_the_headline_speaks_of():
    said = headline(comparison("1" * 6, "0" * 6, "", "1" * 6))
    assert "; they can't be told apart." in said.sentences[0]
    assert "nothing shows that another one answers better" in said.below


def test_few_questions_tell_nothing_apart_and_the_best_so_far_is_taken():
    said = headline(comparison("11", "00"))
    assert "; 2 questions can't tell them apart." in said.sentences[0]
    assert said.below == "Take compact, as far as 2 questions can tell."
    said = headline(comparison("1", "0", facts="* the pump\nnoon"))
    assert said.sentences[0].startswith(
        "compact holds 1 of 1 fact that must arrive, refine none; 1 question can't"
    )


def test_one_column_alone_is_told_and_compared_with_none():
    said = headline(comparison("110", "", ""))
    assert said.sentences == ["compact passes 2 of 3 questions."]
    assert said.below.startswith("Run another column to compare it with. What refine and tree_")
    assert said.advised == []


def _scores(kind, **columns):
    scores = {name: [[float(one)] for one in given] for name, given in columns.items()}
    return Evidence(kind, scores, [1] * len(next(iter(columns.values()))))


@pytest.mark.parametrize(
    ("probability", "words"),
    [(1 / 32, "1 time in 32"), (1.0, "as often as not"), (1e-6, "less than 1 time in 1,000")],
)
def test_chance_is_told_in_words(probability, words):
    assert chance_words(probability) == words
