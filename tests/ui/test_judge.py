"""The view Judge of Compare: planned, priced, asked, read, and held against blind thumbs."""

import json
import re
from dataclasses import replace
from threading import Event

import pytest

from tests.eventually import eventually
from tests.fake_openai import Answer, Failure, FakeOpenAI, Silence
from tests.ui.page import comes_back
from tests.ui.test_compare import Compare, at
from ui.history.recorder import Recorder
from ui.kept.files import shared
from ui.kept.values import from_json
from ui.pages.compare.judge.rounds import Rounds
from ui.pages.compare.ratings import Rating
from ui.pages.compare.run_slots import RunSlot, SlotRun
from ui.session import keys

pytestmark = pytest.mark.slow

CHUNKS = ["The pump failed at noon. Ada mended it."]
YES = Answer(json.dumps({"supported": True, "quote": "The pump failed at noon"}))


COLUMNS = ({"mode": "compact"}, {"mode": "context_only"})
NOT_OF_RUNS = ("judge", "cap_", "concurrency")
"""What the names of settings begin with that change no run of the offline model."""
RUNS: dict[str, dict[RunSlot, SlotRun]] = {}
"""The runs of the offline model, by what was asked and by their slots."""


class Judge(Compare):
    """The view Judge with a judge on the loopback interface, and runs that have ended.

    Those of the offline model are made once for all tests that want the same.
    """

    def __init__(self, *columns, server=None, **settings):
        columns = columns or ({"mode": "compact"}, {"mode": "no_text"})
        if server is not None:
            own = {"base_url": server.base_url, "model_name": "m"}
            settings[keys.JUDGE] = from_json({keys.JUDGE: own})[keys.JUDGE]
        settings = {"chunks": CHUNKS, "query_str": "What failed?"} | settings
        of_runs = {k: v for k, v in settings.items() if not k.startswith(NOT_OF_RUNS)}
        self.before = RUNS.setdefault(repr((columns, of_runs)), {})
        super().__init__(*columns, **settings)
        if not self.compared:
            self.finish()
            if "endpoint" not in repr((columns, of_runs)):
                self.before.update(self.compared)

    def load(self, **params):
        super().load(**params)
        self.at.session_state[keys.COMPARE_VIEW] = "judge"
        self.compared.update(self.compared or self.before)

    def judge_is(self, name, address=None):
        for field, text in (("base_url", address), ("model_name", name)):
            if text is not None:
                self.at.text_input(key=f"own {field} of judge").set_value(text)
        return self.draw()

    def refer(self, text):
        return self.enter("reference What failed?", text)

    def judge(self):
        self.press("judge_button")
        for job in self.round.jobs:
            job.wait()
        return self.draw()

    @property
    def button(self):
        return self.at.button(key="judge_button")

    @property
    def round(self):
        return self.space.holding(Rounds).latest


def said(supported, quote=""):
    return json.dumps({"supported": supported, "quote": quote})


def test_what_the_judge_found_is_in_the_headline_where_nothing_else_is_expected():
    grades = Answer(json.dumps({"supported": False, "quote": "", "grade": "correct"}))
    with FakeOpenAI(grades) as server:
        page = Judge(*COLUMNS, server=server).refer("Noon.").judge()
    assert "<b>A and B are judged correct in 1 of 1 question; 1 question can&#39;t" in page.text


def test_the_headline_counts_the_repeats_of_the_judge_that_are_asked_for():
    grades = ["correct", "correct", *["incorrect"] * 4]
    with FakeOpenAI(*(Answer(json.dumps({"grade": grade})) for grade in grades)) as server:
        settings = {"judge_kinds": ["correctness"], "judge_repeats": 3, "concurrency": 1}
        page = Judge(*COLUMNS, server=server, **settings).refer("Noon.").judge()
        assert "<b>A and B are judged correct in none of 1 question; 1 question" in page.text
        page.enter(keys.JUDGE_REPEATS, 1)
        assert "<b>A and B are judged correct in 1 of 1 question; 1" in page.text


def test_nothing_is_sent_before_it_was_planned_and_its_calls_can_be_read():
    with FakeOpenAI(YES) as server:
        page = Judge(server=server)
        assert "<b>Judging 1 answer takes 1 call</b>: 94 prompt tokens" in page.text
        assert not page.set(judge_calls=True).text.count("Answer of call 1")
        assert "Claim: " in page.text
        assert not server.requests
        page.judge()
    assert [request.body["temperature"] for request in server.requests] == [0]
    assert ">supported <b>1</b>" in page.text
    assert "Call 1 quotes &#39;The pump failed at noon&#39;. It stands in chunk 1." in page.text
    assert "Answer of call 1" in page.text
    assert "&#34;supported&#34;: true" in page.text
    assert ">supported <b>1</b>" in page.open().text
    assert page.button.label == "Judge again"


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("<script>alert(1)</script>", "can&#39;t be read"),
        (said(True, "The pump failed at dusk"), "what is not in its text"),
    ],
)
def test_a_reply_that_cannot_be_read_is_no_verdict_and_can_be_opened(reply, reason):
    with FakeOpenAI(Answer(reply)) as server:
        page = Judge(server=server).judge().set(judge_calls=True)
    assert ">no verdict <b>1</b>" in page.text
    assert reason in page.text
    assert "Answer of call 1" in page.text
    assert "<script>" not in page.text


@pytest.mark.parametrize("fault", [Answer(None), Failure(401, "no such key")])
def test_a_judge_that_fails_says_why_and_goes_on_where_it_was(fault):
    with FakeOpenAI(Answer('{"better": 1}'), fault, Answer('{"better": 2}')) as server:
        page = Judge(*COLUMNS, server=server, judge_kinds=["pair"], concurrency=1).judge()
        assert ">The judge ended early.</b>" in page.text
        assert "<b>not judged</b>" in page.text
        assert "Reused, and not sent again: 1." in page.text
        assert page.button.label == "Ask the other 1"
        sent = len(server.requests)
        page.judge()
        assert len(server.requests) == sent + 1
    assert "<b>better</b>" in page.text


@pytest.mark.parametrize("cap", [{"cap_calls": 3}, {"cap_tokens": 750}])
def test_the_cap_holds_for_all_repeats_together(cap):
    with FakeOpenAI(replace(YES, usage=None)) as server:
        page = Judge(server=server, judge_repeats=5, **cap)
        assert "it would stop before that" in page.text
        page.judge()
        assert len(server.requests) == 3
        assert "is reached" in page.text
        assert not page.judge().round.running
        assert len(server.requests) == 3


def test_repeats_are_asked_each_and_agree_or_not():
    replies = [YES, YES, Answer(said(False))]
    with FakeOpenAI(*replies) as server:
        page = Judge(server=server, judge_repeats=3).judge()
        assert len(server.requests) == 3
        assert "2 of 3 repeats say so." in page.text
    assert "repeats agree on 0 of 1" in page.text


def test_verdicts_stay_when_more_is_asked_and_that_fails():
    replies = [Answer('{"better": 1}'), Answer('{"better": 2}'), Failure(401, "no such key")]
    with FakeOpenAI(*replies) as server:
        page = Judge(*COLUMNS, server=server, judge_kinds=["pair"], concurrency=1).judge()
        page.enter(keys.JUDGE_KINDS, ["support", "pair"]).judge()
    assert len(server.requests) == 3
    assert ">The judge ended early.</b>" in page.text
    assert "<b>better</b>" in page.text


def test_a_grade_needs_a_reference_and_agrees_with_a_blind_thumb():
    with FakeOpenAI(Answer('{"reason": "Yes.", "grade": "partly"}')) as server:
        page = Judge(server=server, judge_kinds=["correctness"])
        assert "Nothing is asked of the judge." in page.text
        page.refer("The pump.").judge()
        assert "<b>partly</b>" in page.text
        [thumb] = [key for key in page.keys if key.startswith("thumb ")]
        page.enter(thumb, 1)
        assert "You and the judge agree in 0 of 1 case." in page.text
        page.enter(thumb, 0)
    assert "You and the judge agree in 1 of 1 case." in page.text
    assert [*comes_back(page.space.values)[keys.RATINGS].values()] == [Rating(False)]


def test_a_pair_is_asked_in_both_orders_beside_the_reference_column():
    with FakeOpenAI(Answer('{"better": 2}'), Answer('{"better": 1}')) as server:
        page = Judge(*COLUMNS, server=server, judge_kinds=["pair"], concurrency=1).judge()
    first, second = (request.body["messages"][-1]["content"] for request in server.requests)
    assert first.index("Ada mended") < second.index("Ada mended")
    assert "Better than compact" in page.text
    assert '<td dir="auto"><b>worse</b>' in page.text


def test_the_offline_model_is_no_judge_and_a_person_may_be_one():
    page = Judge()
    assert "<b>There is no judge yet.</b>" in page.text
    assert page.button.disabled
    [thumb] = [key for key in page.keys if key.startswith("thumb ")]
    page.enter(thumb, 1)
    assert page.space.values[keys.RATINGS]
    assert 'Your thumbs</th><td dir="auto"><b>right</b></td>' in page.text


def test_thumbs_show_no_name_before_each_answer_has_one():
    page = Judge(*COLUMNS)
    first, second = [key for key in page.keys if key.startswith("thumb ")]
    assert "Your thumbs" not in page.enter(first, 1).text
    assert "Your thumbs" in page.enter(second, 0).text
    page.open(compare_view="judge")
    assert [page.at.feedback(key=key).value for key in (first, second)] == [1, 0]


def test_what_the_server_refused_or_cut_off_is_told():
    reply = Answer('{"supported": tr', "length")
    with FakeOpenAI(reply, refuses={"temperature": "Unsupported value: temperature"}) as server:
        page = Judge(server=server).judge()
    assert "m takes no temperature: sent without." in page.text
    assert "1 of the replies was cut off: raise the answer length" in page.text


def test_the_sidebars_endpoint_is_the_judge_if_no_other_is_named():
    with FakeOpenAI(YES) as server:
        settings = {"model": "endpoint", "base_url": server.base_url, "model_name": "m"}
        page = Judge({"mode": "compact", "model": "offline"}, {"mode": "no_text"}, **settings)
        assert "The key is the sidebar&#39;s." in page.text
        page.judge()
    assert ">supported <b>1</b>" in page.text


def test_judging_again_asks_anew_and_another_judge_costs_no_verdict_of_the_first():
    with FakeOpenAI(YES, Answer(said(False)), YES) as server:
        page = Judge(server=server).judge()
        assert ">supported <b>1</b>" in page.text
        assert ">unsupported <b>1</b>" in page.judge().text
        page.judge_is("other").judge()
        assert len(server.requests) == 3
        assert ">unsupported <b>1</b>" in page.judge_is("m").text
    assert page.button.label == "Judge again"


@pytest.mark.parametrize("fault", [Failure(401, "no such key"), Answer("The first.")])
def test_judging_again_keeps_each_older_verdict_until_there_is_a_newer_one(fault):
    orders = [Answer('{"better": 1}'), Answer('{"better": 2}')]
    with FakeOpenAI(*orders, orders[0], fault, orders[1]) as server:
        page = Judge(*COLUMNS, server=server, judge_kinds=["pair"], concurrency=1).judge()
        assert "<b>better</b>" in page.judge().text
        assert page.button.label == "Ask the other 1"
        assert "<b>better</b>" in page.judge().text
        assert len(server.requests) == 5
    assert page.button.label == "Judge again"


def test_judging_less_again_costs_no_verdict_on_the_rest_and_shows_calls_that_there_are():
    with FakeOpenAI(YES) as server:
        page = Judge(server=server, judge_repeats=3).judge().set(judge_calls=True)
        assert "Answer of call 1" in page.set(judge_repeat=2).text
        assert page.enter(keys.JUDGE_REPEATS, 2).button.label == "Judge again"
        assert "Answer of call 1" in page.judge().text
        assert page.enter(keys.JUDGE_REPEATS, 3).button.label == "Judge again"
        assert len(server.requests) == 5
        assert "3 of 3 repeats say so." in page.text


def test_replies_that_could_not_be_read_are_asked_anew_and_the_others_are_reused():
    replies = [Answer('{"better": 1}'), Answer("The first."), Answer('{"better": 2}')]
    with FakeOpenAI(*replies) as server:
        page = Judge(*COLUMNS, server=server, judge_kinds=["pair"], concurrency=1).judge()
        assert "<b>1 of 2 replies can&#39;t be read.</b>" in page.text
        assert "Reused, and not sent again: 1." in page.text
        assert page.button.label == "Ask the other 1"
        page.judge()
        assert len(server.requests) == 3
    assert "<b>better</b>" in page.text
    assert "replies can&#39;t be read" not in page.text


def test_the_price_is_known_before_and_the_model_that_answered_is_warned_of():
    with FakeOpenAI(Answer("The pump failed at noon.")) as server:
        page = Judge(at(server, model_name="M"), {"mode": "no_text"})
        page.judge_is("m", server.base_url)
        assert "<b>The judge answers too.</b> m is the model of a column" in page.text
        page.judge_is("gpt-4.1-mini", "")
    assert "The judge answers too." not in page.text
    assert "at most $0.0007." in page.text


def test_an_address_that_is_none_is_told():
    page = Judge().judge_is("m", "ftp://host")
    assert "The base URL must be a full address" in page.text
    assert page.button.disabled


def test_a_dollar_cap_without_a_price_is_told():
    with FakeOpenAI(YES) as server:
        page = Judge(server=server, cap_dollars=1.0).press("judge_button")
        assert not server.requests
    assert "A cap in dollars needs a price" in page.text


def test_a_stopped_judge_keeps_its_replies_and_the_page_is_not_held_up():
    with FakeOpenAI(YES, Silence()) as server:
        page = Judge(server=server, judge_repeats=2).press("judge_button")
        eventually(lambda: len(server.requests) == 2, "the second repeat")
        assert "1 of 2 calls answered" in page.draw().at.get("progress")[0].proto.text
        page.press("stop_judge")
        assert page.button.label == "Ask the other 1"
        assert ">supported <b>1</b>" in page.text


def test_what_does_not_fit_the_judge_is_told_and_the_rest_is_judged():
    with FakeOpenAI(YES) as server:
        page = Judge(server=server).refer("word " * 9_000).judge()
    assert ">1 judgement can&#39;t be asked.</b> The judge&#39;s prompt has" in page.text
    assert '<b>not judged</b><div class="muted">1 can&#39;t be asked</div>' in page.text
    assert ">supported <b>1</b>" in page.text


def test_several_questions_are_judged_together_and_summed_up_best_first():
    replies = [
        {"better": 1},
        {"better": 1},
        {"better": 1},
        {"better": 2},
        {"better": 1},
        {"better": 2},
    ]
    with FakeOpenAI(*(Answer(json.dumps(reply)) for reply in replies)) as server:
        asked = "What failed?\nWho mended it?\nWhen did it fail?"
        settings = {"compare_questions": asked, "judge_kinds": ["pair"], "concurrency": 1}
        page = Judge(*COLUMNS, server=server, **settings).judge()
    both, one = re.findall(r'<div class="grid judged num".*?</table>', page.text)
    assert "3 questions" in both
    assert re.findall(r'class="(\w+)" style="flex: (\d)"', both) == [("good", "2"), ("middle", "1")]
    assert "<span>better <b>2</b></span> · <span>tie <b>1</b></span>" in both
    assert "<b>tie</b>" in one
    assert "<b>better</b>" in page.set(compare_question=2).text


def test_answers_are_judged_that_came_while_the_page_looked_at_a_run_that_was_being_saved(
    monkeypatch,
):
    with FakeOpenAI(YES) as server:
        page = Judge(*COLUMNS, server=server, judge_kinds=["support"]).judge().set(num_output=20)
    ending, saved, end = [], Event(), Recorder.end

    def end_later(*args):
        ending.append(args)
        saved.wait()
        end(*args)

    monkeypatch.setattr(Recorder, "end", end_later)
    page.press("run_button")
    eventually(lambda: len(ending) == len(page.jobs), "the last event of each run")
    assert "<b>Judging" not in page.draw().text
    saved.set()
    assert "<b>Judging" in page.wait().text


def test_the_judge_is_saved_without_its_key_and_shared_without_its_address():
    page = Judge().judge_is("m", "http://user:pw@host/v1?k=1")
    assert comes_back(page.space.values)[keys.JUDGE].override("base_url") == "http://host/v1"
    page.space.values[keys.RATINGS] = {"a": Rating(True)}
    given = shared(page.space.values)
    assert given[keys.JUDGE].overrides == (("model_name", "m"),)
    assert keys.RATINGS not in given


@pytest.mark.parametrize(
    "value",
    [
        {keys.JUDGE_REPEATS: 6},
        {keys.JUDGE_REPEATS: 0},
        {keys.JUDGE_KINDS: ["taste"]},
        {keys.JUDGE: 1},
    ],
)
def test_a_saved_judge_that_cannot_be_shown_is_left_out(value):
    assert from_json(value) == {}
