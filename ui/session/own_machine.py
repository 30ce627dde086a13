"""Whether the app runs on the machine of the person who uses it."""

from __future__ import annotations

import ipaddress
from urllib.parse import urlsplit

import streamlit as st


def is_this() -> bool:
    """Whether the server and the browser are on one machine, and nothing is between them."""
    forwarded = {"forwarded", "x-forwarded-for"} & {name.lower() for name in st.context.headers}
    address = st.get_option("server.address") or ""
    return not forwarded and _is_loopback(address) and _is_loopback(_host(st.context.url or ""))


def _host(url: str) -> str:
    return urlsplit(url).hostname or ""


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
