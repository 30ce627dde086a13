"""Questions of Compare: a set, what is expected, what a person says, and what a model judges."""

import json
import math
import re

import pytest

from synth.quality import read_check, read_facts, read_questions
from synth.quality.samples import SAMPLES
from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence
from tests.ui.compare_columns import after, fan_of, judged
from tests.ui.page import comes_back
from tests.ui.sample_calls import made
from tests.ui.test_compare import ONE_CHUNK, Compare
from ui.pages.compare.comparison import Asked, ComparedRuns
from ui.session import keys
from ui.workspaces.files import select_shared

pytestmark = pytest.mark.slow

SET = """query,facts,checks
What failed?,* the pump failed,icontains: noon
When did it fail?,at noon,"not-contains: noon"
Who saw it?,a witness,"rubric: It is short."
"""


class Grid(Compare):
    def __init__(self, *columns, **settings):
        columns = columns or ({"mode": "compact"}, {"mode": "no_text"})
        super().__init__(*columns, **{"chunks": ONE_CHUNK} | settings)

    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.COMPARE_VIEW] = "grid"

    def drop(self, text, form="csv"):
        [uploader] = self.at.file_uploader
        uploader.set_value([(f"mine.{form}", text.encode(), "text/plain")])
        return self.draw()


def signs(page):
    """The signs of the table, line by line: ✓, ×, ? and –."""
    return "".join(re.findall(r'<span class="sign \w+">(.)', page.text))


def test_a_set_is_asked_and_each_question_is_a_line():
    page = Grid().drop(SET)
    assert "<b>A set of 3 questions</b> with 3 facts and 3 checks is asked." in page.text
    assert signs(page) == "–" * 6
    assert not page.downloads
    page.finish()
    assert page.trace("A", 1).setup.query == "When did it fail?"
    assert signs(page) == "??××××"  # the answers to the open question are to be judged
    page.set(compare_question=3)
    assert signs(page)[:4] == "✓×××"
    assert "A 1 of 3 · B 0 of 3 pass." in page.text
    assert "A good answer holds “a witness”." in page.text
    page.set(compare_question=2, compare_view="columns")
    assert "no_text sends no chunk" in page.text
    page.set(compare_question=1, compare_view="grid")
    page.enter("facts What failed?", "it rained")  # in the place of those of the set
    page.set(compare_view="columns")
    assert "“it rained” is in no chunk" in page.text


def test_the_shipped_questions_are_asked_with_one_click_where_their_sample_is():
    page = Grid()
    assert "shipped_set" not in page.keys
    page = Grid(chunks=SAMPLES[1].chunks).press("shipped_set")
    assert "<b>A set of 20 questions</b> with 37 facts is asked." in page.text
    assert "shipped_set" not in page.keys
    assert len(signs(page)) == 40


CALLS = fan_of(made, [0])


@pytest.mark.parametrize(
    ("facts", "checks", "score"),
    [
        (("* the pump failed", "the valve"), (), 1),
        (("the pump failed", "the valve"), (), 0),
        (("* the pump failed", "* the valve"), (), 0),
        (("* the valve", "the pump failed"), (), 0),
        (("* the pump failed", "the valve"), ("contains: pump",), 1),
        (("* the pump failed",), ("contains: valve",), 0),
        (("* the pump failed",), ("rubric: It is short.",), None),
    ],
)
def test_an_answer_has_to_hold_the_facts_that_must_arrive_or_all(facts, checks, score):
    asked = Asked("?", {}, read_facts("\n".join(facts)), tuple(map(read_check, checks)))
    found = judged(after("A", "compact", CALLS, "Then the pump failed."), asked).score
    assert math.isnan(found) if score is None else found == score


def test_a_set_is_dropped_saved_and_removed():
    page = Grid(query_str="Why?").drop(SET)
    text = comes_back(page.space.values)[keys.QUESTION_SET]
    assert read_questions("kept.jsonl", text) == read_questions("mine.csv", SET)
    page.press("Remove the set")
    assert page.at.text_area(key="compare_questions")
    assert "question_set" not in page.space.values
    assert "Nothing is expected of the answers yet." in page.text


NOT_ASKED = (
    ("csv", "query,checks\nWhy?,contians: 8\nHow?,regex: (", ["write contains"]),
    ("jsonl", '{"query": "A?", "facts": ["b"]}\n{"query": "A?"}', ["different facts"]),
)


def test_a_set_that_cannot_be_asked_is_told_and_the_one_before_stays():
    page = Grid().drop(SET)
    before = page.space.values[keys.QUESTION_SET]
    for form, text, said in NOT_ASKED:
        page.drop(text, form)
        assert "This set was not taken." in page.text
        assert all(words in page.text for words in said)
        assert page.space.values[keys.QUESTION_SET] == before
    page.drop(SET)
    assert "This set was not taken." not in page.text


def test_the_variables_of_a_question_fill_the_templates():
    text = "{tone}: {context_str} {query_str}"
    page = Grid({"mode": "compact", "text_qa_template": text}, {"mode": "no_text"})
    page.drop("question,tone,topic,contexts\nWhy?,calm,pumps,own\n").finish()
    assert page.trace("A").calls[0].prompt.text.startswith("calm: The pump")
    assert "Not sent, since no template names them: topic." in page.text
    assert "Left out, since it is not read here: contexts (1)." in page.text


def test_what_a_column_alone_fails_is_listed_and_why_it_does():
    chunks = ("The pump failed. " + "It was cold. " * 60, "The valve broke at noon.")
    columns = ({"mode": "accumulate"}, {"mode": "simple_summarize"})
    page = Grid(*columns, chunks=chunks, context_window=150, num_output=60)
    page.drop("query,facts\nWhat broke at noon?,valve broke\nWhat failed?,the pump\n").finish()
    page.set(compare_question=2)
    assert signs(page)[:2] == "✓×"
    page.set(compare_view="chart")
    assert "1 question that only B fails" in page.text
    [listed] = re.findall(r'data-click="question (\d)"', page.text)
    assert listed == "0"
    page.set(compare_view="columns", compare_question=1)
    assert "“valve broke” is not in the answer. Chunk 2 says" in page.text


# ---- judged like a deck


def test_cards_are_the_different_answers_without_the_names_of_their_columns():
    columns = ({"mode": "compact"}, {"mode": "compact"}, {"mode": "no_text"})
    page = Grid(*columns, query_str="What failed?").finish()
    assert {"card 1", "card 2"} <= page.keys
    assert "card 3" not in page.keys
    assert "Shuffled: 2 answers of 3 columns." in page.text
    assert "0 of 1 judged" in page.text
    assert "by A and B" not in page.text
    page.press("card 1")
    assert "1 of 1 judged" in page.text
    assert "by A and B" in page.text
    assert sorted(one.thumb for one in page.space.values[keys.RATINGS].values()) == [False, True]
    assert {"right", "wrong"} == set(re.findall(r'muted"> (right|wrong)</span>', page.text))
    page.press("none_is_right")
    assert "A, B and C do not pass." in page.text
    assert not any(one.thumb for one in page.space.values[keys.RATINGS].values())


COLUMNS = ({"mode": "compact", "model": "offline"}, {"mode": "context_only", "model": "offline"})
JUDGED = '{"query": "What failed?", "checks": ["icontains: pump", "rubric: names the pump"]}\n'
YES = Answer(json.dumps({"reason": "It names the pump.", "pass": True}))
NO = Answer(json.dumps({"reason": "It is a list.", "pass": False}))


class Rubrics(Compare):
    """Offline columns, and a model that judges, on the loopback interface."""

    def __init__(self, server=None, *, columns=COLUMNS, **settings):
        if server is not None:
            settings = {
                "model": "endpoint",
                "base_url": server.base_url,
                "model_name": "m",
            } | settings
        given = {"chunks": ONE_CHUNK, "query_str": "What failed?", keys.QUESTION_SET: JUDGED}
        super().__init__(*columns, **given | settings)

    def wait(self):
        for job in [*self.jobs, *self.space.holding(ComparedRuns).judging]:
            job.wait()
        return self.draw()


def held(page):
    """What came of the rubric in the answer of each column."""
    return re.findall(r'class="held (\w+)" title="rubric', page.text)


def test_judging_is_planned_before_it_is_asked_and_asked_after_the_answers():
    with FakeOpenAI(NO) as server:
        page = Rubrics(server)
        assert "To send: at most 1 call, " in page.text
        assert "Judging by rubrics: 2 calls to m, about" in page.text
        assert "at most 800 output tokens, price unknown." in page.text
        assert not server.requests
        page.finish()
        prompts = [request.body["messages"][-1]["content"] for request in server.requests]
    assert len(prompts) == 1  # both columns gave one answer
    assert "Answer:\n=====\nThe pump failed at noon.\n=====" in prompts[0]
    assert server.requests[0].body["temperature"] == 0
    assert held(page) == ["lacks", "lacks"]
    assert "It is a list (judged by m)." in page.text
    assert "<b>A and B do not pass.</b>" in page.text
    assert "Judging by rubrics" not in page.text


def test_a_reply_that_can_not_be_read_judges_nothing_and_is_text():
    with FakeOpenAI(Answer("<b>Pass</b>")) as server:
        page = Rubrics(server).finish()
    assert held(page) == ["unknown"] * 2
    assert "can&#39;t be read: &#39;&lt;b&gt;Pass&lt;/b&gt;&#39;" in page.text


def test_the_offline_model_judges_nothing_and_the_page_says_why():
    page = Rubrics()
    why = "No rubric is judged: choose a model that can, of an endpoint or on this machine."
    assert why in page.text
    page.finish()
    assert why in page.text
    assert held(page) == ["unknown", "unknown"]
    assert "<b>1 of 2</b>" in page.text
    assert "No model has judged it by this rubric." in page.text
    assert "judge_button" not in page.keys
    assert not page.space.holding(ComparedRuns).judging
    unnamed = Rubrics(model="endpoint", base_url="http://127.0.0.1:9/v1")
    assert "No model is named: name one that" in unnamed.text


def test_a_reload_and_a_second_look_ask_nothing_anew():
    with FakeOpenAI(YES) as server:
        page = Rubrics(server).finish()
        page.space.values = comes_back(page.space.values)
        assert held(page.open()) == ["holds", "holds"]
        assert "judge_button" not in page.keys
        page.finish()  # run again: equal answers have their ruling
        assert len(server.requests) == 1
        assert held(page) == ["holds", "holds"]
    assert keys.RULINGS not in select_shared(page.space.values)


def test_another_model_is_asked_anew_and_costs_no_ruling_of_the_first():
    with FakeOpenAI(YES, NO) as server:
        page = Rubrics(server).finish().set(model_name="other")
        assert held(page) == ["unknown", "unknown"]
        assert "Judging by rubrics: 1 call to other" in page.text
        page.press("judge_button").wait()
        assert "(judged by other)" in page.text
        assert held(page.set(model_name="m")) == ["holds", "holds"]
        assert len(server.requests) == 2


def test_a_cap_ends_the_judging_and_what_was_said_is_kept():
    with FakeOpenAI(YES) as server:
        asked = JUDGED + JUDGED.replace("the pump", "a time")
        page = Rubrics(server, cap_calls=1, concurrency=1, **{keys.QUESTION_SET: asked}).finish()
        assert len(server.requests) == 1
        assert "Judging ended early." in page.text
        assert "The cap of 1 calls is reached" in page.text
        assert "Judging by rubrics: 1 call to m" in page.text
        page.press("judge_button").wait()
        assert len(server.requests) == 2
    assert "Judging ended early." not in page.text


@pytest.mark.parametrize("fault", [Failure(401, "no such key"), Silence()])
def test_a_model_that_fails_or_is_stopped_costs_no_run_and_no_ruling(fault):
    with FakeOpenAI(fault) as server:
        page = Rubrics(server).press("run_button")
        if isinstance(fault, Silence):
            eventually(lambda: server.requests, "the judging")
            assert "Judging: 0 calls answered." in page.draw().text
            page.press("stop_button")
        else:
            page.wait()
    assert held(page) == ["unknown", "unknown"]
    assert ("Judging ended early." in page.text) == isinstance(fault, Failure)
    assert "Judging by rubrics: 1 call to m" in page.text


def test_a_rubric_is_typed_among_the_facts_of_a_question():
    with FakeOpenAI(YES) as server:
        page = Rubrics(server, **{keys.QUESTION_SET: None})
        page.set(compare_view="grid")
        page.enter("facts What failed?", "* the pump\nrubric: names the pump\nrubric:")
        page.set(compare_view="columns").finish()
    assert held(page) == ["holds", "holds"]
    assert "<b>A and B pass.</b>" in page.text
    assert "names the pump" in server.requests[0].body["messages"][-1]["content"]
