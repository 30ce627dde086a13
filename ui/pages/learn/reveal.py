"""The third stage: the answer, its pictures, what each call holds, and one thing to change."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from random import randint
from typing import Any

import streamlit as st

from synth.html.escape import answer_html
from synth.html.markup import table, tag
from synth.pictures.meanings import MEANINGS
from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.controls import handover
from ui.look.elements import draw_columns, error_box, section, small
from ui.pages.learn import lesson_state, predict
from ui.pages.learn.lessons import LESSONS
from ui.pages.learn.lessons.lesson import Lesson, LessonFacts, PictureName
from ui.pages.learn.location import LAST_SEED, LessonLocation, start, value_label
from ui.session import workspace
from ui.views import calls, run_views


def draw(location: LessonLocation, facts: LessonFacts) -> None:
    """Draw the stage of Learn: the solution, the ways on, and one thing to change."""
    with st.container(horizontal=True, vertical_alignment="top", key="lesson_head"):
        _draw_answer(location)
        _ways_on(location)
    draw_pictures(location, facts)
    left, right = draw_columns("solution", 1, 1)
    with left:
        _draw_budgets(location, facts.high)
    with right, st.container(key="not_printed"):
        _change_one_thing(location)
        if st.button("Open in the Playground", type="tertiary", key="to_playground"):
            handover.put(facts.request, location.lesson.words.title)
            st.switch_page("app.py", query_params=workspace.address())


def draw_solution(location: LessonLocation, facts: LessonFacts) -> None:
    """Draw the answer, the pictures and what each call holds, with nothing that leads elsewhere."""
    _draw_answer(location)
    draw_pictures(location, facts)
    _draw_budgets(location, facts.high)


def _draw_answer(location: LessonLocation) -> None:
    task, guess = lesson_state.task_at(location), lesson_state.guess_at(location)
    verdict = "" if guess is None else task.verdict(guess)
    head = tag("h2", task.head), tag("p.muted", verdict)
    st.html(tag("div.lesson", *head, role="status"), width="stretch")


def _draw_budgets(location: LessonLocation, plan: Plan) -> None:
    """Draw what is in each call of the plan, in tokens, all of which add up to the window."""
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
    remark = lesson_state.task_at(location).remark
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
    lesson_state.go(replace(location, value=value))


def _following(location: LessonLocation) -> Lesson | None:
    """Return the next lesson that is not done; None if none of those that follow is open."""
    done = lesson_state.lessons_done()
    later = LESSONS[location.number :]
    return next((lesson for lesson in later if lesson.key not in done), None)


def _ways_on(location: LessonLocation) -> None:
    """Draw the buttons to another exercise and to the next lesson."""
    following = _following(location)
    st.button("Another input", icon=":material/casino:", on_click=_open_another, args=(location,))
    if following is None:
        done = len(lesson_state.lessons_done())
        small(f"That was the last lesson: {done} of {len(LESSONS)} are done.")
        return
    st.button(
        "Next lesson",
        type="primary",
        icon=":material/arrow_forward:",
        icon_position="right",
        help=following.words.title,
        on_click=lesson_state.go,
        args=(start(following),),
        key="next_lesson",
    )


def _open_another(location: LessonLocation) -> None:
    """Open a random exercise of this lesson; its number is in the address, to be shared."""
    seed = randint(1, LAST_SEED)
    if seed == location.seed:
        seed = seed % LAST_SEED + 1
    lesson_state.go(start(location.lesson, seed))


def draw_pictures(location: LessonLocation, facts: LessonFacts) -> None:
    """Each picture of the lesson under its heading."""
    if facts.trace.error:
        error_box("The run ends here.", facts.trace.error)
    else:
        run_views.unfinished(facts.high)
    if lesson_state.task_at(location).asks == "room":  # which is told now
        predict.draw_empty_picture(facts, "other")
    for name in location.lesson.words.pictures:
        _DRAW[name](location, facts)


def _picture(_: LessonLocation, facts: LessonFacts) -> None:
    run_views.titled_picture(facts.high, "Which chunk goes into which call")


def _steps(_: LessonLocation, facts: LessonFacts) -> None:
    run_views.titled_picture(facts.trace, "Which answer goes where")


def _prompt(location: LessonLocation, facts: LessonFacts) -> None:
    section("What is sent, and what comes back")
    calls.draw_call(facts.trace)


def _compare(location: LessonLocation, facts: LessonFacts) -> None:
    """The budget and the answer for every value of the control, one below the other."""
    revealed = replace(location, stage="reveal")
    variants = [replace(revealed, value=value) for value in location.values]
    facts_of_each = [lesson_state.facts_at(variant) for variant in variants]
    plans = {(each.high.call_count, each.high.prompt_tokens) for each in facts_of_each}
    same = len(plans) == 1
    if not same:
        run_views.legend(run_views.bars_of(facts.high))
    for variant, each in zip(variants, facts_of_each, strict=True):
        section(f"{value_label(variant.value)} · {counted(each.high.call_count, 'call')}")
        run_views.unfinished(each.high)
        if not same:
            run_views.draw_picture(each.high, f"compare-{variant.value}")
            small("Its answer")
        if each.trace.response:
            st.html(answer_html(each.trace.response))


_DRAW: Mapping[PictureName, Callable[[LessonLocation, LessonFacts], None]] = {
    "picture": _picture,
    "steps": _steps,
    "prompt": _prompt,
    "compare": _compare,
}
