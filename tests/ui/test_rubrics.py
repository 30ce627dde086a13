"""Rubrics in Compare: planned and priced, judged after the answers, kept, and asked but once."""

import json
import re

import pytest

from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence
from tests.ui.page import comes_back
from tests.ui.test_compare import ONE_CHUNK, Compare
from ui.pages.compare.frame import ComparedRuns
from ui.session import keys
from ui.workspaces.files import select_shared

pytestmark = pytest.mark.slow

COLUMNS = ({"mode": "compact", "model": "offline"}, {"mode": "context_only", "model": "offline"})
SET = '{"query": "What failed?", "checks": ["icontains: pump", "rubric: names the pump"]}\n'
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
        given = {"chunks": ONE_CHUNK, "query_str": "What failed?", keys.QUESTION_SET: SET}
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
    assert "Judging by rubrics" not in page.text


@pytest.mark.parametrize(
    ("reply", "state", "said"),
    [
        (YES, "holds", ""),
        (NO, "lacks", "It is a list (judged by m)."),
        (Answer("<b>Pass</b>"), "unknown", "can&#39;t be read: &#39;&lt;b&gt;Pass&lt;/b&gt;&#39;"),
        (Answer(None), "unknown", "Its reply can&#39;t be read: &#39;&#39; (judged by m)."),
    ],
)
def test_a_rubric_passes_by_a_reply_that_says_so(reply, state, said):
    with FakeOpenAI(reply) as server:
        page = Rubrics(server).finish()
    assert held(page) == [state] * 2
    assert said in page.text
    assert ("<b>A and B pass.</b>" in page.text) == (reply is YES)
    assert ("<b>A and B do not pass.</b>" in page.text) == (reply is NO)


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
        asked = SET + SET.replace("the pump", "a time")
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
    assert "names the pump" in server.requests[0].body["messages"][-1]["content"]
