"""The view Answer: which chunks it quotes, and what is unfounded."""

import re

import pytest

from synth.html.provenance import provenance_html
from synth.quality.support import Mention
from synth.words.provenance import Match
from tests.fake_openai import Answer, FakeOpenAI
from tests.ui.page import Playground, endpoint
from tests.ui.test_compare import Compare, at
from ui.look.elements import LONGEST_TEXT, Row, rows_html

pytestmark = pytest.mark.slow

ROW = re.compile(r'<details class="([^"]*)">(.*?)</details>', re.DOTALL)


def rows(page):
    """The classes and the words of the rows of chunks."""
    found = ROW.findall(page.text)
    words = [(classes, re.sub(r"<[^>]+>", " ", body)) for classes, body in found]
    return [(classes, body) for classes, body in words if "row-context" in classes]


def test_the_sources_say_which_of_them_are_quoted():
    chunks = ("Pumps fail often in winter.", "Valves were shut by hand.", "Nobody was told at all.")
    quoting = "Valves were shut by hand, and so it froze."
    with FakeOpenAI(Answer(quoting)) as server:
        page = endpoint(server, chunks=chunks).finish()
    assert "9 words · 5 of them word for word in a chunk" in page.text
    assert "Sources · 1 of 3 chunks is quoted" in page.text
    (first, one), (second, two), (_, three) = rows(page)
    assert "dim" in first
    assert "not quoted" in one
    assert second == "row row-context from-2"
    assert "5 words" in two
    assert "not quoted" in three
    assert '<span class="q-2">' in page.text
    assert "<style>.st-key-two_answer:has(.from-2:is(" in page.text
    assert ".from-1:is(" not in page.text


def test_a_chunk_that_no_call_carried_is_said_to_be_cut_off():
    page = Playground(mode="simple_summarize").finish()
    notes = [body for _, body in rows(page)]
    assert all("cut off" not in note for note in notes[:7])
    assert " are cut off" in notes[7]
    assert all(" are cut off" in note for note in notes[8:])
    assert "tokens of the chunks were cut off." in page.text


@pytest.mark.parametrize(
    ("settings", "reached"),
    [({"mode": "context_only"}, 12), ({"mode": "refine", "cap_calls": 3}, 3)],
)
def test_what_is_given_back_or_not_reached_is_not_cut_off(settings, reached):
    page = Playground(**settings).finish()
    notes = [body for _, body in rows(page)]
    assert ["are not sent" in note for note in notes] == [at >= reached for at in range(12)]
    assert not any("cut off" in note for note in notes)


def test_without_an_answer_no_source_is_called_unused():
    page = Playground(mode="no_text").finish()
    assert "Sources · 12 chunks" in page.text
    assert "not quoted" not in page.text


def test_of_many_chunks_the_first_are_shown_and_those_that_are_quoted():
    chunks = [f"Report {number} says nothing new about it." for number in range(1, 71)]
    chunks[64] = "The lid of the seventh barrel was loose since Monday."
    quoting = Answer("The lid of the seventh barrel was loose.")
    with FakeOpenAI(quoting) as server:
        page = endpoint(server, mode="accumulate", chunks=tuple(chunks), concurrency=1).finish()
    shown = [classes for classes, _ in rows(page)]
    assert len(shown) == 60
    assert shown[-1].endswith("from-65")
    assert "and 10 more, which the inputs list" in page.text


def test_a_row_shows_any_text_as_text_and_much_of_a_long_one():
    evil = "</details><script>alert(1)</script>"
    source = rows_html([Row("context", "1", evil, note=evil, detail=evil)])
    assert "<script" not in source
    assert source.count("</details>") == 1
    long = rows_html([Row("answer", "2", "a" * (LONGEST_TEXT + 1))])
    assert "1 more character<" in long


def test_what_is_unfounded_is_underlined_even_across_a_tag():
    answer, missing = "on 1,234 <b>", [Mention("1,234", 3, 8, False)]
    shown = provenance_html(answer, [Match(0, 5, 2), Match(5, 12, None)], missing)
    assert re.findall('<span class="unfounded">(.*?)</span>', shown) == ["1,", "234"]
    assert shown.count("&lt;b&gt;") == 1
    assert 'class="unfounded"' not in provenance_html(answer, [Match(0, 12, None)])


def test_the_playground_underlines_what_is_unfounded():
    with FakeOpenAI(Answer("The pump failed at 9:30, Bo said.")) as server:
        page = endpoint(server, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    assert '<span class="unfounded">9:30</span>' in page.text
    assert "A wavy line is below" in page.text


def test_compare_names_what_of_an_answer_stands_in_no_chunk():
    with FakeOpenAI(Answer("The pump failed at 9:30, it said.")) as server:
        columns = [at(server, model_name="m"), {"mode": "refine"}]
        page = Compare(*columns, query_str="Why?", chunks=("The pump failed at noon.",)).finish()
    assert re.findall(r"in no chunk: ([^<]*)<", page.text) == ["9:30"]
