"""The page Live: the syntheses of running applications, drawn anew as soon as there is more."""

import zlib
from collections.abc import Iterator, Sequence
from datetime import datetime

import streamlit as st

from synth.text.wording import Bold, agreeing, counted, short
from ui.history.problems import HistoryError
from ui.imported import recording
from ui.imported.behind import behind
from ui.imported.received_runs import SILENT, Listed, arrived
from ui.look.elements import beside, day, error_box, lead, one_of, zone
from ui.look.markdown import label_text
from ui.look.theme import INK
from ui.pages.live import detail, waiting
from ui.pages.live.chosen import choose, chosen, live_runs, with_taken
from ui.received import store, whose
from ui.session import keys, workspace

_PACE = 0.5  # seconds between two looks
_PATIENCE = 0.2  # seconds for what has just come to be read: else it is seen at the next look
_MOST = 50  # syntheses that are listed
_QUESTION, _NAME = 90, 40  # letters of a question, of the name of an application


def draw() -> None:
    """The whole page."""
    if not whose.may_see():
        waiting.draw_token()
        return
    if detail.go():
        return
    st.fragment(_draw)()
    st.fragment(_watch, run_every=_PACE)()


def _watch() -> None:
    """Have the page drawn once there is more to see; it draws nothing itself."""
    workspace.enter()
    try:
        known = _known()
    except HistoryError:  # which the page has said, or says when it is drawn next
        return
    if st.session_state.get(keys.LIVE_DRAWN) != known:
        st.rerun()


def _known() -> object:
    """What the page shows, other than what is pressed on it; the minutes are those of its words.

    On a page that is paused, one that was chosen is still read, and what was deleted goes.
    """
    latest = store.latest()
    paused = latest and keys.LIVE_PAUSED in st.session_state
    return behind().made, None if paused else (latest, datetime.now().minute)


def _draw() -> None:
    try:
        st.session_state[keys.LIVE_DRAWN] = _known()  # before all is read: more may come meanwhile
        _draw_page()
    except HistoryError as problem:
        error_box("What was received can't be read.", str(problem))


def _draw_page() -> None:
    if not store.latest():  # nothing has come, or what had come was deleted
        st.session_state.pop(keys.LIVE_PAUSED, None)
        st.session_state.pop(keys.LIVE_RUNS, None)
    file = live_runs()
    if file.runs and file.shown_as_recorded:
        recording.draw_as_recorded(file)
        return
    every = st.session_state.get(keys.LIVE_PAUSED) or arrived(_PATIENCE)
    if not every:
        waiting.draw()
        return
    now = datetime.now(zone())
    found = with_taken(_lead(every, now))
    one = chosen(found)
    look = file.look_at(one, ", ".join(filter(None, (one.service, _moment(one, now)))))
    left, right = beside("live", 3, 7)
    with left:
        _draw_list(found, one, now)
    with right:
        detail.draw(one, look)


def _lead(every: Sequence[Listed], now: datetime) -> Sequence[Listed]:
    """Draw what comes from where, and the choices; returns the syntheses of the chosen service."""
    services = sorted({one.service for one in every if one.service})
    with (
        lead(_sentence(every, now.timestamp())),
        st.container(horizontal=True, width="content", key="live_choices"),
    ):
        service = one_of("Service", "All services", services, keys.LIVE_SERVICE, 150)
        _pause(every)
        waiting.draw_address()
    return [one for one in every if service in (None, one.service)][:_MOST]


def _sentence(every: Sequence[Listed], now: float) -> Iterator[str]:
    recent = [one for one in every if now - one.last < SILENT]
    services = len({one.service for one in recent})
    if not services:
        yield Bold("Nothing came in the last 10 minutes. ")
        yield f"{_syntheses(every)} before."
        return
    yield Bold(f"{_syntheses(recent)} of {counted(services, 'application')}")
    yield " in the last 10 minutes"
    if verified := sum(one.verified for one in recent):
        yield f", {verified:,} verified"
    if differ := sum(one.differs for one in recent):
        yield f", {differ:,} {agreeing('differ', differ)}"


def _syntheses(found: Sequence[Listed]) -> str:
    return f"{len(found):,} synthes{'is' if len(found) == 1 else 'es'}"


def _pause(every: Sequence[Listed]) -> None:
    paused = keys.LIVE_PAUSED in st.session_state
    st.button(
        "Go on" if paused else "Pause",
        icon=":material/play_arrow:" if paused else ":material/pause:",
        key="live_pause",
        on_click=_stay,
        args=(None if paused else every,),
    )


def _stay(shown: Sequence[Listed] | None) -> None:
    """Show these syntheses as they are, until the page goes on."""
    if shown is None:
        st.session_state.pop(keys.LIVE_PAUSED, None)
    else:
        st.session_state[keys.LIVE_PAUSED] = shown


def _draw_list(found: Sequence[Listed], shown: Listed, now: datetime) -> None:
    """Draw the list, in which `shown` is marked."""
    line = f"border-color: {INK} !important; box-shadow: inset 0 0 0 1px {INK}; border-radius: 6px;"
    st.html(f"<style>.st-key-{_key(shown)} button {{ {line} }}</style>")
    with st.container(key="live_list", gap=None):
        for one in found:
            _button(one, one is shown, now)


def _key(one: Listed) -> str:
    return f"live-{zlib.crc32(one.id.encode()):08x}"


def _button(one: Listed, marked: bool, now: datetime) -> None:
    question = label_text(short(one.query_str, _QUESTION)) or "no question yet"
    service = label_text(short(one.service, _NAME))
    about = " · ".join(filter(None, (service, _mode(one))))
    state = one.state(now.timestamp())
    mark = " :small[chosen]" if marked else ""  # the outline says it to those who see it
    label = (
        f"**{question}**{mark} *{_moment(one, now)}* ~~{about}~~ ***{state.sign} {state.words}***"
    )
    if st.button(label, key=_key(one), width="stretch"):
        choose(one.id)
        st.rerun()  # all of the page: of a part the browser may keep what is to go


def _mode(one: Listed) -> str:
    if one.mode is None:
        return "mode not known yet"
    name = label_text(one.mode)
    return f"likely {name}" if one.outcome is None else name


def _moment(one: Listed, now: datetime) -> str:
    """When a synthesis began, in the time zone of `now`; "now" where its spans come."""
    if one.problem:
        return "time not known"
    if one.goes_on(now.timestamp()):
        silent = (now.timestamp() - one.last) // 60
        return f"silent for {silent:.0f} min" if silent > 0 else "now"
    began = datetime.fromtimestamp(one.began, now.tzinfo)
    date = day(began, now)
    return f"{began:%H:%M:%S}" if date == "today" else f"{date} {began:%H:%M}"
