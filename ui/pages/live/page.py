"""The page Live: the syntheses of running applications, drawn anew as soon as there is more."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import streamlit as st

from synth.text.wording import Bold, counted
from ui.history.problems import HistoryError
from ui.imported import as_recorded
from ui.imported.behind import behind
from ui.imported.received_runs import SILENT, Listed, arrived
from ui.look.elements import beside, error_box, lead, zone
from ui.pages.live import detail, listing, waiting, ways
from ui.pages.live.chosen import chosen, live_runs, with_taken
from ui.received import store, whose
from ui.session import keys, workspace

_PACE = 0.5  # seconds between two looks
_PATIENCE = 0.2  # seconds for what has just come to be read: else it is seen at the next look
_MOST = 50  # syntheses that are listed


def draw() -> None:
    """The whole page."""
    if not whose.may_see():
        waiting.draw_token()
        return
    if ways.go():
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
        _draw_list()
    except HistoryError as problem:
        error_box("What was received can't be read.", str(problem))


def _draw_list() -> None:
    if not store.latest():  # nothing has come, or what had come was deleted
        st.session_state.pop(keys.LIVE_PAUSED, None)
        st.session_state.pop(keys.LIVE_RUNS, None)
    file = live_runs()
    if file.runs and file.shown_as_recorded:
        as_recorded.draw(file)
        return
    every = st.session_state.get(keys.LIVE_PAUSED) or arrived(_PATIENCE)
    if not every:
        waiting.draw()
        return
    now = datetime.now(zone())
    found = with_taken(_lead(every, now))
    one = chosen(found)
    look = file.look_at(one, ", ".join(filter(None, (one.service, listing.moment(one, now)))))
    left, right = beside("live", 3, 7)
    with left:
        listing.draw(found, one, now)
    with right:
        detail.draw(one, look)


def _lead(every: Sequence[Listed], now: datetime) -> Sequence[Listed]:
    """Draw what comes from where, and the choices; returns the syntheses of the chosen service."""
    services = sorted({one.service for one in every if one.service})
    if st.session_state.get(keys.LIVE_SERVICE) not in services:
        st.session_state[keys.LIVE_SERVICE] = None
    with (
        lead(_sentence(every, now.timestamp())),
        st.container(horizontal=True, width="content", key="live_choices"),
    ):
        service = st.selectbox(
            "Service",
            services,
            index=None,
            placeholder="All services",
            label_visibility="collapsed",
            key=keys.LIVE_SERVICE,
            width=150,
        )
        _pause(every)
        waiting.draw_address()
    return [one for one in every if service in (None, one.service)][:_MOST]


def _sentence(every: Sequence[Listed], now: float) -> Iterator[str]:
    recent = [one for one in every if now - one.last < SILENT]
    sending = len({one.service for one in recent})
    if not sending:
        yield Bold("Nothing came in the last 10 minutes. ")
        yield f"{_syntheses(every)} before."
        return
    yield Bold(f"{counted(sending, 'application')} {'is' if sending == 1 else 'are'} sending. ")
    yield f"{_syntheses(recent)} in the last 10 minutes"
    if verified := sum(one.verified for one in recent):
        yield f", {verified:,} verified"
    if differ := sum(one.differs for one in recent):
        yield f", {differ:,} differ{'s' * (differ == 1)}"


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
