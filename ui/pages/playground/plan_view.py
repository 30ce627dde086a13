"""The plan on the page in three parts: its sentence, the bar above its views, the chosen view."""

from collections.abc import Callable
from time import sleep
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import notes_html, sentence_html
from synth.modes.factory import Behaviour
from synth.runs.trace import Plan
from synth.text.wording import marked
from synth.words.plan_sentence import plan_notes, plan_sentence
from ui.export import popover
from ui.export.downloads import in_llama_index
from ui.look.elements import box, button_row, error_box, section, sentence
from ui.pages.playground import answering, by_window, run_button
from ui.pages.playground.by_window import BY_WINDOW, view_words
from ui.pages.playground.touched import take_move
from ui.plans.cost import cost, crossing, price_tag
from ui.plans.page_inputs import PageInputs
from ui.plans.plan_range import plan_range
from ui.plans.upstream import upstream
from ui.runs.job import Job
from ui.session import keys, parts, workspace
from ui.settings import hosts, state
from ui.settings.request import Request
from ui.views import calls, coverage_view, run_views

_PLAN = "plan"
_DRAW: dict[str, Callable[[Plan], None]] = {"calls": calls.draw, "coverage": coverage_view.draw}
_VIEWS = (_PLAN, *_DRAW, BY_WINDOW)
_PICTURE = "Which chunk goes into which call"


def headline(inputs: PageInputs, request: Request) -> None:
    """Draw the sentence of the plan and notes on it, or the reason why there is no plan."""
    plans = inputs.plans
    if plans.refused is not None:
        error_box("This can't run.", plans.refused)
    elif (both := plans.plans) is None:
        sentence(marked(_UNPLANNABLE, mode=request.mode))
    else:
        words = plan_sentence(*both, cost(request.model, both.low, both.high))
        notes = [*plan_notes(both.high, both.bounds), price_tag(request.model)]
        st.html(sentence_html(words) + notes_html(filter(None, notes)))
        run_views.unfinished(both.high)
        if request.lacks_question:
            box("The question is missing.", "Type one, then run.")
        if crossed := crossing(both.bounds, inputs.settings, request.model):
            box("The cap may be reached.", crossed)


def _draw_view(inputs: PageInputs, viewed: tuple[Request, str]) -> None:
    """Draw the chosen view of a plan, or what there is to say where no call is planned."""
    request, chosen = viewed
    if chosen == BY_WINDOW:
        by_window.draw(inputs)
        return
    plans = inputs.plans
    plan = plans.high
    if plans.refused is not None:
        _earlier("templates" if plans.by_template else "inputs")
    if plan is None:
        return
    if not plan.calls:
        _difference(request)
        return
    workspace.current().values[keys.PLANNED] = request
    if chosen == _PLAN:
        run_views.titled_picture(plan, _PICTURE, take_move)
        _difference(request)
    else:
        _DRAW[chosen](plan)


def _earlier(changed: str) -> None:
    """Draw, in grey, the last plan that there was; `changed` is what holds the error now."""
    request: Request | None = workspace.value(keys.PLANNED, None)
    if request is None:
        return
    plans = plan_range(request).plans
    if plans is None:
        return
    with st.container(key="earlier_plan"):
        section(f"The plan of the {changed} before the error")
        sentence(plan_sentence(*plans, cost(request.model, plans.low, plans.high)))
        run_views.titled_picture(plans.high, _PICTURE)


def _difference(request: Request) -> None:
    """Draw the difference of llama-index-core, if any, with links to its reports.

    If the plan is that of llama-index-core, draw the way back.
    """
    if request.behaviour == "llama_index":
        _other_behaviour(_UPSTREAM, "Back to the documented plan", "documented")
    elif difference := upstream(request):
        words = marked("**{head}** {why}", head=difference.head, why=difference.why)
        _other_behaviour(words, "Show that plan", "llama_index")


def _other_behaviour(words: list[str], label: str, behaviour: Behaviour) -> None:
    """Draw a muted line, and a button to the plan with the other behaviour."""
    with st.container(horizontal=True, vertical_alignment="center", key="finding"):
        st.html(sentence_html(words, "small.muted"))
        st.button(
            label,
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=state.update_and_rerun,
            kwargs={"behaviour": behaviour},
        )


_UPSTREAM = marked("This is what **LlamaIndex itself** would do: behaviour llama_index.")
_UNPLANNABLE = "**{mode}** has no steps of its own, so it can be run but not planned."


_PAINTING = 0.4  # seconds


class _Bar(NamedTuple):
    """What stands above the view of a plan: its views, of which one without calls has but two.

    `exports` says whether there are files of it, `exported` is the request while they are shown.
    """

    views: tuple[str, ...]
    exports: bool
    exported: Request | None


def head(column: DeltaGenerator, inputs: PageInputs, job: Job | None) -> None:
    """Draw the sentence of the plan, and the button that runs it; `job` is the run before."""
    top = column.container()  # stays in sight: the stylesheet knows it as the first in its column
    with top:
        hosts.ask([inputs.settings], "plan")
    row = top.container(horizontal=True, key="head")
    # Styles put the button at the right; the keyboard meets it before the terms in the words.
    button = row.container(width=run_button.FIRST if job is None else run_button.AGAIN)
    words = row.container()
    with words:
        parts.part("plan", inputs, _planned, headline)
    _let_browser_paint()
    run_button.draw(button, inputs, job)
    with button:
        run_button.reuse(inputs)
        answering.button(inputs)


def _planned(inputs: PageInputs) -> Request:
    return inputs.request


def views(inputs: PageInputs) -> None:
    """Draw the switch between the views of the plan, beside it the files, and the chosen view."""
    parts.part("plan bar", inputs, _bar, _draw_bar)
    parts.part("plan view", inputs, _viewed, _draw_view)


def _let_browser_paint() -> None:
    """Wait, once in a session, until the browser has painted the sentence before the table.

    The browser's code for tables has two megabytes. A browser that reads it for the first time
    paints nothing for a second.
    """
    if st.context.url is not None and keys.PAINTED not in st.session_state:
        st.session_state[keys.PAINTED] = True
        sleep(_PAINTING)


def _bar(inputs: PageInputs) -> _Bar:
    request, plan = inputs.request, inputs.plans.high
    has_calls = plan is not None and bool(plan.calls)
    exports = has_calls and in_llama_index(request)
    exported = request if exports and popover.is_open() else None
    return _Bar(_VIEWS if has_calls else (_PLAN, BY_WINDOW), exports, exported)


def _draw_bar(_: PageInputs, bar: _Bar) -> None:
    views = bar.views
    state.sync_with_address(keys.PLAN_VIEW, views, _PLAN)
    with st.container(horizontal=True, vertical_alignment="center", key="plan_bar"):
        button_row(
            "View of the plan",
            views,
            keys.PLAN_VIEW,
            format_func=view_words,
            on_change=state.redraw_changed,
        )
        if bar.exports:
            st.space("stretch")
            popover.draw_plan(bar.exported)


def _viewed(inputs: PageInputs) -> tuple[Request, str]:
    return inputs.request, st.session_state.get(keys.PLAN_VIEW, _PLAN)
