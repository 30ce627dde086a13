"""The popover Share: links of settings, of a workspace or to it; files, and the way to open one."""

from collections.abc import Mapping
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.export import links
from synth.export.files import MOST_BYTES
from synth.text.wording import counted
from ui.kept import deletion, files, opening
from ui.kept.files import WorkspaceFile
from ui.look.elements import box, error_box, save_button, section, small
from ui.look.markdown import label_text
from ui.pages.compare.run_slots import RunSlot, compared_runs
from ui.session import keys, workspace
from ui.settings import state
from ui.store.errors import StoreError
from ui.store.run_json import Run
from ui.store.runs import with_saved_name
from ui.store.store import current_store

_UPLOAD = "shared_file"


class _Opened(NamedTuple):
    """The file that was uploaded last: the id of its workspace, or what is wrong with it."""

    name: str
    id: str | None
    problem: str = ""


def draw() -> None:
    """Draw the button that opens the popover, and its contents while it is open."""
    st.fragment(_draw)()


def _draw() -> None:
    popover = st.popover(
        "Share",
        icon=":material/share:",
        type="tertiary",
        key=keys.SHARE_OPEN,
        on_change="rerun",
    )
    if popover.open:
        with popover, st.container(key="share_contents"):
            _settings()
            values = workspace.current().values.copy()
            _link(WorkspaceFile(values))
            _address()
            _files(values)
            _open()
            _deletion()


def _address() -> None:
    section("This very workspace")
    small(
        "The address of the page opens it, and nobody can guess it: whoever has it may read, change"
        " and delete all that is here. A link or a file makes a copy instead."
    )


def _settings() -> None:
    section("These settings as a link")
    changed = state.in_address(state.current())
    with st.container(key="settings_link"):
        st.code(workspace.page_url(changed), language=None)
    small("It holds mode, limits and behaviour; no text, no key, and not this workspace.")


def _link(file: WorkspaceFile) -> None:
    section("This workspace as a link")
    try:
        letters = links.pack(files.written(file, indent=None))
    except SynthError as problem:
        small(f"This workspace is too large for a link. {problem}")
        return
    with st.container(key="workspace_link"):
        st.code(workspace.page_url({opening.LINK: letters}), language=None)
    small(
        f"{counted(len(letters), 'character')} of at most {links.MOST_LETTERS:,}. It holds all that"
        " was entered and opened here; no run of yours, no key, no endpoint. Whoever opens it gets"
        " a workspace of their own."
    )


def _files(values: Mapping[str, Any]) -> None:
    section("As a file")
    make = partial(files.written, WorkspaceFile(values))
    save_button("Workspace as JSON", make, "workspace.json")
    if ended := _compared():
        make = partial(_comparison, values, ended)
        save_button("Comparison with its runs as JSON", make, "comparison.json")


def _compared() -> dict[RunSlot, Run]:
    held = compared_runs()
    return {
        slot: Run(job.info, held.slots.get(slot, job).request, job.trace)
        for slot, job in held.by_slot.items()
        if not job.running and job.trace is not None
    }


def _comparison(values: Mapping[str, Any], runs: Mapping[RunSlot, Run]) -> str:
    named = {slot: with_saved_name(current_store(), run) for slot, run in runs.items()}
    return files.written(WorkspaceFile(values, named))


def _open() -> None:
    section("Open a file of a workspace, a comparison or a run")
    st.file_uploader(
        "File",
        type="json",
        max_upload_size=MOST_BYTES // 1_000_000,
        key=_UPLOAD,
        label_visibility="collapsed",
        on_change=_take,
    )
    opened: _Opened | None = st.session_state.get(keys.OPENED_FILE)
    if opened is None:
        return
    if opened.id is None:
        error_box(f"{opened.name} can't be opened.", opened.problem)
        return
    st.link_button(
        f"Open {label_text(opened.name)}",
        workspace.page_url({"w": opened.id}),
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
        opened = _Opened(chosen.name, opening.in_new_workspace(text).id)
    except UnicodeDecodeError:
        opened = _Opened(chosen.name, None, "It is no text: choose a file that was exported here.")
    except SynthError as problem:
        opened = _Opened(chosen.name, None, str(problem))
    st.session_state[keys.OPENED_FILE] = opened


def _deletion() -> None:
    section("Delete this workspace and its runs")
    if not st.session_state.get(keys.ASKED_TO_DELETE):
        st.button("Delete", icon=":material/delete:", key="delete", on_click=_ask, args=(True,))
        return
    asked = box(
        "Delete all that was entered here, and all its runs?",
        "It can't be undone. Runs that go on are stopped, and the address opens nothing any more,"
        " for whoever has it.",
    )
    with asked.container(horizontal=True):
        sure = st.button("Delete it now", type="primary", key="delete_now")
        st.button("Keep it", key="keep", on_click=_ask, args=(False,))
    if not sure:
        return
    try:
        deletion.delete(workspace.current().id)
    except StoreError as problem:
        error_box("Nothing was deleted.", str(problem))
        return
    deletion.leave()
    st.rerun()


def _ask(asked: bool) -> None:
    st.session_state[keys.ASKED_TO_DELETE] = asked
