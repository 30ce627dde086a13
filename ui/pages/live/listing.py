"""The list of the syntheses: a button each, with its question, its application and its state."""

import zlib
from collections.abc import Sequence
from datetime import datetime

import streamlit as st

from synth.text.wording import short
from ui.imported.received_runs import Listed
from ui.look.elements import day
from ui.look.markdown import label_text
from ui.look.theme import INK
from ui.pages.live.chosen import choose

_LETTERS, _SERVICE = 90, 40  # of a question, of the name of an application


def draw(found: Sequence[Listed], shown: Listed, now: datetime) -> None:
    """Draw the list, in which `shown` is marked."""
    line = f"border-color: {INK} !important; box-shadow: inset 0 0 0 1px {INK}; border-radius: 6px;"
    st.html(f"<style>.st-key-{_key(shown)} button {{ {line} }}</style>")
    with st.container(key="live_list", gap=None):
        for one in found:
            _button(one, one is shown, now)


def _key(one: Listed) -> str:
    return f"live-{zlib.crc32(one.id.encode()):08x}"


def _button(one: Listed, chosen: bool, now: datetime) -> None:
    question = label_text(short(one.query_str, _LETTERS)) or "no question yet"
    service = label_text(short(one.service, _SERVICE))
    about = " · ".join(filter(None, (service, _mode(one))))
    state = one.state(now.timestamp())
    mark = " :small[chosen]" if chosen else ""  # the outline says it to those who see it
    label = (
        f"**{question}**{mark} *{moment(one, now)}* ~~{about}~~ ***{state.sign} {state.words}***"
    )
    if st.button(label, key=_key(one), width="stretch"):
        choose(one.id)
        st.rerun()  # all of the page: of a part the browser may keep what is to go


def _mode(one: Listed) -> str:
    if one.mode is None:
        return "mode not known yet"
    name = label_text(one.mode)
    return f"likely {name}" if one.outcome is None else name


def moment(one: Listed, now: datetime) -> str:
    """When a synthesis began, in the time zone of `now`; "now" where it goes on."""
    if one.problem:
        return "time not known"
    if one.goes_on(now.timestamp()):
        return "now"
    began = datetime.fromtimestamp(one.began, now.tzinfo)
    date = day(began, now)
    return f"{began:%H:%M:%S}" if date == "today" else f"{date} {began:%H:%M}"
