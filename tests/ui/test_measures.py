"""The measures of an answer on the pages: in the Playground, and as rows of Compare."""

import dataclasses
import html
import re

import pytest

from synth.html.provenance import provenance_html
from synth.quality import measure
from synth.words.measure_words import measure_lines, summary
from synth.words.provenance import Match
from tests.fake_openai import Answer, FakeOpenAI
from tests.quality.answered import answered
from tests.ui.page import Playground, endpoint
from tests.ui.test_compare import Compare, at

CHUNKS = ("The pool was set to 8 instead of 80 on 3 May.", "Ada mended it at 14:15.")


def said(answer):
    """The name and the value of each line on this answer."""
    run = dataclasses.replace(answered("x", CHUNKS), response=answer)
    return {line.name: line.value for line in measure_lines(measure(run))}


def folds(page):
    """The titles of the folds on the page."""
    return [fold.label for fold in page.at.expander]


def test_an_answer_in_words_of_the_chunks_has_nothing_against_it():
    assert said("The pool was set to 8 instead of 80.") == {
        "Words from the chunks": "9 of 9 words, 100\u00a0%",
        "Numbers, dates, names": "2 found, and each stands in a chunk or in the question",
        "Flags": "none",
    }


def test_what_stands_nowhere_is_named_once():
    found = said("The pool was set to 9, and 9 is what Bo saw on 4 May at noon.")
    assert found["Words from the chunks"] == "5 of 16 words, 31\u00a0%"
    assert found["Numbers, dates, names"] == (
        "5 of 5 stand in no chunk and not in the question: “9” (number), “Bo” (name),"
        " “4 May” (date), “noon” (date)"
    )


def test_flags_and_citations_say_what_is_wrong():
    found = said("I don't know. [7]")
    assert found["Flags"].startswith("Abstained: It says that it can't answer:")
    assert found["Citations"] == "1 of 1 citation to check: [7] names no chunk of this run."


@pytest.mark.parametrize(
    ("answer", "expected"),
    [
        ("The pool was set to 8", "100\u00a0% of its words from the chunks"),
        ("Bo lost 9 pumps", "0\u00a0% of its words from the chunks · 1 number in no chunk"),
        ("...", ""),
        (
            "I do not know.",
            "says that it can't answer · 0\u00a0% of its words from the chunks",
        ),
    ],
)
def test_the_summary_says_flags_first(answer, expected):
    run = dataclasses.replace(answered("x", CHUNKS), response=answer)
    assert summary(measure(run)) == expected


def test_what_is_unfounded_is_underlined_even_across_a_tag():
    answer = "on 4 May <b>"
    run = dataclasses.replace(answered("x", CHUNKS), response=answer)
    missing = measure(run).unfounded.missing
    shown = provenance_html(answer, [Match(0, 4, 2), Match(4, 12, None)], missing)
    assert re.findall('<span class="unfounded">(.*?)</span>', shown) == ["4", " May"]
    assert shown.count("&lt;b&gt;") == 1
    assert 'class="unfounded"' not in provenance_html(answer, [Match(0, 12, None)])


@pytest.mark.slow
def test_the_playground_measures_an_answer():
    with FakeOpenAI(Answer("The pump failed at 9 pm, Bo said.")) as server:
        page = endpoint(server, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    [title] = [fold for fold in folds(page) if "Measures" in fold]
    assert title.endswith("57\u00a0% of its words from the chunks · 2 dates or names in no chunk")
    assert '<span class="unfounded">9 pm</span>' in page.text
    assert "A wavy line is below" in page.text
    assert "divided by all of its words" in page.text


@pytest.mark.slow
def test_the_measures_of_a_run_are_computed_once(monkeypatch):
    computed = []
    monkeypatch.setattr(
        "ui.views.measures_view.measure", lambda *given: computed.append(given) or measure(*given)
    )
    page = Playground().finish()
    page.set(view="calls").set(view="answer")
    page.set(inputs_open=True).set(context_window=2_048)
    assert len(computed) == 1


def test_compare_shows_measures_of_answers_where_there_is_something_to_see():
    with FakeOpenAI(Answer("The pump failed at 9."), Answer("No pump.")) as server:
        page = Compare(
            at(server, model_name="m"),
            at(server, model_name="another", mode="accumulate"),  # else an answer may be reused
            query_str="Why?",
            chunks=("The pump failed at noon.",),
        )
        assert "unfounded" not in page.text
        page.finish()
    assert "words from the chunks" in page.text
    assert sorted(re.findall(r'"number">(\d+)\u00a0%<', page.text)) == ["0", "80"]
    share = r'style="width: ([\d.]+)%"></i></span><span class="number">80\u00a0%<'
    assert re.findall(share, page.text) == ["80.0"]
    assert page.text.count("<span>unfounded</span>") == 2


@pytest.mark.slow
def test_compare_tags_an_answer_that_abstains():
    with FakeOpenAI(Answer("I don't know.")) as server:
        page = Compare(at(server, model_name="m"), {"mode": "refine"}).finish()
    assert html.unescape(page.text).count(">says that it can't answer<") == 1
