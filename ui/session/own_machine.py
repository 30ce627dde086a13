"""Whether the app runs on the machine of the person who uses it."""

from __future__ import annotations

import ipaddress
import os
from urllib.parse import urlsplit

import streamlit as st

_ADDED_ON_THE_WAY = ("forwarded", "via", "x-", "cf-", "true-client-", "client-ip", "fastly-")
"""What the names of headers begin with that a proxy adds, and no browser."""


def is_this() -> bool:
    """Whether whoever started the server says so, and a browser of this machine asks it.

    The variable SYNTH_OWN_MACHINE decides, since a proxy or a tunnel on this machine asks from
    here as well. Everything else can only say no; what the page says of its own address counts
    for nothing, since a client may write there what it likes.
    """
    return os.environ.get("SYNTH_OWN_MACHINE") == "1" and _from_here() and _for_here()


def _from_here() -> bool:
    """Whether the peer is on this machine, and no header tells of another one behind it."""
    headers = (name.lower() for name in st.context.headers)
    return (
        _is_loopback(st.get_option("server.address") or "")
        # It is None for a loopback address, and for a socket file, which the line above excludes.
        # Both lines count: a firewall may lead others to a loopback address.
        and st.context.ip_address is None
        and not any(name.startswith(_ADDED_ON_THE_WAY) for name in headers)
    )


def _for_here() -> bool:
    """Whether the page was asked for by an address of this machine, and asks by the same one.

    A name of somebody else may lead to a loopback address, and any page may open a websocket.
    """
    host = st.context.headers.get("Host", "")
    origin = st.context.headers.get("Origin", "")
    try:
        name, asked_by = urlsplit(f"//{host}").hostname, urlsplit(origin).netloc
    except ValueError:
        return False
    return _is_loopback(name or "") and asked_by == host


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
