"""Which browser this is, which workspaces are its own, and whether it is on one's own machine.

A browser has a random secret in a cookie. Together with the id of a workspace it gives a right,
which opens this one workspace; the workspace keeps a hash of it. So nobody gets a right from an
address, a file or the database, and nobody sees which workspaces are one person's.
"""

import hmac
import ipaddress
import re
import secrets
from collections.abc import Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from ui.session import keys
from ui.session.host import host

COOKIE = "synth_browser"
SECRET = r"[\w-]{43}"
"""What a secret looks like, as a regular expression of Python and of JavaScript."""
RIGHT = "own"
"""The parameter of an address that holds the right to the workspace which the address names."""


def secret() -> str:
    """The secret of this browser; a new one until the page has put it into the cookie."""
    if keys.BROWSER not in st.session_state:
        cookie = st.context.cookies.get(COOKIE, "")
        known = re.fullmatch(SECRET, cookie, re.ASCII)
        st.session_state[keys.BROWSER] = cookie if known else secrets.token_urlsafe(32)
    return str(st.session_state[keys.BROWSER])


def right_to(id: str) -> str:
    """What gives the workspace with this id to whichever browser shows it."""
    return hmac.new(secret().encode(), id.encode(), "sha256").hexdigest()


def owns(id: str, values: Mapping[str, Any]) -> bool:
    """Whether this browser may have the workspace with these values: it is its own, or nobody's.

    On one's own machine all are. The right to one may also stand in the address.
    """
    owners = values.get(keys.OWNERS)
    if owners is None:
        return True
    rights = {_mine(id), _hash(st.query_params.get(RIGHT, ""))}
    return not rights.isdisjoint(owners) or is_own_machine()


def claim(id: str, values: dict[str, Any]) -> None:
    """Make the workspace this browser's own if it is nobody's, or if the address has the right.

    One that was saved before workspaces had owners is nobody's: until now its address was all
    that anybody needed, so the first browser that comes with it is taken for the owner.
    """
    right = st.query_params.pop(RIGHT, "")
    if keys.OWNERS in values and not right:
        return
    mine = _mine(id)
    owners = values.setdefault(keys.OWNERS, (mine,))
    if _hash(right) in owners and mine not in owners:
        values[keys.OWNERS] = (*owners, mine)
        st.session_state[keys.GIVEN] = id


def _mine(id: str) -> str:
    return _hash(right_to(id))


def _hash(right: str) -> str:
    return sha256(right.encode()).hexdigest()


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
