"""The report of a comparison, and the page that offers it."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from synth.llms import FunctionLLM
from synth.quality import read_facts
from tests.ui.compare_columns import before, comparison_of, judged, ran, refused, row_of
from tests.ui.report.reported import QUESTION, Read, reported
from tests.ui.test_compare import Compare
from ui.export.report_pages import comparison_html
from ui.export.reported import Compared
from ui.pages.compare.asked import Asked
from ui.pages.compare.report import compared
from ui.session import keys

MADE = datetime(2026, 3, 14, 9, 42, tzinfo=UTC)


def comparison(**runs):
    return Compared(QUESTION, tuple(runs.items()), (), ())


def page_of(one):
    return Read(comparison_html(one, MADE))


def row_with(run, column="A"):
    return ran(row_of(column, run.request), run.trace)


def answering(text, mode="compact", **changed):
    return reported(mode, FunctionLLM(lambda _: text), **changed)


def test_equal_answers_stand_once_and_the_reference_first():
    one, other = answering("The pool was small."), answering("It was DNS.", "accumulate")
    runs = comparison(a=one, b=other, c=replace(one))
    assert [names for _, names in runs.answers] == [["a", "c"], ["b"]]
    assert [names for _, names in replace(runs, reference="b").answers] == [["b"], ["a", "c"]]
    assert comparison_html(runs, MADE).count("<h3>a and c</h3>") == 1


def test_other_answers_are_marked_word_by_word():
    runs = comparison(
        a=answering("The pool was set to 8 on Monday at noon."),
        b=answering("The pool was set to 80 on Monday at noon."),
    )
    page = page_of(runs)
    assert {"ins", "del"} <= page.names
    assert "1 word added, 1 dropped" in page.text


def test_settings_that_differ_stand_apart():
    runs = comparison(a=answering("x"), b=answering("x", context_window=500))
    assert runs.settings == [("window", ["400", "500"])]
    assert "window" not in dict(runs.shared_settings)
    assert dict(runs.shared_settings)["answer length"] == "60"


def test_shared_templates_and_chunks_stand_once():
    runs = comparison(a=reported("refine"), b=reported("compact"), c=reported("accumulate"))
    text = page_of(runs).text
    assert text.count("text_qa_template · a, b and c") == 1
    assert text.count("refine_template · a and b") == 1
    assert text.count("3 chunks · a, b and c") == 1


def test_a_column_that_has_no_run_says_why():
    run = reported()
    rows = [row_with(run), refused("B", "refine"), before("C", "accumulate")]
    rows += [ran(before("D", "tree_summarize"), None, "key sk-planted")]
    told = compared(comparison_of(rows), 0)
    assert told.without == [
        ("B · refine", "There is no room."),
        ("C · accumulate", "It was not run."),
        ("D · tree_summarize", "The run failed."),
    ]
    assert told.reference == "A · compact"
    written = comparison_html(told, MADE)
    assert "There is no room." in written
    assert "sk-planted" not in written


def test_measures_are_those_of_the_page():
    runs = [reported("refine"), reported("compact")]
    rows = [row_with(run, column) for run, column in zip(runs, "AB", strict=True)]
    told = compared(comparison_of(rows), 0)
    measures = dict(told.measures)
    assert measures["calls"] == ["3", "1"]
    assert measures["tokens"] == [f"{sum(run.trace.spent.tokens):,}" for run in runs]
    assert "passed" not in measures


def test_what_each_answer_passed_of_what_is_expected_stands_in_the_report():
    asked = Asked(QUESTION, facts=read_facts("* the pool\n* DNS\nMonday"))
    runs = answering("The pool."), answering("The pool, by DNS.", "refine")
    rows = [judged(row_with(run, at), asked) for run, at in zip(runs, "AB", strict=True)]
    [passed, *_] = compared(comparison_of(rows, asked), 0).measures
    assert passed == ("passed", ["1 of 2", "2 of 2"])


@pytest.mark.slow
def test_the_page_offers_its_files_once_there_is_a_run():
    page = Compare()
    assert keys.EXPORT_OPEN not in page.keys
    page.finish().set(export=True)
    assert page.downloads == ["Report", "Calls as CSV"]
