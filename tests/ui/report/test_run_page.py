"""The reports of a run and of a comparison, and their tables: all of it is there, as text alone."""

import csv
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ModelError
from synth.llms import FunctionLLM
from synth.quality import read_facts
from synth.runs.prices import Price
from synth.text.wording import reveal
from tests.ui.compare_columns import before, comparison_of, judged, ran, refused, row_of
from tests.ui.report.reported import CHUNKS, QUESTION, Read, reported
from ui.export.report_pages import list_settings, run_html
from ui.export.run_files import as_csv, calls_table
from ui.pages.compare.comparison import Asked
from ui.pages.compare.report import calls_of_runs, downloads, report_html
from ui.settings.request import Model
from ui.store.rows import RunInfo

MADE = datetime(2026, 3, 14, 9, 42, tzinfo=UTC)
OPTIONS = (("temperature", 0.2), ("seed", 7))
ENDPOINT = Model("endpoint", "some-model", "https://secret-host.example/v1", OPTIONS, Price(1, 2))
NASTY = '</p></style><img src=x onerror="alert(1)"><script>alert(2)</script>\u202e\x00\ud800'
TAGS = {
    *("html", "head", "meta", "title", "style", "body", "main", "footer", "div", "span", "p"),
    *("b", "i", "bdi", "dfn", "h1", "h2", "h3", "dl", "dt", "dd", "details", "summary"),
    *("svg", "pattern", "g", "rect", "line", "path", "circle", "br"),
}
MODES = ("refine", "compact", "tree_summarize", "accumulate", "generation", "no_text")


def page_of(run):
    return Read(run_html(run, MADE))


@pytest.mark.parametrize("mode", MODES)
def test_every_prompt_answer_and_chunk_is_there(mode):
    run = reported(mode)
    page = page_of(run)
    for call in run.trace.calls:
        for span in call.prompt.spans:
            for line in str(span.text).split("\n"):
                assert line in page.text
        assert call.answer in page.text
    for chunk in run.request.text_chunks:
        assert chunk in page.text
    assert QUESTION in page.text
    assert len(page.of("head")) == len(run.trace.calls) + 1 + len(run.request.templates)


def test_the_settings_are_there_and_nothing_that_is_not_listed():
    """A field that is added to a request does not come into a report by itself."""
    model = replace(ENDPOINT, address="https://user:pass@host/?key=1")
    given = {"model": model, "response_padding_size": 12, "chunk_overlap_ratio": 0.25}
    run = reported("compact", **given)
    assert dict(list_settings(run.request)) == {
        "mode": "compact",
        "behaviour": "documented",
        "window": "400",
        "answer length": "60",
        "room for reasoning": "0",
        "overlap": "0.25",
        "chunk size limit": "none",
        "safety margin": "12",
        "tokenizer": "counted with cl100k_base",
        "counts times": "1",
        "structured answer filtering": "off",
        "chunks": "3 chunks",
        "model": "some-model",
        "temperature": "0.2",
        "seed": "7",
        "price": "$1.00 in, $2.00 out a million tokens",
    }
    text = page_of(run).text
    assert all(f"{name}{value}" in text for name, value in list_settings(run.request))


def test_nothing_in_it_is_loaded_or_run():
    page = page_of(reported("tree_summarize", text_chunks=(NASTY, *CHUNKS), query_str=NASTY))
    policy = next(attrs for name, attrs in page.tags if attrs.get("http-equiv"))
    assert policy["http-equiv"] == "Content-Security-Policy"
    assert "default-src 'none'" in policy["content"]
    assert page.names <= TAGS
    every = {name for _, attrs in page.tags for name in attrs}
    assert not every & {"src", "href", "srcset", "action", "xlink:href"}
    assert not [name for name in every if name.startswith("on")]
    assert page.style.count("url(") == page.style.count("url(#hatch-")
    assert "@import" not in page.style


@given(st.text(st.characters(), max_size=80), st.text(st.characters(), max_size=80))
def test_any_text_is_only_text(question, answer):
    run = reported("compact", FunctionLLM(lambda _: answer), query_str=f"?{question}?")
    page = page_of(run)
    assert page.names <= TAGS
    assert reveal(f"?{question}?".strip()).replace("\r", "\n") in page.text.replace("\r", "\n")
    assert reveal(answer).replace("\r", "\n") in page.text.replace("\r", "\n")


def test_no_address_and_nothing_that_a_server_said_is_in_the_report_or_in_the_table():
    def refuse(_):
        raise ModelError("Incorrect key sk-planted for https://secret-host.example")

    run = reported("refine", FunctionLLM(refuse), model=ENDPOINT)
    assert "sk-planted" in run.trace.error
    source, table = run_html(run, MADE), as_csv(calls_table(run.trace)).decode()
    for written in (source, table):
        assert "sk-planted" not in written
        assert "secret-host" not in written
    assert "The run failed. A call was sent, or should have been, and no usable answer" in source
    [row] = csv.DictReader(StringIO(table))
    assert row["error"].startswith("A call was sent")


def test_answers_of_a_person_are_named():
    text = page_of(replace(reported("refine"), info=RunInfo(edited=frozenset({2})))).text
    assert "the answer of call 2 edited by hand" in text
    assert "answer edited by hand" in text


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t", "\r"])
def test_a_spreadsheet_computes_nothing(begins):
    text = begins + 'HYPERLINK("http://x.example")'
    run = reported(llm=FunctionLLM(lambda _: text))
    [row] = csv.DictReader(StringIO(as_csv(calls_table(run.trace)).decode(), newline=""))
    assert row["answer"] == f"'{text}"
    assert row["prompt"] == run.trace.calls[0].prompt.text
    assert row["prompt_tokens"] == str(run.trace.prompt_tokens)


ASKED = Asked(QUESTION, facts=read_facts("* the pool\n* DNS\nMonday"))


def row_with(run, column="A", question=0):
    return ran(row_of(column, run.request), run.trace)._replace(question=question)


def page_of_comparison(rows, *asked):
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
    page = page_of_comparison(rows)
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
    text = page_of_comparison(rows, *asked).text
    assert "They can't be told apart." in text
    assert "✕ DNS" in text
    assert "Monday" not in text  # which no answer needs


def test_settings_that_differ_stand_apart():
    rows = [row_with(answering("x"), "A"), row_with(answering("x", context_window=500), "B")]
    text = page_of_comparison(rows).text
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
    [_, calls] = downloads(comparison)
    assert "A row for each call of 1 run" in calls.meaning
    assert "Not in it: 1 run without a call." in calls.meaning
