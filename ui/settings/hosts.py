"""Where chunks and keys go: the host of an address, the key typed for it, the person's word on it.

A key belongs to the origin for which it was typed, that is its scheme, host and port; the path is
no part of it. Every page finds a key here, so an address that came from a link, a set, a run, a
column or a saved workspace has none until one is typed. Keys stay in the session.

Chunks go only to an origin that the person chose in this session: by typing its address, by
choosing it from a list, or by the button that names it. Whoever makes a workspace can write an
address into it; nobody can press this button for another one.
"""

import os
from collections.abc import Iterable, Sequence
from typing import Any

import streamlit as st

from synth.errors import SynthError
from ui.look.elements import label_text, small
from ui.session import browser, keys
from ui.settings import model
from ui.settings.schema import ON_THIS_MACHINE, Settings

_KEY_FOR = "key for "


def address(settings: Settings) -> str:
    """Return the address to which an endpoint's requests go; OpenAI's if none is chosen."""
    from synth.llms.endpoint import OPENAI  # noqa: PLC0415  httpx2 is slow to import

    chosen = settings.base_url.strip()
    if gets_environment(settings):
        chosen = os.environ.get("OPENAI_BASE_URL", "")
    return chosen or OPENAI


def gets_environment(settings: Settings) -> bool:
    """Return whether the environment's address and key serve: on one's own machine, by default."""
    return browser.is_own_machine() and not settings.base_url.strip()


def connection(settings: Settings) -> dict[str, Any]:
    """Return key and base URL, None for those of the environment; SynthError if nobody chose it."""
    if hosts := find_unconfirmed([settings]):
        raise SynthError(
            f"Nothing was sent to {describe(hosts[0])}: nobody chose it in this session. Press the"
            " button that names it, or take another address."
        )
    chosen = address(settings)
    base_url = None if gets_environment(settings) else chosen
    return {"api_key": key(chosen) or None, "base_url": base_url}


def why_not(settings: Settings) -> str:
    """Say why nothing can be sent with these settings; "" if nothing is missing."""
    if settings.model_kind == ON_THIS_MACHINE:
        return model.why_not_local()
    if not settings.model_kind.needs_address:
        return ""
    from synth.llms.endpoint import Endpoint  # noqa: PLC0415  httpx2 is slow to import

    try:
        Endpoint.of(**connection(settings)).check_key()
    except SynthError as problem:
        return str(problem)
    if not settings.model_name.strip():
        return f"No model is named: name one that {describe(address(settings))} has."
    return ""


def key_name(address: str) -> str:
    """Return the name in the session of the key that was typed for an address."""
    return _KEY_FOR + (_origin(address) or address.strip())


def key(address: str) -> str:
    """Return the key that was typed for an address; "" if none was."""
    return str(st.session_state.get(key_name(address), "")).strip()


def has_key(settings: Settings) -> bool:
    """Return whether a key that was typed would go with a request."""
    return settings.model_kind.needs_key and bool(key(address(settings)))


def describe(address: str) -> str:
    """Return the origin of an address as the page names it: without https, which one expects."""
    return (_origin(address) or address).removeprefix("https://")


def _confirm(*origins: str) -> None:
    st.session_state[keys.CONFIRMED_HOSTS] = _confirmed() | set(origins)


def confirm_typed(typed: str | None, settings: Settings) -> None:
    """Remember the address that was typed, or the default one; `settings` are those after it."""
    if not (typed or "").strip():
        if not settings.model_kind.needs_address or settings.base_url.strip():
            return
        typed = address(settings)
    if origin := _origin(str(typed)):
        _confirm(origin)


def find_unconfirmed(several: Iterable[Settings]) -> tuple[str, ...]:
    """List the origins that these settings may send to and that nobody chose in this session."""
    asked = [address(settings) for settings in several if settings.model_kind.needs_address]
    origins = dict.fromkeys(origin for one in asked if (origin := _origin(one)))
    return tuple(origin for origin in origins if origin not in _confirmed())


def _confirmed() -> frozenset[str]:
    confirmed: frozenset[str] = st.session_state.get(keys.CONFIRMED_HOSTS, frozenset())
    return confirmed


def _origin(address: str) -> str | None:
    """The origin of an address; None for what is no address, to which nothing is sent."""
    from synth.llms.endpoint import origin  # noqa: PLC0415  httpx2 is slow to import

    try:
        return origin(address)
    except SynthError:
        return None


def find_obstacle(several: Sequence[Settings]) -> tuple[str, str]:
    """Say in a heading and a sentence what keeps all of these from being sent; else two ""."""
    if origins := find_unconfirmed(several):
        names = ", ".join(map(describe, origins))
        why = "You did not choose this in this session: it came with the workspace, or with a link."
        return f"Runs would send your text to {names}.", why
    missing = [why_not(settings) for settings in several]
    return ("Nothing can be sent yet.", missing[0]) if all(missing) else ("", "")


def draw_consent(several: Sequence[Settings], key: str) -> None:
    """Draw the button that lets text go to the hosts that nobody chose, where there are any."""
    if origins := find_unconfirmed(several):
        st.button(
            f"Send to {label_text(', '.join(map(describe, origins)))}",
            key=f"send_to {key}",
            icon=":material/outgoing_mail:",
            on_click=_confirm,
            args=origins,
        )


def draw_key(label: str, address: str) -> None:
    """Draw the field of this address, and say so if the key that was typed is another host's."""
    st.text_input(
        label,
        type="password",
        autocomplete="off",
        key=key_name(address),
        persist_state="session",
    )
    typed = [str(name) for name, text in st.session_state.items() if text]
    others = [name.removeprefix(_KEY_FOR) for name in typed if name.startswith(_KEY_FOR)]
    if others and not key(address):
        small(
            f"The key that you typed is for {describe(others[-1])}; type one for"
            f" {describe(address)}, or leave it empty."
        )
