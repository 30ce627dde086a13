"""The choice of the mode, a card each, and of what the answer is for, by which one is advised."""

from collections.abc import Mapping
from itertools import count
from operator import attrgetter
from urllib.parse import quote

import streamlit as st

from synth.html.escape import sentence_html
from synth.modes.advice.choice import Prospect, weigh_modes
from synth.modes.facts import Goal, ModeFacts
from synth.modes.registry import MODES, mode_facts
from synth.pictures.placement import CARD
from synth.pictures.run_picture import draw_run
from synth.pictures.svg import image_svg
from synth.words.cost_words import cost_range
from synth.words.headline import headline
from ui.look.elements import dropdown, small
from ui.look.markdown import label_text
from ui.look.theme import INK, image_colours
from ui.plans.outlines import Outline, outline
from ui.plans.page_inputs import PageInputs
from ui.plans.plan_range import LONG, PlanRange
from ui.session import keys, parts
from ui.settings import schema, state
from ui.settings.request import Request

_PLAIN = " '(),-./:;="  # what may stand in a URL within quotes as it is
_CARD_STYLE = """path { fill: none; vector-effect: non-scaling-stroke; stroke-width: .8px; }
rect { stroke-width: .8px; }
.k-context, .k-twice { fill: var(--context); stroke: var(--context-edge); }
.k-template { fill: var(--template); stroke: var(--template-edge); }
.k-query { fill: var(--query); stroke: var(--query-edge); }
.k-variable { fill: var(--variable); stroke: var(--variable-edge); }
.k-answer { fill: var(--answer); stroke: var(--answer-edge); }
.k-reserved { fill: var(--reserved); stroke: var(--reserved-edge); }
.k-window, .k-free, .k-padding { fill: var(--paper); stroke: var(--outline); }
.k-lost, .k-unread { fill: none; stroke: var(--outline); stroke-dasharray: 2 1.5; }
.k-clear { fill: none; stroke: none; }
.area { stroke: none; }
.band { stroke: none; fill-opacity: .4; }
.rule, .thread { stroke: var(--outline); }"""
_CARD, _CARD_WIDTH = image_colours(_CARD_STYLE) + _CARD_STYLE, 78
GOALS: Mapping[Goal, str] = {
    "detail": "Goal: one detailed answer",
    "summary": "Goal: a summary",
    "per_chunk": "Goal: one answer per chunk",
    "cheapest": "Goal: the lowest cost",
    "fastest": "Goal: the shortest wait",
}
"""The words on the page for what is wanted."""

_FIRST_GOAL: Goal = "detail"
_FEW = 30  # chunks, whose outlines take a few milliseconds


def draw(inputs: PageInputs) -> None:
    """Draw the heading with the button for the other modes, the adviser's sentence, the cards."""
    parts.part("mode head", inputs, _head, _draw_head)
    parts.part("mode advice", inputs, _advice, _draw_advice)
    parts.part("mode cards", inputs, _cards, _draw_cards)
    parts.part("mode", inputs, attrgetter("settings.mode"), _draw_summary)


def _head(inputs: PageInputs) -> tuple[str, bool]:
    return inputs.settings.mode, _all()


def _draw_summary(_: PageInputs, mode: str) -> None:
    small(MODES[mode].summary)


def _with_cards(inputs: PageInputs) -> list[str]:
    """The modes with a card: the first ones and the chosen one, or all if that was asked."""
    others = MODES if _all() else ()
    return list(dict.fromkeys((*schema.FIRST_MODES, inputs.settings.mode, *others)))


def _all() -> bool:
    return bool(st.session_state.get(keys.ALL_MODES))


def _goal() -> Goal:
    chosen: Goal = st.session_state.get(keys.GOAL, _FIRST_GOAL)
    return chosen


def _choose_goal() -> None:
    words = GOALS.__getitem__
    dropdown(
        "What the answer is for",
        list(GOALS),
        keys.GOAL,
        format_func=words,
        width=220,
        on_change=state.redraw_changed,
    )


def _advice(inputs: PageInputs) -> list[str]:
    """Which of the modes with a card to take, for the goal; nothing for long texts."""
    names = _with_cards(inputs)
    if any(inputs.request_in(name).work > LONG for name in names):
        return []

    def prospect(mode: str) -> Prospect | str:
        plans = inputs.plans_in(mode)
        if plans.plans is not None:
            return Prospect(*plans.plans, inputs.request.model.price)
        return "would be refused" if plans.refused else "can't be planned"

    return headline(_goal(), *weigh_modes(_goal(), names, prospect))


def _draw_advice(_: PageInputs, words: list[str]) -> None:
    if words:
        st.html(sentence_html(words, "advice"))


def _cards(inputs: PageInputs) -> tuple[str, object]:
    """The mode that is chosen, and how the cards look, in which few edits change anything.

    With many chunks their looks are their requests, so that the plan is drawn before those of other
    modes are made.
    """
    names = _with_cards(inputs)
    looks: object = [inputs.request_in(name) for name in names]
    request = inputs.request
    if len(request.text_chunks) <= _FEW:
        outlines = [(name, outline(inputs.plans_in(name))) for name in names]
        looks = request.text_chunks, request.tokenizer, outlines, request.model.price
    return inputs.settings.mode, looks


def _draw_head(inputs: PageInputs, head: tuple[str, bool]) -> None:
    mode, shows_all = head
    with st.container(horizontal=True, vertical_alignment="center", key="mode_head"):
        st.html('<div class="section">Mode</div>', width="stretch")
        if MODES[mode].filters:
            state.field(
                "structured_answer_filtering",
                inputs.place,
                help="Each call says, in JSON by a schema, whether its text answers the question."
                " Answers that do not are dropped.",
            )
        if shows_all:
            _choose_goal()
        others = len(MODES.keys() - {*schema.FIRST_MODES, mode})
        st.button(
            "Fewer modes" if shows_all else f"{others:,} more modes",
            key="other_modes",
            type="tertiary",
            icon=f":material/expand_{'less' if shows_all else 'more'}:",
            on_click=_show_all,
            args=(not shows_all,),
        )


def _draw_cards(inputs: PageInputs, _: tuple[str, object]) -> None:
    names, mode = _with_cards(inputs), inputs.settings.mode
    requests = [inputs.request_in(name) for name in names]
    plans = [inputs.plans_in(name) for name in names]
    seen = [outline(one) for one in plans]
    pictures = map(_picture, count(1), plans)
    chosen = _place(names.index(mode) + 1)
    line = f"border-color: {INK}; box-shadow: inset 0 0 0 1px {INK};"
    st.html(f"<style>{''.join(pictures)}{chosen} {{ {line} }}</style>")
    with st.container(key="mode_cards"):
        for request, one in zip(requests, seen, strict=True):
            _button(request, one, mode)


def _place(place: int) -> str:
    return f".st-key-mode_cards > :nth-child({place}) button"


def _picture(place: int, plans: PlanRange) -> str:
    """The CSS rule that draws the picture of a plan on the card at this place."""
    if plans.high is None:
        return ""
    svg = image_svg(draw_run(plans.high, size=CARD), _CARD, _CARD_WIDTH)
    return (
        f'{_place(place)} {{ background-image: url("data:image/svg+xml,{quote(svg, _PLAIN)}"); }}'
    )


def _button(request: Request, seen: Outline, chosen: str) -> None:
    mode = request.mode
    mark = " :small[chosen]" if mode == chosen else ""  # the outline says it to those who see it
    st.button(
        f"**{label_text(mode)}**{mark} {_said(request, seen)}",
        key=f"mode {mode}",
        width="stretch",
        on_click=_choose,
        args=(mode,),
    )


def _said(request: Request, seen: Outline) -> str:
    """The plan in words, as Markdown: the calls, what becomes of the chunks, the cost if known."""
    if seen.missing:
        return f"**{seen.missing}**"
    calls = f"**{seen.said_calls}**, {seen.shape}" if seen.calls else "**no call**"
    price, cost = request.model.price, ""
    if price is not None and seen.calls:  # the sign would begin a formula
        cost = f" ***{cost_range(price, seen.short, seen.long)}***".replace("$", r"\$")
    return f"{calls} {_chunks(mode_facts(request.mode), seen)}{cost}".rstrip()


def _chunks(facts: ModeFacts, seen: Outline) -> str:
    if seen.cut_off:
        return f"***{seen.cut_off} cut off***"
    if facts.sends_chunks:
        return "*sends all*" if seen.calls else ""
    gives = facts.response_source == "chunks"
    return f"*{'gives the chunks back' if gives else 'sends no chunk'}*"


def _show_all(shown: bool) -> None:
    st.session_state[keys.ALL_MODES] = shown
    state.redraw_changed()


def _choose(mode: str) -> None:
    st.session_state[keys.ALL_MODES] = False
    state.update(mode=mode)
    state.redraw_changed()
