"""The report of a comparison, its tables, and the page that offers them."""

from dataclasses import replace
from datetime import UTC, datetime

from synth.llms import FunctionLLM
from synth.quality import read_facts
from tests.ui.compare_columns import before, comparison_of, judged, ran, refused, row_of
from tests.ui.report.reported import QUESTION, Read, reported
from ui.pages.compare.asked import Asked
from ui.pages.compare.report import calls_of_runs, downloads, report_html

MADE = datetime(2026, 3, 14, 9, 42, tzinfo=UTC)
ASKED = Asked(QUESTION, facts=read_facts("* the pool\n* DNS\nMonday"))


def row_with(run, column="A", question=0):
    return ran(row_of(column, run.request), run.trace)._replace(question=question)


def page_of(rows, *asked):
    return Read(report_html(comparison_of(rows, *asked or [Asked(QUESTION)]), MADE))


def answering(text, mode="compact", **changed):
    return reported(mode, FunctionLLM(lambda _: text), **changed)


def test_equal_answers_stand_once_and_others_as_their_difference():
    texts = {
        "A": "The pool was set to 8 on Monday at noon.",
        "B": "The pool was set to 80 on Monday at noon.",
        "C": "The pool was set to 8 on Monday at noon.",
    }
    rows = [row_with(answering(text), column) for column, text in texts.items()]
    page = page_of(rows)
    assert {"ins", "del"} <= page.names
    assert "1 word added, 1 dropped" in page.text
    assert page.text.count("A · compact and C · compact") == 1


def test_what_an_answer_lacks_is_said_and_where_columns_cannot_be_told_apart():
    asked = [replace(ASKED, query=f"What of pool {number}?") for number in range(7)]
    rows = [
        judged(row_with(answering("The pool."), column, number), one)
        for number, one in enumerate(asked)
        for column in "AB"
    ]
    text = page_of(rows, *asked).text
    assert "They can't be told apart." in text
    assert "✕ DNS" in text
    assert "Monday" not in text  # which no answer needs


def test_settings_that_differ_stand_apart():
    rows = [row_with(answering("x"), "A"), row_with(answering("x", context_window=500), "B")]
    text = page_of(rows).text
    differing, common = text.index("Settings that differ"), text.index("Settings in common")
    assert "window400500" in text[differing:common]
    assert "answer length60" in text[common:]


def test_a_column_that_has_no_run_says_why_and_nothing_of_a_server():
    rows = [row_with(reported()), refused("B", "refine"), before("C", "accumulate")]
    rows += [ran(before("D", "tree_summarize"), None, "key sk-planted")]
    source = report_html(comparison_of(rows), MADE)
    text = Read(source).text
    assert "B · refine: There is no room." in text
    assert "C · accumulate: It was not run." in text
    assert "D · tree_summarize: The run failed." in text
    assert "sk-planted" not in source


def test_the_calls_of_all_runs_are_a_table_that_says_what_is_not_in_it():
    rows = [row_with(reported("refine"), "A"), before("B", "compact")]
    comparison = comparison_of(rows, Asked(QUESTION))
    table = calls_of_runs(comparison)
    assert table["question"].tolist() == [QUESTION] * 3
    assert table["column"].tolist() == ["A · refine"] * 3
    [_, _, calls] = downloads(comparison)
    assert "A row for each call of 1 run" in calls.meaning
    assert "Not in it: 1 run without a call." in calls.meaning
