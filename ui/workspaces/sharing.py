"""The popover Share: the files of the page, links, files of the workspace, and its deletion."""

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.export import links
from synth.export.files import MOST_BYTES
from synth.text.wording import counted
from ui.look.elements import error_box, save_button, section, small
from ui.look.markdown import label_text
from ui.session import keys, workspace
from ui.store.errors import StoreError
from ui.workspaces import deletion, files, opening
from ui.workspaces.files import WorkspaceFile

_UPLOAD = "shared_file"


class UploadedFile(NamedTuple):
    """The file that was uploaded last: the id of its workspace, or what is wrong with it."""

    name: str
    id: str | None
    problem: str = ""


def draw(draw_files: Callable[[], None] | None) -> None:
    """Draw the button that opens the popover, and its contents while it is open.

    `draw_files` draws what leaves the page.
    """
    st.fragment(_draw)(draw_files)


def _draw(draw_files: Callable[[], None] | None) -> None:
    popover = st.popover(
        "Share",
        icon=":material/share:",
        type="tertiary",
        key=keys.SHARE_OPEN,
        on_change="rerun",
    )
    if popover.open:
        with popover, st.container(key="share_contents"):
            if draw_files is not None:
                draw_files()
            values = workspace.current().values.copy()
            _draw_links(WorkspaceFile(values))
            _draw_workspace(values)
            _draw_deletion()


def _draw_links(file: WorkspaceFile) -> None:
    section("Link to a copy of this workspace")
    try:
        letters = links.pack(files.write(file, indent=None))
    except SynthError as problem:
        small(f"This workspace is too large for a link. {problem}")
        return
    with st.container(key="workspace_link"):
        st.code(workspace.page_url({opening.LINK: letters}), language=None)
    size = f"{counted(len(letters), 'character')} of at most {links.MOST_LETTERS:,}"
    small(f"{size}. Without a run, a key or an endpoint.")


def _draw_workspace(values: Mapping[str, Any]) -> None:
    section("Workspace")
    with st.container(horizontal=True, vertical_alignment="center", key="workspace_files"):
        make = partial(files.write, WorkspaceFile(values))
        save_button("Workspace as JSON", make, "workspace.json")
    with st.expander("Open a file", icon=":material/upload_file:", key="open_shared_file"):
        _draw_uploader()


def _draw_uploader() -> None:
    st.file_uploader(
        "A workspace or a run",
        type="json",
        max_upload_size=MOST_BYTES // 1_000_000,
        key=_UPLOAD,
        on_change=_take,
    )
    uploaded: UploadedFile | None = st.session_state.get(keys.OPENED_FILE)
    if uploaded is None:
        return
    if uploaded.id is None:
        error_box(f"{uploaded.name} can't be opened.", uploaded.problem)
        return
    st.link_button(
        f"Open {label_text(uploaded.name)}",
        workspace.page_url({"w": uploaded.id}),
        icon=":material/open_in_new:",
    )
    small("It has a workspace of its own, in a new tab; this one stays as it is.")


def _take() -> None:
    """Open the file that was just chosen; without one, forget the last."""
    chosen = st.session_state[_UPLOAD]
    if chosen is None:
        st.session_state.pop(keys.OPENED_FILE, None)
        return
    try:
        text = chosen.getvalue().decode("utf-8")
        uploaded = UploadedFile(chosen.name, opening.in_new_workspace(text).id)
    except UnicodeDecodeError:
        why = "It is no text: choose a file that was saved here."
        uploaded = UploadedFile(chosen.name, None, why)
    except SynthError as problem:
        uploaded = UploadedFile(chosen.name, None, str(problem))
    st.session_state[keys.OPENED_FILE] = uploaded


def _draw_deletion() -> None:
    small("Whoever has the address of this page may read, change and delete all that is here.")
    words = "Delete all that was entered here, and all its runs. It can't be undone."
    sure = st.checkbox(words, key="sure_to_delete")
    label, icon = "Delete this workspace", ":material/delete:"
    if not st.button(label, icon=icon, key="delete", disabled=not sure):
        return
    try:
        deletion.delete(workspace.current().id)
    except StoreError as problem:
        error_box("Nothing was deleted.", str(problem))
        return
    deletion.leave()
    st.rerun()
