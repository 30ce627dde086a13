"""The templates of the mode: texts, problems, values of variables, earlier texts, saved sets."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from operator import attrgetter
from typing import NamedTuple

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.export.recipe import Messages, template_of
from synth.html.escape import level_html
from synth.html.markup import tag
from synth.html.provenance import diff_html
from synth.modes.advice.lint import (
    Fix,
    TemplateProblem,
    apply_fix,
    bare_tokens,
    custom_variables,
    lint,
)
from synth.modes.registry import MODES
from synth.text.diff import word_diff
from synth.text.wording import counted, listed
from ui.look.elements import button_row, error_box, section, small, when, zone
from ui.look.markdown import label_text, name_text
from ui.look.scripts import REPORTS_TEXT
from ui.plans.page_inputs import PageInputs
from ui.session import parts, workspace
from ui.settings import model, state, template_texts
from ui.settings.request import variables_of
from ui.settings.schema import Settings
from ui.settings.state import Place
from ui.store.errors import StoreError
from ui.store.runs import find_earlier_texts
from ui.store.store import current_store


class CheckedTemplate(NamedTuple):
    """A template of the mode, its problems, and the tokenizer that counts its tokens."""

    name: str
    messages: Messages
    problems: tuple[TemplateProblem, ...]
    tokenizer: str


def checked_templates(settings: Settings) -> tuple[CheckedTemplate, ...]:
    """The templates of the mode of these settings, each with its problems."""
    return tuple(_checked(name, settings) for name in MODES[settings.mode].templates)


def _checked(template_name: str, settings: Settings) -> CheckedTemplate:
    messages, spec = settings.messages(template_name), model.tokenizer(settings)
    template = template_of(messages)
    with_value = [name for name in custom_variables(template) if settings.variables.get(name)]
    problems = lint(
        template_name, template, with_value, model.counter(settings), settings.context_window
    )
    return CheckedTemplate(template_name, messages, tuple(problems), spec)


def draw_on_page(inputs: PageInputs) -> None:
    """Draw the templates of the page, with their earlier texts and the menu of sets."""
    parts.part("templates", inputs, _checked_on_page, _draw_on_page)


def _checked_on_page(inputs: PageInputs) -> tuple[CheckedTemplate, ...]:
    return checked_templates(inputs.settings)


def _draw_on_page(inputs: PageInputs, templates: tuple[CheckedTemplate, ...]) -> None:
    draw(inputs.place, templates, inputs)


def draw(
    place: Place, templates: tuple[CheckedTemplate, ...], inputs: PageInputs | None = None
) -> None:
    """Draw the templates with the number of problems; `inputs` are those of the page.

    Without them, as in a column of Compare, they are folded.
    """
    if not templates:
        small("This mode has no template: it calls no model.")
        return
    names = tuple(template.name for template in templates)
    problems = {template.name: template.problems for template in templates}
    summary = _counted(problem for template in templates for problem in template.problems)
    key = place.key("templates")
    box: DeltaGenerator = (
        st.expander(f"Templates · {summary}", icon=":material/edit_note:", key=key)
        if inputs is None
        else st.container(key=key)
    )
    with box:
        if inputs is not None and any(problems.values()):
            section(summary)
        name = _template_choice(names, problems, place)
        _text(name, place)
        for number, problem in enumerate(problems[name], 1):
            _problem(name, number, problem, place)
        tokens = _bare_tokens(name, place.settings)
        share = partial(_share, tokens)
        if inputs is None:
            share(inputs, place.settings.context_window)
        else:
            parts.part("share", inputs, attrgetter("settings.context_window"), share)
        for variable in variables_of(names, place.settings):
            label = f"Value of {name_text(variable)}"
            state.field(f"variables.{variable}", place, label=label)
        with st.container(horizontal=True, key=place.key("template_foot")):
            _way_back(name, place)
            if inputs is not None:
                if st.button("Earlier texts", icon=":material/history:", key="earlier_texts"):
                    _show_earlier_texts(name)
                _sets()


def _share(tokens: int, _: PageInputs | None, window: int) -> None:
    small(f"{tokens:,} of the {window:,} tokens of the window, without any variable filled in.")


def _way_back(name: str, place: Place) -> None:
    defaults = {one: place.default(one) for one in template_texts.defaults(name)}
    if any(place.settings.value(one) != value for one, value in defaults.items()):
        st.button(
            "Back to default",
            icon=":material/undo:",
            key=place.key("template_default"),
            on_click=place.update_and_rerun,
            args=(defaults,),
        )


def _counted(problems: Iterable[TemplateProblem]) -> str:
    levels = Counter(problem.level for problem in problems)
    return listed([counted(levels[level], level) for level in levels]) or "no problems found"


def _problem(name: str, number: int, problem: TemplateProblem, place: Place) -> None:
    key = place.key(f"problem {number}")
    with st.container(horizontal=True, vertical_alignment="center", key=key):
        level = level_html(problem.level, f"{problem.level.capitalize()}.")
        st.html(tag("div.small", level, f" {problem.message}", role="status"))
        if problem.fix is not None:
            st.button(
                label_text(problem.fix.label),
                key=place.key(f"fix {number}"),
                on_click=_fix,
                args=(name, problem.fix, place),
            )


def _fix(name: str, fix: Fix, place: Place) -> None:
    names = [name, f"{name}_system"] if fix.old else [name]
    settings = place.now().settings
    place.update_and_rerun({one: apply_fix(settings.value(one), fix) for one in names})


def _bare_tokens(name: str, settings: Settings) -> int:
    template = template_of(settings.messages(name))
    return bare_tokens(template, model.counter(settings))


_SIGNS = {"error": ":red[:material/error:]", "warning": ":material/warning:"}


def _template_choice(
    names: tuple[str, ...], problems: dict[str, tuple[TemplateProblem, ...]], place: Place
) -> str:
    """The chosen template; the choice shows the tokens of each template without its variables."""

    def label(name: str) -> str:
        tokens = _bare_tokens(name, place.settings)
        signs = dict.fromkeys(_SIGNS[one.level] for one in problems[name])
        return " ".join([f"{name} · {counted(tokens, 'token')}", *signs])

    key = place.key(f"template of {', '.join(names)}")
    return button_row("Template", names, key, format_func=label, wrap=True)


def _text(name: str, place: Place) -> None:
    chat, system, measured = f"{name}_chat", f"{name}_system", f"{name}_measured"
    state.field(chat, place, "toggle", label="As a chat, with a system message")
    with st.container(key=f"{REPORTS_TEXT} {place.key('template')}"):
        if place.settings.value(chat):
            state.field(system, place, "text_area", label="System message", height=100)
        state.field(
            name,
            place,
            "text_area",
            label="Text of the template",
            height=190,
            help="Variables stand in single braces: {query_str}.",
        )
    if place.settings.value(measured):
        small("LlamaIndex compares this template by another text, which came with a trace.")
        st.button(
            "Compare it by this text",
            type="tertiary",
            key=place.key("compare_by_this"),
            on_click=place.update_and_rerun,
            args=({measured: ""},),
        )


_MOST_SETS = 50  # sets in a workspace


def _sets() -> None:
    with st.popover("Template sets", icon=":material/bookmarks:"):
        st.selectbox("Set", template_texts.names(), key="template_set")
        with st.container(horizontal=True):
            st.button("Use this set", on_click=_use)
            st.button(
                "Delete this set",
                key="delete_set",
                icon=":material/delete:",
                disabled=st.session_state["template_set"] not in template_texts.saved(),
                on_click=_delete,
            )
        st.text_input("Save the templates as", key="template_set_name", max_chars=80)
        full = len(template_texts.saved()) >= _MOST_SETS
        st.button("Save", key="save_set", disabled=full, on_click=_save)
        small("Sets stay in this workspace.")


def _use() -> None:
    state.update_and_rerun(**template_texts.values_of(st.session_state["template_set"]))


def _delete() -> None:
    template_texts.delete(st.session_state["template_set"])


def _save() -> None:
    name = st.session_state["template_set_name"].strip()
    if name and name not in template_texts.built_in():
        template_texts.save(name, template_texts.of_page(state.current()))
        st.session_state["template_set_name"] = ""


@st.dialog("Earlier texts of the template", width="large")
def _show_earlier_texts(name: str) -> None:
    section(name)
    try:
        texts = find_earlier_texts(current_store(), workspace.current().id, name)
    except StoreError as problem:
        error_box("The runs can't be read.", str(problem))
        return
    if not texts:
        small("No run has used this template yet.")
        return
    local = zone()
    chosen = st.selectbox(
        "Text of",
        list(texts),
        format_func=lambda messages: when(texts[messages], local),
        key=f"earlier {name}",
    )
    present = state.current().messages(name)
    diff = word_diff(_text_of(present), _text_of(chosen))
    small(f"{diff.changes} against the present text.")
    st.html(diff_html(diff))
    st.button(
        "Use this text",
        type="primary",
        disabled=present == chosen,
        on_click=state.update_and_rerun,
        kwargs=template_texts.of_messages(name, chosen),
        key="use_earlier",
    )


def _text_of(messages: Messages) -> str:
    if len(messages) == 1:
        return messages[0][1]
    return "\n\n".join(f"{role}:\n{text}" for role, text in messages)
