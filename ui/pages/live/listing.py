"""The list of the syntheses: a button each, with its question, its application and its state."""

import zlib
from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from synth.text.wording import short
from ui.imported.received_runs import Received, State, state
from ui.look.elements import day, small
from ui.look.markdown import label_text
from ui.look.theme import INK
from ui.pages.live.chosen import choose

MOST = 50
"""Syntheses that are listed, the newest."""

_KEPT = "The newest 500 traces are kept, 64 MB at most; the oldest go first."
_LETTERS, _SERVICE = 90, 40  # of a question, of the name of an application


def draw(found: Sequence[Received], shown: Received, now: datetime) -> None:
    """Draw the list, in which `shown` is marked."""
    line = f"border-color: {INK} !important; box-shadow: inset 0 0 0 1px {INK};"
    st.html(f"<style>.st-key-{_key(shown)} button {{ {line} }}</style>")
    with st.container(key="live_list", gap=None):
        for one in found[:MOST]:
            _button(one, one is shown, now)
    small(_KEPT)


def _key(one: Received) -> str:
    return f"live-{zlib.crc32(one.id.encode()):08x}"


def _button(one: Received, chosen: bool, now: datetime) -> None:
    growing, how = one.growing, state(one, now.timestamp())
    question = label_text(short(growing.query_str, _LETTERS)) or "no question yet"
    about = f"{label_text(short(growing.service, _SERVICE))} · {mode_words(one)}"
    mark = " :small[chosen]" if chosen else ""  # the outline says it to those who see it
    st.button(
        f"**{question}**{mark} *{moment(one, now)}* ~~{about}~~ ***{state_words(how)}***",
        key=_key(one),
        width="stretch",
        on_click=choose,
        args=(one.id,),
    )


def state_words(how: State) -> str:
    """A state as Markdown."""
    return f"{how.sign} {how.words}"


def mode_words(one: Received) -> str:
    """The mode of a synthesis, and how sure it is."""
    growing = one.growing
    if growing.mode is None:
        return "mode not known" if growing.ended else "mode not known yet"
    name = label_text(growing.mode)
    return name if growing.ended else f"likely {name}"


def moment(one: Received, now: datetime) -> str:
    """When a synthesis began, in the time zone of `now`; "now" where it goes on."""
    began = datetime.fromtimestamp(one.growing.began, now.tzinfo)
    if state(one, now.timestamp()).sign.startswith(":"):
        return "now"
    date = day(began, now)
    return f"{began:%H:%M:%S}" if date == "today" else f"{date} {began:%H:%M}"


