"""The page Live: the syntheses of running applications, drawn anew as soon as there is more."""

from collections.abc import Iterator, Sequence
from datetime import datetime

import streamlit as st

from synth.html.escape import sentence_html
from synth.text.wording import Bold, counted
from synth.traces.growing import Growing
from ui.imported import as_recorded
from ui.imported.behind import behind
from ui.imported.received_runs import SILENT, Received, received
from ui.look.elements import lead, zone
from ui.pages.live import address, detail, empty, listing
from ui.pages.live.chosen import chosen, live_runs, with_taken
from ui.received import store
from ui.session import keys, workspace

_PACE = 0.5  # seconds between two looks
_KEY = "live"
_ALL = "All services"


def draw() -> None:
    """The whole page."""
    st.fragment(_draw, key=_KEY)()
    st.fragment(_watch, run_every=_PACE)()


def _watch() -> None:
    """Have the page drawn once there is more to see; it draws nothing itself."""
    workspace.enter()
    if st.session_state.get(keys.LIVE_DRAWN) != _known():
        st.rerun([_KEY])


def _known() -> object:
    """What the page shows, other than what is pressed on it; the minutes are those of its words."""
    paused = keys.LIVE_PAUSED in st.session_state
    return None if paused else store.changes(), behind().made, datetime.now().minute


def _draw() -> None:
    st.session_state[keys.LIVE_DRAWN] = _known()  # before it is read: more may come meanwhile
    every: Sequence[Growing] = st.session_state.get(keys.LIVE_PAUSED) or store.syntheses()
    if not every:
        empty.draw()
        return
    if live_runs().runs and live_runs().shown_as_recorded:
        as_recorded.draw(live_runs())
        return
    now = datetime.now(zone())
    found = with_taken(received(_lead(every, now)))
    one = chosen(found)
    live_runs().look_at(one, f"{one.growing.service}, {listing.moment(one, now)}")
    with st.container(key="two_live"):
        left, right = st.columns([3, 7], gap="medium")
    with left:
        listing.draw(found, one, now)
    with right:
        detail.draw(one)


def _lead(every: Sequence[Growing], now: datetime) -> Sequence[Growing]:
    """Draw what comes from where, and the choices; returns those that are shown."""
    services = sorted({growing.service for growing in every})
    if st.session_state.get(keys.LIVE_SERVICE) not in services:
        st.session_state[keys.LIVE_SERVICE] = None
    recent = [growing for growing in every if now.timestamp() - growing.last < SILENT]
    with lead():
        st.html(sentence_html(_sentence(every, recent), "headline"), width="stretch")
        with st.container(horizontal=True, width="content", key="live_choices"):
            service = st.selectbox(
                "Service",
                services,
                index=None,
                placeholder=_ALL,
                label_visibility="collapsed",
                key=keys.LIVE_SERVICE,
                width=150,
            )
            _pause(every)
            address.draw()
    return [growing for growing in every if service in (None, growing.service)]


def _sentence(every: Sequence[Growing], recent: Sequence[Growing]) -> Iterator[str]:
    sending = len({growing.service for growing in recent})
    if sending:
        verb = "is" if sending == 1 else "are"
        yield Bold(f"{counted(sending, 'application')} {verb} sending. ")
        yield _counts(received(recent))
    else:
        yield Bold("Nothing came in the last 10 minutes. ")
        yield f"{_syntheses(every)} before."


def _counts(recent: Sequence[Received]) -> str:
    verified, differ = sum(one.verified for one in recent), sum(one.differs for one in recent)
    counts = [f"{verified:,} verified"] * bool(verified)
    counts += [f"{differ:,} differ{'s' * (differ == 1)}"] * bool(differ)
    return ", ".join([f"{_syntheses(recent)} in the last 10 minutes", *counts])


def _syntheses(found: Sequence[object]) -> str:
    return f"{len(found):,} synthes{'is' if len(found) == 1 else 'es'}"


def _pause(every: Sequence[Growing]) -> None:
    if keys.LIVE_PAUSED in st.session_state:
        st.button(
            "Go on", icon=":material/play_arrow:", key="live_go_on", on_click=_paused, args=(None,)
        )
    else:
        st.button(
            "Pause", icon=":material/pause:", key="live_pause", on_click=_paused, args=(every,)
        )


def _paused(shown: Sequence[Growing] | None) -> None:
    if shown is None:
        st.session_state.pop(keys.LIVE_PAUSED, None)
    else:
        st.session_state[keys.LIVE_PAUSED] = shown
