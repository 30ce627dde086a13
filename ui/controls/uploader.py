"""An uploader that hands on its files and is empty again, so that the same file can be chosen."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from ui.session import keys

Taken = Callable[[Sequence[tuple[str, bytes]]], None]


def draw(
    label: str,
    types: Sequence[str],
    most_megabytes: int,
    take: Taken,
    *,
    several: bool = False,
    help: str | None = None,
) -> None:
    """Draw the uploader; `take` gets the names and the bytes of the files that were chosen."""
    serial = st.session_state.setdefault(keys.UPLOADERS, 0)
    st.file_uploader(
        label,
        types,
        accept_multiple_files=several,
        key=_key(serial),
        max_upload_size=most_megabytes,
        help=help,
        on_change=_read,
        args=(take,),
    )


def _key(serial: int) -> str:
    return f"files {serial}"


def _read(take: Taken) -> None:
    serial = st.session_state[keys.UPLOADERS]
    chosen = st.session_state[_key(serial)]
    st.session_state[keys.UPLOADERS] = serial + 1  # for a new uploader, which is empty
    files = chosen if isinstance(chosen, list) else [chosen]
    take([(file.name, file.getvalue()) for file in files if file is not None])
