"""The page that asks people to sign in, and the place where they sign out."""

from collections.abc import Callable

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import sentence_html
from synth.text.wording import Bold
from ui.look import scripts
from ui.look.elements import error_box, section, small
from ui.look.first_words import NAME
from ui.look.markdown import label_text
from ui.session import account


def is_needed() -> bool:
    """Whether this person must sign in first; then the page asks for it.

    Where it can't be known, nobody gets any further.
    """
    try:
        if not account.is_asked_for() or account.is_signed_in():
            return False
        _ask()
    except SynthError as problem:
        error_box("Nobody can sign in.", str(problem))
    return True


def _ask() -> None:
    scripts.remember_address()
    with st.container(key="signing_in"):
        st.html(sentence_html([Bold(NAME)], "headline"))
        small("Sign in to use it. What you enter is yours alone, in each browser of yours.")
        for provider in account.providers():
            label = "Sign in" if provider is None else f"Sign in with {label_text(provider)}"
            st.button(label, type="primary", on_click=_login(provider), key=f"sign in {provider}")
        if st.user.get("is_logged_in"):
            error_box(
                "The provider did not say who you are.",
                "It must give an issuer and a subject: ask who runs this server.",
            )


def _login(provider: str | None) -> Callable[[], None]:
    return lambda: st.login(provider)


def draw_person() -> None:
    """Draw who has signed in, and the way out, where people sign in at all."""
    if not account.is_asked_for():
        return
    section(f"Signed in as {account.name()}")
    st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=st.logout)
