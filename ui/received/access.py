"""Who may send spans, and who may see them; how much is taken, held and kept."""

import hmac
import os
from collections.abc import Mapping
from typing import NamedTuple

import streamlit as st

from ui.session import browser, keys

TOKEN = "SYNTH_RECEIVE_TOKEN"


class OtlpAnswer(NamedTuple):
    """The status of HTTP, words about what was not taken, and of how many spans they are."""

    status: int
    words: str = ""
    refused: int = 0


def refusal(headers: Mapping[str, str], peer: str) -> OtlpAnswer | None:
    """Say why spans with these headers are not taken from this peer; None if they are."""
    if "origin" in headers:
        return OtlpAnswer(403, "Spans are taken from applications, and a web page has sent these.")
    if not has_token():
        if browser.is_asked_from_here(headers, browser.is_loopback(peer)):
            return None
        return OtlpAnswer(
            403,
            "Without a token, spans are only taken on one's own machine: start the server with"
            f" {TOKEN}, and send the token as docs/live.md says.",
        )
    kind, _, given = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer" and _is_token(given.strip()):
        return None
    return OtlpAnswer(
        401,
        f"Spans need the token of {TOKEN}: set"
        " OTEL_EXPORTER_OTLP_HEADERS=Authorization=Bearer%20TOKEN for the application.",
    )


def has_token() -> bool:
    """Whether whoever started the server set a token."""
    return bool(_token())


def may_see() -> bool:
    """Whether this session may see what was received: on one's own machine, or with the token."""
    return browser.is_own_machine() or _is_token(st.session_state.get(keys.RECEIVE_TOKEN, ""))


def enter(token: str) -> bool:
    """Let this session see what was received, if the token is right; whether it is."""
    st.session_state[keys.RECEIVE_TOKEN] = token.strip()
    return may_see()


def _token() -> str:
    return os.environ.get(TOKEN, "").strip()


def _is_token(given: str) -> bool:
    return has_token() and hmac.compare_digest(given.encode(errors="replace"), _token().encode())


MOST_REQUEST = 32_000_000
"""Bytes of one request, as it comes and unpacked."""

MOST_VALUES = 400_000
"""Messages, elements and other values of one request; a span of LlamaIndex has some thirty."""

UNPACKED_FREELY = 4_000_000
"""Bytes to which any packed request may unpack; with more, MOST_TIMES its size is the limit."""

MOST_TIMES = 100
"""What LlamaIndex sends unpacks to four to fifteen times its size."""

MOST_HELD = 96_000_000
"""Bytes of requests that are under way; an application with more is asked to wait."""

MOST_TRACES = 500
MOST_KEPT = 64_000_000
"""Bytes that all traces take in the database, compressed; the oldest go first."""

LONGEST_NAME = 1_000
"""Characters of a span's name."""

_FEWER = "set OTEL_BSP_MAX_EXPORT_BATCH_SIZE lower, so that fewer spans come at once."
TOO_LARGE = f"A request has more than {MOST_REQUEST:,} bytes: {_FEWER}"
TOO_MANY = f"A request has more than {MOST_VALUES:,} values: {_FEWER}"
UNPACKS_TOO_FAR = f"A request unpacks to more than {MOST_TIMES} times its size: {_FEWER}"
