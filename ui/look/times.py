"""Times as the browser of a person says them."""

from __future__ import annotations

from datetime import UTC, datetime, tzinfo
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st


def zone() -> tzinfo:
    """The time zone of the browser; UTC if it names none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def day(moment: datetime, now: datetime) -> str:
    """A day such as "today", "yesterday", "20 Nov", "20 Nov 2025"."""
    ago = (now.date() - moment.date()).days
    if ago in (0, 1):
        return ("today", "yesterday")[ago]
    return f"{moment.day} {moment:%b}" + ("" if moment.year == now.year else f" {moment.year}")


def when(moment: datetime, local: tzinfo) -> str:
    """A time in this time zone, such as "today 14:12"."""
    there = moment.astimezone(local)
    return f"{day(there, datetime.now(local))} {there:%H:%M}"
