"""The beginning of every page: its config, the styles, the menu, and what a server loads once."""

import gc
import logging
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import streamlit as st
from streamlit import net_util
from streamlit.delta_generator import DeltaGenerator

from synth.errors import SynthError
from synth.modes.registry import load_plugins
from synth.text.model_tokenizers import DEFAULT_ENCODING, get_tokenizer
from ui.look import scripts
from ui.look.elements import box, error_box, page_css, small
from ui.session import keys, parts, workspace
from ui.settings import state
from ui.store.runs import remove_deleted
from ui.store.store import StoreError, current_store
from ui.workspaces import opening, saving, share_menu

_NAME = "Synthesis playground"
PAGES = {
    "app.py": "Playground",
    "pages/compare.py": "Compare",
    "pages/learn.py": "Learn",
    "pages/runs.py": "Runs",
}

_COLLECTIONS = (20_000, 100, 2)
"""The thresholds of Python's garbage collection, as `gc.set_threshold` takes them.

The first is how many objects are made and still exist before the young ones are read; the
second and third say after how many such readings older ones, and then all, are read. An edit
leaves about 1,500 objects. So the objects of all sessions are read once in some thousands of
edits: with sixty sessions this takes half a second, in which the server answers nobody.
"""


def frame(
    title: str, draw_files: Callable[[], None] | None = None, *, menu: bool = True
) -> DeltaGenerator:
    """Begin a page with its config, styles and menu; returns the place of the model in the menu.

    `draw_files` draws what Share has of the page, while Share is open. Without `menu` nothing leads
    to another page.
    """
    st.set_page_config(page_title=f"{title} · {_NAME}", layout="wide")
    problem = _start()
    st.html(f"<style>{page_css()}</style>")
    unopened = opening.take_link()
    given = opening.take_given()
    unread = opening.enter()
    state.enter_page(title)
    parts.forget()
    refused = opening.open_given(*given) if given else {}
    model_place = _menu(draw_files) if menu else st.container()
    with st.container(key="scripts"):
        scripts.follow_page()
        scripts.follow_scheme()
        _visit()
    if problem is not None:
        error_box("A mode is missing.", problem)
    if unopened is not None:
        error_box("This link can't be opened.", str(unopened))
    if given and refused:
        with error_box(f"{given[0]} can't be opened.", "It is none of what the pages open."):
            for kind, why in refused.items():
                small(f"As {kind}: {why}")
    if st.session_state.pop(keys.LEFT_DELETED, False):
        box(
            "The workspace was deleted.",
            "Nothing of it is kept, its address opens nothing, and here a new one begins.",
        )
    if unread is not None:
        error_box("What was saved can't be read.", str(unread))
    if st.session_state.pop(keys.NOT_STARTED, False):
        box(
            "Your press did nothing.",
            "Another tab has changed what was shown here. This page shows the change: press again"
            " to go on with it.",
        )
    with st.container():  # what follows keeps its place, and the focus, when the notice comes
        saving.draw_notice()
    return model_place


def _menu(draw_files: Callable[[], None] | None) -> DeltaGenerator:
    with (
        st.container(key="menu_place"),
        st.container(horizontal=True, gap="xsmall", vertical_alignment="center", key="menu"),
    ):
        st.html(f'<div class="brand">{_NAME}</div>', width="content")
        for path, label in PAGES.items():
            st.page_link(path, label=label, query_params=workspace.address())
        st.space("stretch")
        model_place, share = st.container(width="content"), st.container(width="content")
    with share:
        share_menu.draw_share(draw_files)
    return model_place


@st.fragment(run_every=timedelta(minutes=1))
def _visit() -> None:
    """Visit the workspace, which stays in memory while a tab has it open.

    As a fragment is drawn again by itself, Streamlit asks for the whole page when the browser is
    connected again; else a server that has no such session any more drops every edit in a part of
    the page without a word.
    """
    workspace.registry().has(workspace.find_id() or "")


@st.cache_resource(show_spinner=False)
def _start() -> str | None:
    """Load, once in a server, what stays, and keep the garbage collector from reading it again.

    Returns the problem of a custom mode, if there is one. Streamlit's own collection after every
    run (`postScriptGC`) is switched off, by which each session would slow down all others.
    """
    problem = None
    try:
        load_plugins()
    except SynthError as error:
        problem = str(error)
    # To judge a websocket of another origin, Streamlit asks checkip.amazonaws.com for the outer
    # address of this machine, and answers nobody for up to two seconds. No setting prevents it.
    net_util.get_external_ip = lambda: None
    # It logs the address of every request, and a password may stand in one.
    logging.getLogger("httpx2").setLevel(logging.WARNING)
    with suppress(StoreError):  # the page says what is wrong with the database
        remove_deleted(current_store())
    get_tokenizer(DEFAULT_ENCODING)
    gc.collect()
    gc.freeze()
    gc.set_threshold(*_COLLECTIONS)
    return problem
