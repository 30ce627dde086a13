"""The third stage: the answer, its pictures, what each call holds, and one thing to change."""

from dataclasses import replace
from random import randint
from typing import Any

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import table, tag
from synth.pictures.meanings import MEANINGS
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted
from ui.controls import handover
from ui.look.elements import draw_columns, error_box, section, small
from ui.pages.learn import predict
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Lesson
from ui.pages.learn.location import LAST_SEED, LessonLocation, go, lessons_done, start, value_label
from ui.session import workspace
from ui.views import calls, run_views


def draw(location: LessonLocation) -> None:
    """Draw the stage of Learn: the solution, the ways on, and one thing to change."""
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
            handover.put(location.request, location.lesson.words.title)
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
    rows = [
        (MEANINGS[kind].label, *(f"{budget.tokens(kind):,}" for budget in budgets))
        for kind in kinds
    ]
    rows.append(("context window", *(f"{budget.window:,}" for budget in budgets)))
    heads = ("tokens", *(f"call {call.number}" for call in plan.calls))
    inside = table("sums.num", heads, rows)
    scroll = tag(
        "div.scroll", inside, tabindex="0", role="region", aria_label="Tokens of each call"
    )
    remark = location.task.remark
    st.html(scroll + tag("div.lesson.remark", tag("p", remark)))


def _change_one_thing(location: LessonLocation) -> None:
    """The control (a slider for numbers, pills for names), and a button that undoes the change."""
    control, values = location.lesson.control, location.values
    key = f"control {location.lesson.key} {location.seed}"
    section("Change one thing")
    st.session_state[key] = location.value
    options: dict[str, Any] = {
        "key": key,
        "on_change": lambda: _set_value(location, st.session_state[key]),
    }
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        st.select_slider(control.label, values, format_func=value_label, **options)
    else:
        st.pills(
            control.label, values, required=True, format_func=value_label, wrap=True, **options
        )
    if location.changed:
        original = start(location.lesson, location.seed).value
        st.button(
            f"Back to {value_label(original)}",
            type="tertiary",
            icon=":material/undo:",
            on_click=_set_value,
            args=(location, original),
            key="control_back",
        )


def _set_value(location: LessonLocation, value: Any) -> None:
    go(replace(location, value=value))


def _following(location: LessonLocation) -> Lesson | None:
    """Return the next lesson that is not done; None if none of those that follow is open."""
    done = lessons_done()
    later = LESSONS[location.number :]
    return next((lesson for lesson in later if lesson.key not in done), None)


def _ways_on(location: LessonLocation) -> None:
    """Draw the buttons to another exercise and to the next lesson."""
    following = _following(location)
    st.button("Another input", icon=":material/casino:", on_click=_open_another, args=(location,))
    if following is None:
        done = len(lessons_done())
        small(f"That was the last lesson: {done} of {len(LESSONS)} are done.")
        return
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
    seed = randint(1, LAST_SEED)
    if seed == location.seed:
        seed = seed % LAST_SEED + 1
    go(start(location.lesson, seed))


def _draw_pictures(location: LessonLocation) -> None:
    """Each picture of the lesson under its heading."""
    facts = location.facts
    if facts.trace.error:
        error_box("The run ends here.", facts.trace.error)
    else:
        run_views.unfinished(facts.high)
    if location.task.asks == "room":  # which is told now
        predict.draw_empty_picture(facts, "other")
    for name in location.lesson.words.pictures:
        match name:
            case "picture":
                _draw_picture(facts.high, "Which chunk goes into which call")
            case "steps":
                _draw_picture(facts.trace, "Which answer goes where")
            case "prompt":
                section("What is sent, and what comes back")
                calls.draw_call(facts.trace)
            case "compare":
                _compare(location)


def _draw_picture(run: Plan | Trace, title: str) -> None:
    section(title)
    run_views.legend(run_views.bars_of(run))
    run_views.draw_picture(run)


def _compare(location: LessonLocation) -> None:
    """The budget and the answer for every value of the control, one below the other."""
    each_facts = [replace(location, value=value).facts for value in location.values]
    plans = {(facts.high.call_count, facts.high.prompt_tokens) for facts in each_facts}
    if len(plans) > 1:
        run_views.legend(run_views.bars_of(location.facts.high))
    for value, facts in zip(location.values, each_facts, strict=True):
        section(f"{value_label(value)} · {counted(facts.high.call_count, 'call')}")
        run_views.unfinished(facts.high)
        if len(plans) > 1:
            run_views.draw_picture(facts.high, f"compare-{value}")
            small("Its answer")
        if facts.trace.response:
            st.html(answer_html(facts.trace.response))
