"""The versions of a template that runs have used: a diff between two, and the way back to one."""

from collections.abc import Callable, Mapping, Sequence

import streamlit as st

from synth.export.recipe import Messages
from synth.html.provenance import diff_html
from synth.text.diff import word_diff
from ui.history import history as opened
from ui.history.problems import HistoryError
from ui.history.template_versions import Version, versions
from ui.look.elements import button_row, error_box, section, small, when, zone
from ui.look.markdown import label_text
from ui.settings import state, template_texts


@st.dialog("Versions of the templates", width="large")
def show(workspace: str, names: Sequence[str]) -> None:
    """Show the versions of these templates in a workspace, above the page."""
    try:
        history, name = opened.history(), _choice(names)
        _versions(name, versions(history, workspace, name))
    except HistoryError as problem:
        error_box("The versions can't be read.", str(problem))


def _choice(names: Sequence[str]) -> str:
    if len(names) == 1:
        section(names[0])
        return names[0]
    return button_row(
        "Template", names, "versions_of", format_func=label_text, wrap=True, persist_state=None
    )


def _versions(name: str, known: list[Version]) -> None:
    if not known:
        small("No run has used this template yet. Each text that a run uses becomes a version.")
        return
    by_number = {version.number: version for version in known}
    numbers = list(by_number)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        new = st.selectbox("Version", numbers, format_func=_label(by_number), key=f"new {name}")
        others = [number for number in numbers if number != new]
        before = max((number for number in others if number < new), default=None)
        old = st.selectbox(
            "Compared with",
            others,
            index=None if before is None else others.index(before),
            placeholder="no other version",
            format_func=_label(by_number),
            disabled=not others,
            key=f"old {name} {new}",
        )
        present = state.current().templates[name].messages
        st.button(
            f"Use version {new}",
            type="primary",
            disabled=present == by_number[new].messages,
            help="Puts this text into the Playground.",
            on_click=state.take,
            kwargs=template_texts.of_messages(name, by_number[new].messages),
            key="use_version",
        )
    after = text_of(by_number[new].messages)
    diff = word_diff(after if old is None else text_of(by_number[old].messages), after)
    if old is not None:
        small(f"{diff.changes} since version {old}.")
    st.html(diff_html(diff))


def _label(by_number: Mapping[int, Version]) -> Callable[[int], str]:
    local = zone()
    return lambda number: f"{number} · {when(by_number[number].made, local)}"


def text_of(messages: Messages) -> str:
    """The messages as one text; those of a chat under their roles."""
    if len(messages) == 1:
        return messages[0][1]
    return "\n\n".join(f"{role}:\n{text}" for role, text in messages)
