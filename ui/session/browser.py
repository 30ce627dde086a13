"""Whether the app runs for its user alone: whoever started it, in a browser of the same machine."""

import ipaddress
import os
from collections.abc import Mapping
from urllib.parse import SplitResult, urlsplit

import streamlit as st

_ADDED_ON_THE_WAY = ("forwarded", "via", "x-", "cf-", "true-client-", "client-ip", "fastly-")
"""What the names of headers begin with that a proxy adds, and no browser."""


def is_own_machine() -> bool:
    """Return whether whoever started the server says so, and a browser of this machine asks it.

    The variable SYNTH_OWN_MACHINE decides, since a proxy or a tunnel on this machine asks from
    here as well. Everything else can only say no; what the page says of its own address counts
    for nothing, since a client may write there what it likes.
    """
    headers = st.context.headers
    # Any page may open a websocket, but the origin that its browser tells is its own.
    asks_itself = _split(headers.get("Origin", "")).netloc == headers.get("Host", "")
    # The address is None if it is a loopback one.
    return is_asked_from_here(headers, st.context.ip_address is None) and asks_itself


def is_asked_from_here(headers: Mapping[str, str], from_loopback: bool) -> bool:
    """Say whether the server is its user's own, and asked from this machine by its address."""
    return (
        os.environ.get("SYNTH_OWN_MACHINE", "").strip() == "1"
        and is_loopback(st.get_option("server.address") or "")
        # A socket file has no address either, which the line above excludes. Both lines count: a
        # firewall may lead others to a loopback address.
        and from_loopback
        and not any(name.lower().startswith(_ADDED_ON_THE_WAY) for name in headers)
        # a name of somebody else may lead here
        and is_loopback(_split(f"//{headers.get('Host', '')}").hostname or "")
    )


def _split(address: str) -> SplitResult:
    """Split an address; one that is none has no parts."""
    try:
        return urlsplit(address)
    except ValueError:
        return urlsplit("")


def is_loopback(name: str) -> bool:
    """Return whether this is an address of this machine, or the name that leads to one."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
