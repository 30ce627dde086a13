"""Who has signed in, where whoever runs the server has people sign in; the page that asks for it.

That is so where `[auth]` stands in Streamlit's secrets (`.streamlit/secrets.toml`), which names a
provider of OpenID Connect, or several: https://docs.streamlit.io/develop/concepts/connections/authentication.
"""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

import streamlit as st

from synth.errors import SynthError
from synth.html.escape import sentence_html
from synth.text.wording import Bold
from ui.look import scripts
from ui.look.elements import error_box, section, small
from ui.look.first_words import NAME
from ui.look.markdown import label_text

_OWNER = "account:"


def _settings() -> Mapping[str, Any]:
    """The table `[auth]`; SynthError where there are secrets that can't be read."""
    if st.secrets.load_if_toml_exists():
        return dict(st.secrets.get("auth") or {})
    if any(Path(file).exists() for file in st.get_option("secrets.files")):
        raise SynthError(
            "The secrets of this server can't be read, so nobody can sign in: the log of the server"
            " says what is wrong with the file."
        )
    return {}


def is_asked_for() -> bool:
    """Whether people must sign in here; SynthError where there are secrets that can't be read."""
    return bool(_settings())


def providers() -> list[str | None]:
    """The names of those whom one can sign in with, as `st.login` takes them; None has no name."""
    settings = _settings()
    named = [name for name, value in settings.items() if isinstance(value, Mapping)]
    others = [name for name in named if "client_id" in settings[name]]
    return [*([None] if "client_id" in settings else []), *others]


def name() -> str:
    """What to call the person who has signed in."""
    return str(st.user.get("name") or st.user.get("email") or _who()[1])


def owner_of(id: str) -> str | None:
    """What stands among the owners of a workspace that is this person's; None if none is asked for.

    It is a hash of issuer, subject and the id of the workspace, so that nobody sees which ones are
    one person's. Names and addresses of mail may pass to other people, a subject never does:
    https://openid.net/specs/openid-connect-core-1_0.html#SubjectIDs.
    """
    if not is_asked_for():
        return None
    person = json.dumps([*_who(), id])
    return _OWNER + sha256(person.encode()).hexdigest()


def _who() -> tuple[str, str]:
    """The issuer and the subject of the identity, "" where the provider gave none."""
    issuer, subject = st.user.get("iss"), st.user.get("sub")
    return str(issuer or ""), str(subject or "")


def must_sign_in() -> bool:
    """Whether this person must sign in first; then the page asks for it.

    Where it can't be known, nobody gets any further.
    """
    try:
        if not is_asked_for() or (st.user.get("is_logged_in") and all(_who())):
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
        for provider in providers():
            label = "Sign in" if provider is None else f"Sign in with {label_text(provider)}"
            key = f"sign in {provider}"
            st.button(label, type="primary", on_click=st.login, args=(provider,), key=key)
        if st.user.get("is_logged_in"):
            error_box(
                "The provider did not say who you are.",
                "It must give an issuer and a subject: ask who runs this server.",
            )


def draw_person() -> None:
    """Draw who has signed in, and the way out, where people sign in at all."""
    if not is_asked_for():
        return
    section(f"Signed in as {name()}")
    st.button("Sign out", icon=":material/logout:", type="tertiary", on_click=st.logout)
