"""The line of figures of Compare: what passed, and whether that tells columns apart."""

from tests.ui.compare_columns import after, before, chain_of, fan_of, refused
from tests.ui.sample_calls import made, planned
from ui.pages.compare.figures import call_figures, passed_figures


def scores(**columns):
    """Columns by the questions that each passes: "1101"; "" for one that was not run."""
    return {name: [[float(one)] for one in passes] for name, passes in columns.items()}


def said(**columns):
    return "".join(passed_figures(scores(**columns)).line)


def test_columns_that_differ_in_enough_questions_are_told_apart():
    found = passed_figures(scores(A="1" * 12, B="1" * 3 + "0" * 9))
    assert "".join(found.line) == "A 12 of 12 · B 3 of 12; A can be told from B"
    assert found.test == "Sign test over questions: A ahead of B in 9, behind in 0, p 0.0039."


def test_columns_that_the_test_does_not_tell_apart_are_said_so():
    found = passed_figures(scores(A="1" * 9 + "0", B="1" * 7 + "000", C="1" * 9 + "0"))
    assert "".join(found.line) == "A 9 of 10 · B 7 of 10 · C 9 of 10; can't be told apart"
    assert found.test == (
        "Sign test over questions: A ahead of B in 2, behind in 0, p 1. Each p is corrected for 2"
        " pairs (Holm)."
    )


def test_fewer_than_six_questions_never_tell_columns_apart():
    assert said(A="11111", B="00000").endswith("; can't be told apart with fewer than 6 questions")
    assert said(A="111111", B="000000").endswith("; A can be told from B")


def test_a_column_without_a_score_is_in_no_test():
    assert said(A="1", B="") == "A 1 of 1"
    assert passed_figures(scores(A="", B="")) is None
    assert passed_figures({"A": [[None]]}) is None


def test_where_nothing_is_expected_the_calls_are_the_figures():
    plans = [before("A", "refine", chain_of(planned, [0], [1], [2]))]
    cutting = [before("B", "simple_summarize", fan_of(planned, [0, 1]))]
    found = call_figures([plans, cutting, [refused("C", "compact")]])
    assert "".join(found.line) == "A 3 calls · B 1 call, 30 tokens cut off · C refused"
    run = [after("A", "compact", fan_of(made, [0]))]
    assert "".join(call_figures([run]).line) == (
        "A 1 call, 50 tokens cut off; nothing is expected of the answers"
    )
