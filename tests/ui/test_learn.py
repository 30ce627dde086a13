"""The lessons' page without a browser: every lesson at every stage, the address, the way over."""

import re
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.plans import prompts
from tests.ui.page import Page, Playground, settings_in
from ui.controls.input_changes import settings_of
from ui.pages.learn.classroom import leads_to_this_machine_alone
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.exercises import planned
from ui.pages.learn.location import LAST_SEED, PARAMS, STAGES, read, start
from ui.session import keys, workspace
from ui.settings import schema
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

pytestmark = pytest.mark.slow

KEYS = [lesson.key for lesson in LESSONS]
words = st.text(alphabet="abcdefghijklmnop0123456789,-<", max_size=12)


class Learn(Page):
    """The page, opened at an address."""

    script = "pages/learn.py"

    def __init__(self, space=None, script=script, **params):
        self.script, self.space = script, space or workspace.registry().find(None)
        self.open(**params)

    def choose(self, choice):
        groups = self.at.button_group
        [widget] = [one for one in groups if one.key and one.key.startswith("choice ")]
        widget.set_value(choice)
        return self.draw()

    def param(self, name):
        return self.at.query_params.get(name)

    @property
    def text(self):
        parts = [*self.at.main, *self.at.sidebar]
        return "\n".join(part.proto.body for part in parts if part.type == "html")


@pytest.mark.parametrize("key", KEYS)
def test_every_lesson_is_predicted_stepped_through_and_revealed_at_both_ends_of_its_control(key):
    page = Learn(lesson=key)
    lesson = LESSONS[KEYS.index(key)]
    task = lesson.task(lesson.facts(lesson.preset(0)))
    assert page.at.button(key="lesson " + key)
    [button] = [one for one in page.at.button if one.label == "That is my answer"]
    assert button.disabled  # until there is one
    page.choose(task.answer).press("That is my answer")
    assert page.param("stage") == "step"
    page.press("Reveal")
    assert "That is what you said." in page.text
    assert f"1 of {len(LESSONS)} done" in page.text
    place = start(lesson)
    values = lesson.control.values
    for end in {values[0], values[-1]} - {place.value}:
        assert page.enter(f"control {key} 0", end).param("value") == str(end)
    for stage, named in (("predict", None), ("step", "step")):  # with the value of that end
        assert page.enter("learn_stage", stage).param("stage") == named


def test_another_exercise_is_in_the_address_and_one_without_a_prediction_stays_open():
    page = Learn(lesson="cliff", stage="reveal").press("Another input")
    seed = page.param("seed")
    assert seed != "0"
    assert page.param("stage") is None
    assert f"exercise {int(seed):,}" in page.text
    page.enter("learn_stage", "step")
    assert "Step 1 of" in page.text
    page.press("Reveal")
    assert page.param("stage") == "reveal"
    assert f"0 of {len(LESSONS)} done" in page.text
    assert "You said" not in page.text
    assert page.press("Another input").param("seed") not in {"0", seed}


def test_progress_and_place_are_kept_by_the_workspace():
    page = Learn(lesson="cliff").choose(1).press("That is my answer").press("Reveal")
    again = Learn(page.space)
    assert again.param("lesson") == "cliff"
    assert again.param("stage") == "reveal"
    assert f"1 of {len(LESSONS)} done" in again.text
    assert "You said 1: that leaves" in again.text
    assert "That is what you said." not in again.text


def test_the_next_lesson_is_the_next_that_is_open_and_after_the_last_there_is_none():
    page = Learn(lesson=KEYS[0], stage="reveal").press("next_lesson")
    assert (page.param("lesson"), page.param("stage")) == (KEYS[1], None)
    page.space.values[keys.LESSONS_DONE] = frozenset(KEYS[1:4])
    page.open(lesson=KEYS[0], stage="reveal")
    assert page.press("next_lesson").param("lesson") == KEYS[4]
    page.open(lesson=KEYS[-1], stage="reveal")
    assert "next_lesson" not in {one.key for one in page.at.button}


@given(
    st.dictionaries(
        st.sampled_from(PARAMS),
        words | st.sampled_from([*STAGES, *KEYS, "0", "3"]),
    )
)
def test_any_address_is_a_place_that_is_read_again(params):
    location = read(params)
    assert read(location.params()) == location


def test_a_class_is_counted_by_first_answers_and_sees_the_solution_once_it_is_revealed():
    lesson = LESSONS[KEYS.index("cliff")]
    task = lesson.task(lesson.facts(lesson.preset(0)))
    wrong, other = [choice for choice in task.choices if choice != task.answer][:2]
    teacher = Learn(lesson="cliff").choose(other).press("That is my answer")  # counts for nobody
    teacher.press("With a class")
    link = urlsplit(teacher.at.code[0].value)
    params = {name: text for name, [text] in parse_qs(link.query).items()}
    assert params.keys() == {"lesson", "seed", "code"}
    for first in (wrong, wrong, task.answer):
        pupil = Learn(None, "pages/class.py", **params).choose(first).press("That is my answer")
    assert f"Your answer: {task.answer}." in pupil.text
    again = Learn(pupil.space, "pages/class.py", **params)
    assert [button.disabled for button in again.at.button] == [True]  # one answer, and no way on
    for page in (pupil, again):
        assert task.head not in page.text
        assert not page.at.code
        assert "brand" not in page.text
    teacher = Learn(teacher.space, "pages/class.py", **params)
    bars = re.findall("<dt>(.*?)</dt>.*?<b>(.*?)</b>", teacher.text)
    expected = {wrong: "2", task.answer: "1"}
    assert bars == [(f"{choice}", expected.get(choice, "0")) for choice in task.choices]
    teacher.press("Reveal")
    assert f"<dt>{task.answer} ✓</dt>" in teacher.text
    assert "<b>3</b> <span>answers</span>" in teacher.text
    assert "That is what you said." in pupil.draw().text
    assert not pupil.at.button
    assert "This link leads to no class." in Learn(None, "pages/class.py", lesson="why").text


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "0.0.0.0", "[::1]"])
def test_a_link_that_only_this_machine_can_open_is_known_by_its_address(host):
    assert leads_to_this_machine_alone(f"http://{host}:8501/class?lesson=why")
    assert not leads_to_this_machine_alone("http://192.168.1.20:8501/class?lesson=why")


@pytest.mark.parametrize("lesson", LESSONS, ids=KEYS)
@pytest.mark.parametrize(("seed", "at"), [(0, 0), (0, -1), (LAST_SEED, 0)])
def test_the_settings_of_a_lesson_ask_for_its_very_plan(lesson, seed, at):
    location = start(lesson, seed)
    request = replace(location, value=lesson.control.values[at]).request
    settings = settings_of(request)
    others = {
        "selection": "top",
        "similarity_top_k": 1,
        "response_padding_size": 7,
        "refine_template_chat": True,
    }
    made = Request.of(DEFAULT.with_(others | settings))
    long, again = (planned(one, one.num_output) for one in (request, made))
    assert prompts(long) == prompts(again)
    assert long.problem == again.problem


def test_a_lesson_is_opened_in_the_playground_and_taken_back():
    space = workspace.registry().find(None)
    mine = schema.from_texts(["One of my own.", "Another."], "typed")
    space.values[keys.SETTINGS] = DEFAULT.with_(
        {"chunks": mine, "mode": "accumulate", "query_str": "Mine?"}
    )
    page = Learn(space, lesson="tree", stage="reveal").press("to_playground")
    assert settings_in(space).mode == "tree_summarize"
    assert {chunk.source for chunk in settings_in(space).chunks} == {"lesson"}
    lesson = LESSONS[KEYS.index("tree")]
    calls = lesson.facts(lesson.preset(0)).high.call_count
    assert f"<b>tree_summarize</b> would make about <b>{calls} calls</b>" in page.text
    page = page.turn_to(Playground)
    assert page.at.button(key="undo_chunks").label == "Undo the lesson “Three levels deep”"
    page.press("undo_chunks")
    assert "<b>accumulate</b> would make <b>2 calls</b>" in page.text
    assert (settings_in(space).chunks, settings_in(space).query_str) == (mine, "Mine?")
