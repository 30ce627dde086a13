"""The menu Share: what leaves the page, the workspace as a link and as a file, and its end."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

import streamlit as st

from synth.errors import SynthError
from synth.export.files import MOST_BYTES, MOST_LETTERS, pack
from synth.text.wording import counted
from ui.look.elements import draw_menu, error_box, label_text, save_button, section, small
from ui.session import keys, workspace
from ui.store.store import StoreError
from ui.workspaces import files
from ui.workspaces.opening import LINK, delete, in_new_workspace, leave


def draw_share(draw_files: Callable[[], None] | None) -> None:
    """Draw the menu that shares the workspace; `draw_files` draws what leaves the page."""

    def draw_contents() -> None:
        if draw_files is not None:
            draw_files()
        values = workspace.current().values.copy()
        _draw_links(values)
        _draw_workspace(values)
        _draw_deletion()

    st.fragment(draw_menu)("Share", keys.SHARE_OPEN, draw_contents, "share")


def _draw_links(values: Mapping[str, Any]) -> None:
    section("Link to a copy of this workspace")
    try:
        letters = pack(files.write(values, indent=None))
    except SynthError as problem:
        small(f"This workspace is too large for a link. {problem}")
        return
    with st.container(key="workspace_link"):
        st.code(workspace.page_url({LINK: letters}), language=None)
    size = f"{counted(len(letters), 'character')} of at most {MOST_LETTERS:,}"
    small(f"{size}. Without a run, a key or an endpoint.")


def _draw_workspace(values: Mapping[str, Any]) -> None:
    section("Workspace")
    with st.container(horizontal=True, vertical_alignment="center", key="workspace_files"):
        make = partial(files.write, values)
        save_button("Workspace as JSON", make, "workspace.json")
    with st.expander("Open a file", icon=":material/upload_file:", key="open_shared_file"):
        _draw_uploader()


def _draw_uploader() -> None:
    most = MOST_BYTES // 1_000_000
    file = st.file_uploader("A workspace or a run", type="json", max_upload_size=most)
    if file is None:
        return
    make = partial(in_new_workspace, file.getvalue())
    try:
        space = workspace.current().remember("opened file", file.file_id, make)
    except SynthError as problem:
        error_box(f"{file.name} can't be opened.", str(problem))
        return
    st.link_button(
        f"Open {label_text(file.name)}",
        workspace.page_url({"w": space.id}),
        icon=":material/open_in_new:",
    )
    small("It has a workspace of its own, in a new tab; this one stays as it is.")


def _draw_deletion() -> None:
    small("Whoever has the address of this page may read, change and delete all that is here.")
    words = "Delete all that was entered here, and all its runs. It can't be undone."
    sure = st.checkbox(words, key="sure_to_delete")
    label, icon = "Delete this workspace", ":material/delete:"
    if not st.button(label, icon=icon, key="delete", disabled=not sure):
        return
    try:
        delete(workspace.current().id)
    except StoreError as problem:
        error_box("Nothing was deleted.", str(problem))
        return
    leave()
    st.rerun()
