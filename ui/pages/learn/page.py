"""The Learn page: the list of lessons, and a lesson: its question, its steps, its solution.

What is known at first: the texts, and calls that are empty but for what must be in each.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from random import randint
from secrets import token_hex
from typing import Any

import streamlit as st

from synth.html.escape import answer_html, term_html
from synth.html.markup import Html, kind_name, table, tag, together
from synth.html.notebook import bars_key
from synth.modes.adviser import Cliff
from synth.pictures.calls_picture import EmptyCall, draw_empty_calls
from synth.pictures.scene import MEANINGS
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted
from ui.controls import input_changes
from ui.look.elements import button_row, draw_columns, error_box, lead, section, small
from ui.look.scripts import draw_scene
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.exercises import ROOM, Asked, Choice, LessonFacts, parts_of
from ui.pages.learn.location import (
    LAST_SEED,
    STAGES,
    LessonLocation,
    current,
    go,
    latest,
    lessons_done,
    note_done,
    save_guess,
    start,
    value_label,
)
from ui.plans.curves import window_cliffs
from ui.session import keys, workspace
from ui.settings.request import Request
from ui.views import calls, run_views, steps_view

_SWITCH = "learn_stage"


def draw() -> None:
    """Draw the lesson, exercise and stage that the address names."""
    location = current()
    note_done(location)
    with lead():
        exercise = f" · exercise {location.seed:,}" if location.seed else ""
        place = f"Lesson {location.number} of {len(LESSONS)}{exercise}"
        title = tag("h1", location.lesson.words.title), tag("span.muted.num", place)
        aim = tag("span.muted", f"After it you can say {location.lesson.words.aim}")
        st.html(tag("div.lesson.title", *title, aim), width="stretch")
        if st.button("With a class", icon=":material/groups:", type="tertiary", key="with_class"):
            code = workspace.current().values.setdefault(keys.CLASS, token_hex(4))
            params = location.at("predict").params() | {"code": code}
            st.switch_page("pages/class.py", query_params=workspace.address(**params))
        # `ui/look/page.js` has the browser print.
        st.button("Print", icon=":material/print:", type="tertiary", key="print")
    st.session_state[_SWITCH] = location.stage
    button_row(
        "Stage",
        STAGES,
        _SWITCH,
        format_func=lambda stage: f"{STAGES.index(stage) + 1} {stage.capitalize()}",
        on_change=lambda: go(latest().at(st.session_state[_SWITCH])),
    )
    if location.stage == "predict":
        draw_predict(location)
    elif location.stage == "step":
        draw_steps(location)
    else:
        draw_reveal(location)
    _draw_list(location)


def _draw_list(location: LessonLocation) -> None:
    done = lessons_done()
    count = sum(lesson.key in done for lesson in LESSONS)
    with st.sidebar:
        section(f"Lessons · {count} of {len(LESSONS)} done")
        st.progress(count / len(LESSONS))
        with st.container(key="lessons", gap=None):
            for lesson in LESSONS:  # with an icon for the present one, done or open
                is_present = lesson is location.lesson
                icon = "radio_button_checked" if is_present else "radio_button_unchecked"
                if lesson.key in done and not is_present:
                    icon = "check_circle"
                st.button(
                    lesson.words.title,
                    icon=f":material/{icon}:",
                    type="secondary" if is_present else "tertiary",
                    key=f"lesson {lesson.key}",
                    width="stretch",
                    on_click=go,
                    args=(start(lesson),),
                )


_LABELS = {"query": "question", ROOM: "room for chunks", "answer": "answer so far"}


def draw_predict(location: LessonLocation) -> None:
    """Draw the first stage: whoever answers goes on to the steps."""

    def take(choice: Choice) -> None:
        save_guess(location, choice)
        go(location.at("step"))

    draw_question(location, take)


def draw_question(
    location: LessonLocation, take: Callable[[Choice], None], *, answered: bool = False
) -> None:
    """Draw the question, its picture, its choices and its texts; `take` gets the answer.

    Where it is `answered` nothing can be chosen any more.
    """
    task, key = location.task, f"choice {location.exercise}"
    guess = location.guess
    choice = st.session_state.get(key, guess)
    with st.container(horizontal=True, vertical_alignment="top", key="lesson_head"):
        question = tag("h2", task.text), tag("p.muted", location.lesson.words.text)
        st.html(tag("div.lesson", *question), width="stretch")
        with st.popover("A hint", icon=":material/lightbulb:"):
            st.html(tag("div.lesson", tag("p", task.hint)))
        st.button(
            "That is my answer",
            type="primary",
            disabled=answered or choice is None,
            on_click=lambda: take(st.session_state[key]),
        )
    draw_empty_picture(location.facts, task.asks)
    with st.container(key="choices"):
        st.segmented_control(
            "Your answer",
            task.choices,
            default=guess if guess in task.choices else None,
            format_func=value_label,
            label_visibility="collapsed",
            disabled=answered,
            key=key,
        )
    if location.lesson.words.answers_from:
        small(location.lesson.words.answers_from)
    section("The question and the chunks")
    st.html(_given_html(location.facts, sizes=task.asks != "chunk tokens"))


def draw_empty_picture(facts: LessonFacts, asks: Asked) -> None:
    """Draw the chunks and an empty call of each kind, without the tokens that are asked."""
    if asks == "chunk tokens":
        return
    calls = empty_calls(facts.request)
    count = facts.high.setup.tokenizer.count
    chunks = [count(chunk) for chunk in facts.request.text_chunks]
    is_asked = asks == "room"
    scene = draw_empty_calls(chunks, calls, facts.request.context_window, is_asked)
    draw_scene(scene, "prediction")
    st.html(together(_key_html(call, is_asked) for call in calls))


def _key_html(call: EmptyCall, is_asked: bool) -> Html:
    """Say what the parts of an empty call are, with their tokens, but for those that are asked."""
    words = []
    for kind, tokens in call.parts:
        word = term_html(_LABELS.get(kind) or MEANINGS[kind])
        at_most = "≤ " if call.bound and kind == "answer" else ""
        amount = "?" if is_asked and kind == ROOM else f"{at_most}{tokens:,}"
        words.append(tag("span", tag(f"i.k-{kind_name(kind)}"), word, " ", tag("b", amount)))
    return tag("div.key.prediction.num", tag("span", f"{call.name}:"), *words)


def empty_calls(request: Request) -> list[EmptyCall]:
    """Return the calls of this request as it packs them, without their chunks, one of each kind.

    In a chain, each call but the first has an answer in its prompt, which is as long as it may
    be.
    """
    first, later = parts_of(request), parts_of(request, later=True)
    named = {"each call": first} if first == later else {"first call": first, "later calls": later}
    return [
        EmptyCall(
            name,
            tuple((kind, size) for kind, size in parts.items() if size),
            name == "later calls" and parts["answer"] > 0,
        )
        for name, parts in named.items()
    ]


def _given_html(facts: LessonFacts, sizes: bool) -> Html:
    """Write the question and all chunks, open; without `sizes`, no tokens are told."""
    count = facts.high.setup.tokenizer.count
    texts = [("query", "?", "question", facts.request.query_str)]
    texts += [
        ("context", f"{number}", f"chunk {number}", text)
        for number, text in enumerate(facts.request.text_chunks, 1)
    ]
    boxes = (
        tag(
            "div.given.num",
            tag(
                "div.head",
                tag(f"span.number.n-{kind}", sign),
                tag("span", name),
                tag("span", counted(count(text), "token") if sizes else ""),
            ),
            tag("p", text, dir="auto"),
        )
        for kind, sign, name, text in texts
    )
    return tag("div.all-given", *boxes)


def draw_steps(location: LessonLocation) -> None:
    """Draw the second stage: the steps of the run, with the button that goes on to the solution."""
    trace = location.facts.trace
    steps_view.draw(trace, way_on=partial(_draw_way_on, location))
    if trace.error:
        error_box("The run ended early.", trace.error)


def _draw_way_on(location: LessonLocation) -> None:
    st.button(
        "Reveal",
        type="primary",
        icon=":material/visibility:",
        on_click=go,
        args=(location.at("reveal"),),
        key="to_reveal",
    )


def draw_reveal(location: LessonLocation) -> None:
    """Draw the third stage: the solution, the ways on, and one thing to change."""
    with st.container(horizontal=True, vertical_alignment="top", key="lesson_head"):
        _draw_answer(location)
        _ways_on(location)
    _draw_pictures(location)
    left, right = draw_columns("solution", 1, 1)
    with left:
        _draw_budgets(location)
    with right, st.container(key="not_printed"):
        _change_one_thing(location)
        if st.button("Open in the Playground", type="tertiary", key="to_playground"):
            input_changes.put(location.request, "lesson", location.lesson.words.title)
            st.switch_page("app.py", query_params=workspace.address())


def draw_solution(location: LessonLocation) -> None:
    """Draw the answer, the pictures and what each call holds, with nothing that leads elsewhere."""
    _draw_answer(location)
    _draw_pictures(location)
    _draw_budgets(location)


def _draw_answer(location: LessonLocation) -> None:
    task, guess = location.task, location.guess
    verdict = "" if guess is None else task.verdict(guess)
    head = tag("h2", task.head), tag("p.muted", verdict)
    st.html(tag("div.lesson", *head, role="status"), width="stretch")


def _draw_budgets(location: LessonLocation) -> None:
    """Draw what is in each call of the plan, in tokens, all of which add up to the window."""
    plan = location.facts.high
    budgets = [plan.budget(call) for call in plan.calls]
    kinds = [kind for kind in MEANINGS if any(budget.tokens(kind) for budget in budgets)]
    rows = [(MEANINGS[kind], *(f"{budget.tokens(kind):,}" for budget in budgets)) for kind in kinds]
    rows.append(("context window", *(f"{budget.window:,}" for budget in budgets)))
    heads = ("tokens", *(f"call {call.number}" for call in plan.calls))
    inside = table("sums.num", heads, rows)
    scroll = tag(
        "div.scroll", inside, tabindex="0", role="region", aria_label="Tokens of each call"
    )
    remark = location.task.remark
    st.html(scroll + tag("div.lesson.remark", tag("p", remark)))


def _change_one_thing(location: LessonLocation) -> None:
    """The control: a slider for numbers, pills for names."""
    control, values = location.lesson.control, location.lesson.control.values
    key = f"control {location.lesson.key} {location.seed}"
    section("Change one thing")
    st.session_state[key] = location.value
    options: dict[str, Any] = {
        "key": key,
        "on_change": lambda: go(replace(location, value=st.session_state[key])),
    }
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        st.select_slider(control.label, values, format_func=value_label, **options)
    else:
        st.pills(
            control.label, values, required=True, format_func=value_label, wrap=True, **options
        )


def _ways_on(location: LessonLocation) -> None:
    st.button("Another input", icon=":material/casino:", on_click=_open_another, args=(location,))
    done = lessons_done()
    later = (one for one in LESSONS[location.number :] if one.key not in done)
    if following := next(later, None):
        st.button(
            "Next lesson",
            type="primary",
            icon=":material/arrow_forward:",
            icon_position="right",
            help=following.words.title,
            on_click=go,
            args=(start(following),),
            key="next_lesson",
        )


def _open_another(location: LessonLocation) -> None:
    """Open a random exercise of this lesson; its number is in the address, to be shared."""
    go(start(location.lesson, randint(1, LAST_SEED)))


def _draw_pictures(location: LessonLocation) -> None:
    facts = location.facts
    if facts.trace.error:
        error_box("The run ends here.", facts.trace.error)
    else:
        run_views.unfinished(facts.high)
    if location.task.asks == "room":  # which is told now
        draw_empty_picture(facts, "other")
    for name in location.lesson.words.pictures:
        match name:
            case "picture":
                cliffs = partial(window_cliffs, location.request, exact=True)
                _draw_picture(facts.high, "Which chunk goes into which call", cliffs)
            case "steps":
                _draw_picture(facts.trace, "Which answer goes where")
            case "prompt":
                section("What is sent, and what comes back")
                calls.draw_call(facts.trace)
            case "compare":
                _compare(location)


def _draw_picture(
    run: Plan | Trace, title: str, cliffs: Callable[[], Sequence[Cliff]] | None = None
) -> None:
    """Draw a picture with its key below it, and above it what other windows would give."""
    section(title)
    run_views.draw_picture(run, cliffs=cliffs)
    st.html(bars_key(run_views.bars_of(run)))


def _compare(location: LessonLocation) -> None:
    """The budget and the answer for every value of the control, one below the other."""
    each_facts = [replace(location, value=value).facts for value in location.lesson.control.values]
    plans = {(facts.high.call_count, facts.high.prompt_tokens) for facts in each_facts}
    if len(plans) > 1:
        st.html(bars_key(run_views.bars_of(location.facts.high)))
    for value, facts in zip(location.lesson.control.values, each_facts, strict=True):
        section(f"{value_label(value)} · {counted(facts.high.call_count, 'call')}")
        run_views.unfinished(facts.high)
        if len(plans) > 1:
            run_views.draw_picture(facts.high, f"compare-{value}")
            small("Its answer")
        if facts.trace.response:
            st.html(answer_html(facts.trace.response))
