"""The choice of the mode, a card each that shows what its plan does, and of the behaviour."""

from collections.abc import Hashable
from dataclasses import replace
from urllib.parse import quote

import streamlit as st

from synth.modes.registry import MODES, Behaviour, other_behaviour
from synth.pictures.placement import card_of
from synth.pictures.run_picture import draw_run
from synth.pictures.scene_writer import sign_svg
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, percent, ranged
from synth.words.plan_words import chunk_tokens, cut_off_tokens
from ui.look.elements import INK, image_css, label_text
from ui.plans.curves import plan_totals
from ui.plans.plan_range import LONG, PageInputs, PlanRange
from ui.session import keys, parts, workspace
from ui.settings import state

_IN_URL = str.maketrans({character: quote(character) for character in '%#"<>\\\n'})
_CARD, _CARD_WIDTH = image_css("card"), 100
_FEW = 30  # chunks, whose outlines take a few milliseconds
_BEHAVIOURS: dict[Behaviour, str] = {
    "documented": "as documented",
    "llama_index": "as llama-index-core",
    "llama_index_before_0.14.22": "as before 0.14.22",
}

CARD_MODES = (
    "simple_summarize",
    "compact",
    "refine",
    "tree_summarize",
    "accumulate",
    "compact_accumulate",
)
"""The modes that have a card, in the order in which one learns them."""


def draw(inputs: PageInputs) -> None:
    """Draw the cards of the modes, and beside them the behaviour."""
    with st.container(horizontal=True, key="modes"):
        cards, side = st.container(), st.container(width=176, key="mode_side")
    with cards:
        parts.part("mode cards", inputs, _cards, _draw_cards)
    with side:
        parts.part("other modes", inputs, _others, _draw_others)
        parts.part("behaviour", inputs, _other_behaviour, _draw_behaviour)


def _with_cards(inputs: PageInputs) -> list[str]:
    """The modes with a card: the first ones, the chosen one, and all if the page was asked."""
    others = MODES if st.session_state.get(keys.ALL_MODES) else ()
    return list(dict.fromkeys((*CARD_MODES, inputs.settings.mode, *others)))


def _cards(inputs: PageInputs) -> tuple[str, object]:
    """The mode that is chosen, and how the cards look, in which few edits change anything.

    With many chunks their looks are their requests, so that the plan is drawn before those of other
    modes are made.
    """
    names = _with_cards(inputs)
    looks: object = [inputs.request_in(name) for name in names]
    if len(inputs.request.text_chunks) <= _FEW:
        looks = [(name, _outline(inputs, name)) for name in names]
    return inputs.settings.mode, looks


def _draw_cards(inputs: PageInputs, _: tuple[str, object]) -> None:
    names, mode = _with_cards(inputs), inputs.settings.mode
    pictures = [_picture(place, name, inputs) for place, name in enumerate(names, 1)]
    chosen = _place(names.index(mode) + 1)
    line = f"border-color: {INK}; box-shadow: inset 0 0 0 1.5px {INK};"
    st.html(f"<style>{''.join(pictures)}{chosen} {{ {line} }}</style>")
    with st.container(key="mode_cards"):
        for name in names:
            mark = " :small[chosen]" if name == mode else ""  # seen in the outline
            st.button(
                f"**{label_text(name)}**{mark} *{_say_calls(inputs.plans_in(name))}*",
                key=f"mode {name}",
                width="stretch",
                help=MODES[name].summary,
                on_click=_choose,
                args=(name,),
            )


def _place(place: int) -> str:
    return f".st-key-mode_cards > :nth-child({place}) button"


def _picture(place: int, name: str, inputs: PageInputs) -> str:
    """The CSS rule that draws the picture of a mode's plan on the card at this place."""
    plan = inputs.plans_in(name).high
    if plan is None:
        return ""
    key = place, _outline(inputs, name)
    remember = workspace.current().remember
    return remember("card picture", key, lambda: picture_rule(_place(place), plan))


def picture_rule(selector: str, run: Plan | Trace) -> str:
    """Write the CSS rule that draws the small picture of a plan or a run behind what it selects."""
    depths = {call.depth for call in run.calls}
    levels = len(depths) if len(depths) < run.call_count else 1
    svg = sign_svg(draw_run(run, size=card_of(levels)), _CARD, _CARD_WIDTH)
    return f'{selector} {{ background-image: url("data:image/svg+xml,{svg.translate(_IN_URL)}"); }}'


def _outline(inputs: PageInputs, name: str) -> Hashable:
    """Return what a card depends on: the words of its plan, and what can be seen of its picture.

    That is the depth of each call, and by how many pixels of the card it fills the window.
    """
    request, plans = inputs.request_in(name), inputs.plans_in(name)
    scale = _CARD_WIDTH / request.context_window
    calls = () if plans.high is None else plans.high.calls
    sizes = tuple((call.depth, int(scale * call.prompt_tokens)) for call in calls)
    rooms = int(scale * request.reasoning_output), int(scale * request.num_output)
    return _say_calls(plans), sizes, rooms, request.text_chunks, request.tokenizer


def _say_calls(plans: PlanRange) -> str:
    """Say the calls of a plan, and in bold what it cuts off, as Markdown."""
    high, bounds, calls = plans.high, plans.bounds, plans.calls
    if high is None or bounds is None or calls is None:
        return "can't run" if plans.refused else "no plan"
    if high.problem:
        return "may stop early"
    fewest, most = calls
    about = "" if tuple(bounds.calls) == (fewest, most) else "about "
    cut_off = cut_off_tokens(high)
    lost = f" · **{percent(cut_off, chunk_tokens(high))} cut off**" if cut_off else ""
    return f"{about}{ranged(fewest, most, 'call')}{lost}" if most else "no call"


def _others(inputs: PageInputs) -> tuple[bool, int]:
    shows_all = bool(st.session_state.get(keys.ALL_MODES))
    return shows_all, len(MODES.keys() - {*CARD_MODES, inputs.settings.mode})


def _draw_others(_: PageInputs, others: tuple[bool, int]) -> None:
    shows_all, more = others
    st.button(
        "Fewer" if shows_all else f"{more:,} more",
        key="other_modes",
        type="tertiary",
        icon=f":material/expand_{'less' if shows_all else 'more'}:",
        icon_position="right",
        on_click=_show_all,
        args=(not shows_all,),
    )


def _other_behaviour(inputs: PageInputs) -> tuple[Behaviour, str]:
    """The behaviour, and how many calls the other one would make, where it differs."""
    request, chosen = inputs.request, inputs.settings.behaviour
    plan = inputs.plans.high
    if plan is None or request.work > LONG:
        return chosen, ""
    other_request = replace(request, behaviour=other_behaviour(chosen))
    planned = workspace.current().remember(
        "other behaviour", other_request, lambda: plan_totals(other_request)
    )
    if planned.problem is not None:
        return chosen, "no end" if planned.calls else "refused"
    same = planned.calls == plan.call_count
    return chosen, "" if same else counted(planned.calls, "call")


def _draw_behaviour(inputs: PageInputs, values: tuple[Behaviour, str]) -> None:
    chosen, difference = values

    def words(code: Behaviour) -> str:
        tail = f": {difference}" if difference and code == other_behaviour(chosen) else ""
        return f"{_BEHAVIOURS[code]}{tail}"

    state.field(
        "behaviour",
        inputs.settings,
        "radio",
        label_visibility="collapsed",
        options=sorted({"documented", "llama_index", chosen}),  # recordings choose an older one
        format_func=words,
    )


def _show_all(shown: bool) -> None:
    st.session_state[keys.ALL_MODES] = shown
    parts.redraw_changed()


def _choose(mode: str) -> None:
    st.session_state[keys.ALL_MODES] = False
    state.update(mode=mode)
    parts.redraw_changed()
