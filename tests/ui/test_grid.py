"""The view Grid of Compare: a set of questions, what is expected, and what passed."""

import re
from dataclasses import replace

import pytest

from synth.quality import read_check, read_facts, read_questions
from synth.quality.samples import SAMPLES
from tests.fake_openai import Failure, FakeOpenAI
from tests.ui.compare_columns import after, fan_of, trace_of
from tests.ui.page import comes_back
from tests.ui.sample_calls import made
from tests.ui.test_compare import ONE_CHUNK, Compare, at
from ui.kept.values import from_json
from ui.look.elements import as_csv
from ui.pages.compare.columns import Column
from ui.pages.compare.comparison import Comparison
from ui.pages.compare.grid_view import runs_frame
from ui.pages.compare.judged_runs import (
    Asked,
    judge,
)
from ui.pages.compare.run_slots import RunSlot
from ui.session import keys
from ui.settings.schema import DEFAULT

pytestmark = pytest.mark.slow

SET = """query,facts,checks
What failed?,* the pump failed,icontains: noon
When did it fail?,at noon,"not-contains: noon"
Who saw it?,a witness,"cost(0.01)"
"""


class Grid(Compare):
    def __init__(self, *columns, **settings):
        columns = columns or ({"mode": "compact"}, {"mode": "no_text"})
        super().__init__(*columns, **{"chunks": ONE_CHUNK} | settings)

    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.COMPARE_VIEW] = "grid"
        self.at.session_state[keys.COMPARE_EDITING] = True

    def paste(self, text, form="csv"):
        self.at.text_area(key="pasted_set").set_value(text)
        self.at.segmented_control(key="pasted_set_form").set_value(form)
        return self.press("take_set")

    def upload(self, name, data):
        [uploader] = self.at.file_uploader
        uploader.set_value([(name, data, "text/plain")])
        return self.draw()


def tiles(page):
    [grid] = re.findall(r"<table style.*?</table>", page.text, re.DOTALL)
    return re.findall(r'<button [^>]*class="tile (\w+)', grid)


def test_a_pasted_set_is_asked_and_each_run_is_a_tile():
    page = Grid().paste(SET)
    assert "<b>A set of 3 questions</b> with 3 facts and 3 checks is asked." in page.text
    assert tiles(page) == ["blank"] * 6
    assert not page.downloads
    page.finish()
    assert page.trace("A", 1).setup.query == "When did it fail?"
    assert tiles(page) == ["all", "some", "some", "some", "some", "some"]
    assert "<b>A 1 of 3 · B 0 of 3;</b> can&#39;t be told apart with fewer than 6 q" in page.text
    assert "<b>1 of 3</b><span>6 to 79\u00a0%" in page.text
    assert '<li dir="auto">holds “the pump failed”, a must</li>' in page.text
    page.set(compare_question=3)  # each check of the run that is chosen, and its answer
    assert page.trace("A", 2).response in page.text
    assert "“a witness” is in no chunk" in page.text
    page.set(compare_question=2, grid_column=1)
    assert "no_text sends no chunk" in page.text
    assert 'class="tile some open"' in page.text
    page.set(compare_question=1, grid_column=0)
    page.enter("facts What failed?", "it rained")  # in the place of those of the set
    assert "“it rained” is in no chunk" in page.text
    assert tiles(page)[0] == "some"


def test_the_shipped_questions_are_asked_with_one_click_where_their_sample_is():
    page = Grid()
    assert "shipped_set grid" not in page.keys
    page = Grid(chunks=SAMPLES[1].chunks).press("shipped_set grid")
    assert "<b>A set of 20 questions</b> with 37 facts is asked." in page.text
    assert not {"shipped_set grid", "shipped_set editors"} & page.keys
    assert len(tiles(page)) == 40


CALLS = fan_of(made, [0])


def frame_of(*responses, **expected):
    """The table of the repeats of one column that gave these answers, None where it was not run."""
    asked = Asked("Why?", **expected)
    cells = {}
    for repeat, response in enumerate(responses):
        cell = replace(after("A", "compact", CALLS, response), slot=RunSlot("A", 0, repeat))
        judged = None if response is None else judge(cell.trace, asked, None)
        cells[cell.slot] = replace(cell, asked=asked, judged=judged)
    return runs_frame(Comparison((Column("A", ()),), (asked,), len(responses), 0, cells, DEFAULT))


def test_each_run_has_a_row_of_the_csv():
    must = read_facts("* the pump failed")
    frame = frame_of("the pump failed", "=no", None, "yes", facts=must)
    assert frame["repeat"].tolist() == [1, 2, 4]
    assert frame["question_passed"].tolist() == [1, 0, 0]
    assert frame["passed"].tolist() == [1, 0, 0]
    assert frame["failed"].tolist()[:2] == ["", "holds “the pump failed”, a must"]
    assert "'=no" in as_csv(frame).decode()
    unsure = frame_of(
        "the pump failed", facts=read_facts("* the pump failed"), checks=(read_check("cost(0.01)"),)
    )
    assert unsure["question_passed"].isna().all()
    assert unsure["failed"][0].endswith("(not checkable)")


def test_a_fact_that_is_no_must_is_not_needed_in_the_csv():
    frame = frame_of("the pump failed", facts=read_facts("* the pump failed\nthe valve"))
    assert frame["failed"].tolist() == ["holds “the valve” (not needed)"]


@pytest.mark.parametrize(
    ("facts", "checks", "score"),
    [
        (("* the pump failed", "the valve"), (), 1),
        (("the pump failed", "the valve"), (), 0),
        (("* the pump failed", "* the valve"), (), 0),
        (("* the valve", "the pump failed"), (), 0),
        (("* the pump failed", "the valve"), ("contains: pump",), 1),
        (("* the pump failed",), ("contains: valve",), 0),
        (("* the pump failed",), ("cost(0.01)",), None),
    ],
)
def test_an_answer_has_to_hold_the_facts_that_must_arrive_or_all(facts, checks, score):
    asked = Asked("?", {}, read_facts("\n".join(facts)), tuple(map(read_check, checks)))
    assert judge(trace_of(CALLS, "Then the pump failed."), asked, None).score == score


def test_repeats_have_a_tile_each_and_the_share_counts():
    page = Grid(compare_repeats=2).paste(SET).finish()
    assert tiles(page)[:3] == ["all", "all", "some"]
    assert "A 1 of 3 · B 0 of 3" in page.text
    assert page.downloads == ["All runs as CSV"]
    page.set(grid_repeat=1)
    assert "repeat 2" in page.text
    assert 'class="tile all open"' in page.text


def test_a_failed_run_has_no_score_and_says_why():
    with FakeOpenAI(*[Failure(401, "no such key")] * 3) as server:
        page = Grid(at(server), {"mode": "no_text"}, model_name="m")
        page.paste(SET).finish()
    assert ">failed<span" in page.text
    assert "The run failed, so it has no answer to check." in page.text
    assert "The answer</div>" not in page.text
    assert "not yet" in page.text


def test_a_set_is_dropped_saved_and_removed():
    page = Grid(query_str="Why?").upload("mine.csv", SET.encode())
    text = comes_back(page.space.values)[keys.QUESTION_SET]
    assert read_questions("kept.jsonl", text) == read_questions("mine.csv", SET)
    page.press("Remove the set")
    assert page.at.text_area(key="compare_questions")
    assert "question_set" not in page.space.values
    assert "Nothing is expected of the answers yet." in page.text


NOT_ASKED = (
    ("csv", "query,checks\nWhy?,contians: 8\nHow?,regex: (", ["write contains", "regex"]),
    ("json", '[{"query": "Why?", "chunks": ["own"]}]', ["1 of its 1 question", "Playground"]),
    ("jsonl", '{"query": "A?", "facts": ["b"]}\n{"query": "A?"}', ["different facts"]),
)


def test_a_set_that_cannot_be_asked_is_told_and_the_one_before_stays():
    page = Grid().paste(SET)
    before = page.space.values[keys.QUESTION_SET]
    for form, text, said in NOT_ASKED:
        page.paste(text, form)
        assert "This set was not taken." in page.text
        assert all(words in page.text for words in said)
        assert page.space.values[keys.QUESTION_SET] == before
        assert page.at.text_area(key="pasted_set").value == text
        assert [one.proto.expanded for one in page.at.expander if "A set of" in one.label] == [True]
    page.paste(SET)
    assert "This set was not taken." not in page.text


def test_a_set_says_what_of_its_file_is_left_out():
    text = """
    - vars: {query: [Why?, How?]}
      assert: [{type: contains, value: pump}, {type: g-eval, value: kind}, python]
    """
    page = Grid().paste(text, "yaml")
    said = "Left out, since it is not computed here: g-eval (2), python (2)."
    assert said in page.text
    assert "<b>A set of 2 questions</b> with 2 checks is asked." in page.text


def test_a_saved_set_of_another_program_that_cannot_be_read_is_left_out():
    own = '{"query": "Why?", "chunks": ["own"]}'
    assert from_json({keys.QUESTION_SET: own, keys.QUESTIONS: "Why?"}) == {keys.QUESTIONS: "Why?"}
    assert from_json({keys.QUESTION_SET: "no set"}) == {}


def test_the_variables_of_a_question_fill_the_templates():
    text = "{tone}: {context_str} {query_str}"
    sets = {"Ours": {"text_qa_template": text}}
    column = {"mode": "compact", "template_set": "Ours"}
    page = Grid(column, {"mode": "no_text"}, template_sets=sets)
    page.paste('{"query": "Why?", "variables": {"tone": "calm"}}', "jsonl").finish()
    assert page.trace("A").calls[0].prompt.text.startswith("calm: The pump")


def test_questions_that_one_column_fails_are_shown_alone_with_where_their_facts_were_lost():
    chunks = ("The pump failed. " + "It was cold. " * 60, "The valve broke at noon.")
    columns = ({"mode": "accumulate"}, {"mode": "simple_summarize"})
    page = Grid(*columns, chunks=chunks, context_window=150, num_output=60)
    page.paste("query,facts\nWhat broke at noon?,valve broke\nWhat failed?,the pump\n").finish()
    assert len(tiles(page)) == 4
    assert len(tiles(page.set(grid_failures="B"))) == 2
    page.set(grid_column=1)
    assert "“valve broke” is not in the answer. Chunk 2 says" in page.text
