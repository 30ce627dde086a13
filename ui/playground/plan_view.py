"""The right side before a run: what it would do, in a sentence, tags and figures."""

from __future__ import annotations

from typing import Literal

import streamlit as st

from synth.bounds import Bounds
from synth.trace import Plan
from synth.wording import counted, ranged
from ui.look.elements import NARROW, box, section, sentence
from ui.look.escape import Bold, tags_html
from ui.look.theme import Look
from ui.plan.cost import cost, crossing
from ui.plan.plan_range import PlanRange
from ui.plan.upstream import upstream
from ui.request.request import Model, Request
from ui.session import keys
from ui.settings import state
from ui.settings.model import CapLimits
from ui.views import calls, coverage_view, shared
from ui.views.shared import RunView

_DRAWN = {"calls": calls.draw, "coverage": coverage_view.draw, "data": shared.data}
_VIEWS = (keys.PLAN, *_DRAWN)


def headline(request: Request, cap: CapLimits, plans: PlanRange) -> None:
    """The sentence and its tags, or why there is no plan."""
    if plans.refused is not None:
        box("This can't run.", plans.refused)
    elif plans.low is None or plans.high is None or plans.bounds is None:
        sentence([Bold(request.mode), " has no steps of its own: it can be run, not planned."])
    else:
        sentence(_sentence(request.model, plans.low, plans.high, plans.bounds))
        st.html(tags_html(_tags(plans.high, plans.bounds)))
        if crossed := crossing(plans.bounds, cap, request.model.price):
            box("The cap may be reached.", crossed)


def draw(request: Request, plans: PlanRange, look: Look) -> None:
    """The views of the plan, under a switch."""
    plan = plans.high
    if plan is None:
        return
    shared.unfinished(plan)
    if not plan.calls:
        _finding(request, plan)
        return
    chosen = st.segmented_control(
        "View of the plan",
        _VIEWS,
        default=_VIEWS[0],
        required=True,
        label_visibility="collapsed",
        format_func=str.capitalize,
        key="plan_view",
        persist_state="session",
    )
    view = RunView(plan, request, look, NARROW)
    if chosen == keys.PLAN:
        shared.budgets(view)
        section("Which chunk goes into which call")
        shared.flow(view)
        _finding(request, plan)
    else:
        _DRAWN[str(chosen)](view)


def _finding(request: Request, plan: Plan) -> None:
    """What LlamaIndex itself would do instead, and where its quirk is reported."""
    finding = upstream(request, plan)
    if finding is None:
        return
    with box(finding.head, finding.why).container(horizontal=True, key="finding"):
        st.button(
            "Show that plan",
            type="tertiary",
            icon=":material/arrow_forward:",
            on_click=state.take,
            kwargs={"behaviour": "llama_index"},
        )
        for label, url in finding.issues:
            st.link_button(label, url, type="tertiary", icon=":material/open_in_new:")


def _sentence(model: Model, low: Plan, high: Plan, bounds: Bounds) -> list[str]:
    """What short to long answers would do; "about" where other answers may do something else."""
    fewest, most = sorted((low.call_count, high.call_count))
    mode = Bold(high.setup.mode)
    if not most:
        return [mode, " would make ", Bold("no call"), "."]
    if high.problem:
        prompts = f": {high.prompt_tokens:,} prompt tokens in the first {high.call_count:,}."
        return [mode, " would make ", Bold(f"{counted(fewest, 'call')} or more"), prompts]
    number = ranged(fewest, most, "call")
    return [
        mode,
        " would make " if bounds.calls == (fewest, most) else " would make about ",
        Bold(number),
        f"{_shape(low, high)}: {_tokens(low, high)}{cost(model, low, high)}.",
    ]


def _tokens(low: Plan, high: Plan) -> str:
    """Prompt and output tokens, in as few words as leave the whole sentence two lines."""
    least, most = sorted((low.prompt_tokens, high.prompt_tokens))
    outputs = f"at most {counted(high.output_tokens, 'output token')}"
    if least == most:
        return f"{counted(most, 'prompt token')}, {outputs}"
    return f"about {least:,} to {most:,} prompt and {outputs}"


def _shape(low: Plan, high: Plan) -> str:
    if high.call_count == 1:
        return ""
    if high.longest_chain == high.call_count:
        return ", one after the other"
    if high.longest_chain == 1:
        return " at once"
    return f" in {ranged(low.longest_chain, high.longest_chain, 'level')}"


def _tags(high: Plan, bounds: Bounds) -> list[tuple[str, Literal["exact", "estimate"]]]:
    """What is certain whatever the answers say."""
    if high.problem:
        known = all(call.exact for call in high.calls)
        return [("calls and tokens up to there: exact", "exact")] if known else []
    calls, prompts = bounds.calls, bounds.prompt_tokens
    if calls.exact and prompts.exact:
        return [("calls and tokens: exact", "exact")]
    tokens = f"{ranged(*prompts, 'prompt token')}, whatever the answers say"
    if calls.exact:
        return [("number of calls: exact", "exact"), (tokens, "estimate")]
    return [(f"{ranged(*calls, 'call')} with {tokens}", "estimate")]
