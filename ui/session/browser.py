"""Whether the app runs for its user alone: whoever started it, in a browser of the same machine."""

import ipaddress
from collections.abc import Mapping
from urllib.parse import urlsplit

import streamlit as st

from ui.session.host import host

_ADDED_ON_THE_WAY = ("forwarded", "via", "x-", "cf-", "true-client-", "client-ip", "fastly-")
"""What the names of headers begin with that a proxy adds, and no browser."""


def is_own_machine() -> bool:
    """Whether whoever started the server says so, and a browser of this machine asks it.

    The variable SYNTH_OWN_MACHINE decides, since a proxy or a tunnel on this machine asks from
    here as well. Everything else can only say no; what the page says of its own address counts
    for nothing, since a client may write there what it likes.
    """
    headers = st.context.headers
    # The address is None if it is a loopback one.
    return is_asked_from_here(headers, st.context.ip_address is None) and _asked_by_itself(headers)


def is_asked_from_here(headers: Mapping[str, str], from_loopback: bool) -> bool:
    """Whether the server is its user's own, and asked from this machine by an address of it."""
    return (
        host().own_machine
        and is_loopback(st.get_option("server.address") or "")
        # A socket file has no address either, which the line above excludes. Both lines count: a
        # firewall may lead others to a loopback address.
        and from_loopback
        and not any(name.lower().startswith(_ADDED_ON_THE_WAY) for name in headers)
        and is_loopback(_host_name(headers))  # a name of somebody else may lead here
    )


def _asked_by_itself(headers: Mapping[str, str]) -> bool:
    """Whether the page asks by the address that it has; any page may open a websocket."""
    try:
        return urlsplit(headers.get("Origin", "")).netloc == headers.get("Host", "")
    except ValueError:
        return False


def _host_name(headers: Mapping[str, str]) -> str:
    try:
        return urlsplit(f"//{headers.get('Host', '')}").hostname or ""
    except ValueError:
        return ""


def is_loopback(name: str) -> bool:
    """Whether this is an address of this machine, or the name that leads to one."""
    try:
        return name == "localhost" or ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
