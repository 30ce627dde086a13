"""Choices in the address of the page, by codes, so that links outlive the words on the page."""

from collections.abc import Collection, Sequence

import streamlit as st


def hold(key: str, codes: Collection[str], default: str | None) -> None:
    """Keep the choice of a widget in the address; call this before the widget is drawn.

    An opened link sets the choice, unless its code is unknown. The default choice is not
    written into the address.
    """
    code = st.query_params.get(key)
    if key not in st.session_state and code in codes:
        st.session_state[key] = code
    write(key, st.session_state.get(key, default), default)


def hold_several(key: str, codes: Collection[str], default: Sequence[str]) -> None:
    """Keep several choices of one widget in the address, separated by commas.

    Codes that are unknown are left out.
    """
    codes_in_link = st.query_params.get(key)
    if key not in st.session_state and codes_in_link is not None:
        st.session_state[key] = [code for code in codes_in_link.split(",") if code in codes]
    chosen = st.session_state.get(key, default)
    write(key, ",".join(chosen), ",".join(default))


def write(key: str, value: str | None, default: str | None) -> None:
    """Write a value into the address, but for the default one."""
    if value is None or value == default:
        st.query_params.pop(key, None)
    elif st.query_params.get(key) != value:
        st.query_params[key] = value
