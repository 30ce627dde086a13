"""The templates of the mode: their text, what is wrong with it, and values for its variables."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from synth.default_prompts import DEFAULTS
from synth.lint import Fix, TemplateProblem, bare_tokens, custom_variables, fixed, lint
from synth.prompts import ChatPromptTemplate
from synth.response_synthesizers.registry import MODES
from synth.tokens import get_tokenizer
from synth.wording import counted, percent
from ui.controls import template_sets
from ui.look.elements import small
from ui.look.escape import escape
from ui.request.from_settings import variables_of
from ui.request.request import Messages, template_of
from ui.session import parts
from ui.settings import state, template_texts
from ui.settings.names import VARIABLE, chat, system


class Shown(NamedTuple):
    """A template of the mode, what is wrong with it, and the encoding that counts it."""

    name: str
    messages: Messages
    findings: tuple[TemplateProblem, ...]
    encoding: str


def shown() -> tuple[Shown, ...]:
    """The templates of the mode."""
    return tuple(_shown(name) for name in MODES[state.get("mode")].templates)


def _shown(name: str) -> Shown:
    messages, encoding = template_texts.messages(name, state.get), state.get("encoding")
    template = template_of(messages)
    given = [own for own in custom_variables(template) if state.get(VARIABLE + own)]
    found = lint(name, template, given, get_tokenizer(encoding), int(state.get("window")))
    return Shown(name, messages, tuple(found), encoding)


def draw(templates: tuple[Shown, ...]) -> None:
    """The templates in a box whose heading says whether something is wrong."""
    if not templates:
        st.html('<div class="small muted">This mode has no template: it asks no model.</div>')
        return
    names = tuple(template.name for template in templates)
    findings = {template.name: template.findings for template in templates}
    count = sum(map(len, findings.values()))
    found = f"{count} to look at" if count else "no problems found"
    with st.expander(f"Templates · {found}", icon=":material/edit_note:", key="templates"):
        name = _chosen(names, findings)
        _text(name)
        for number, finding in enumerate(findings[name], 1):
            _finding(name, number, finding)
        _values(variables_of(names, state.get))
        with st.container(horizontal=True, key="template_foot"):
            if template_texts.edited(name):
                st.button(
                    "Back to default",
                    icon=":material/undo:",
                    on_click=state.take,
                    kwargs=template_texts.defaults(name),
                )
            template_sets.draw()


def _finding(name: str, number: int, finding: TemplateProblem) -> None:
    """What is wrong, and where one click puts it right, the button for it."""
    words, button = st.columns([6, 1], gap="small", vertical_alignment="center")
    words.html(
        f'<div class="small" role="status"><b>{finding.level.capitalize()}.</b>'
        f" {escape(finding.message)}</div>"
    )
    if finding.fix is not None:
        button.button(f"Fix {number}", on_click=_fix, args=(name, finding.fix))


def _fix(name: str, fix: Fix) -> None:
    keys = (name, system(name)) if fix.old else (name,)
    state.take(**{key: fixed(state.get(key), fix) for key in keys})


def _template(name: str) -> ChatPromptTemplate:
    return template_of(template_texts.messages(name, state.get))


def _chosen(names: tuple[str, ...], findings: dict[str, tuple[TemplateProblem, ...]]) -> str:
    """The template to show; the choice says how many tokens each has without its variables."""
    tokenizer = get_tokenizer(state.get("encoding"))

    def label(name: str) -> str:
        tokens = bare_tokens(_template(name), tokenizer)
        return f"{name} · {tokens:,} tokens" + (" · look" if findings[name] else "")

    chosen = st.segmented_control(
        "Template",
        names,
        format_func=label,
        default=names[0],
        required=True,
        wrap=True,
        label_visibility="collapsed",
        key=f"template of {', '.join(names)}",
        persist_state="session",
    )
    return str(chosen)


def _text(name: str) -> None:
    st.toggle("As a chat, with a system message", **state.widget(chat(name)))
    if state.get(chat(name)):
        key = system(name)
        st.text_area(
            "System message", value=state.setting(key).default, height=100, **state.widget(key)
        )
    st.text_area(
        "Text of the template",
        value=DEFAULTS[name].template,
        height=190,
        help="Ctrl+Enter applies it. Variables stand in single braces: {query_str}.",
        **state.widget(name),
    )
    tokens = bare_tokens(_template(name), get_tokenizer(state.get("encoding")))
    parts.part("share", lambda: int(state.get("window")), partial(_share, tokens))


def _share(tokens: int, window: int) -> None:
    share = percent(tokens, window)
    small(f"{counted(tokens, 'token')} with nothing filled in, {share} of the window.")


def _values(variables: list[str]) -> None:
    """An input for each custom variable; its name is shown as text, since labels are Markdown."""
    for number, name in enumerate(variables, 1):
        st.html(f'<div class="small">Value of <b>{escape(name)}</b></div>')
        st.text_input(
            f"Value of custom variable {number}",
            label_visibility="collapsed",
            **state.widget(VARIABLE + name),
        )
