"""The templates of the mode: their text, what is wrong with it, and values for its variables."""

from __future__ import annotations

import streamlit as st

from synth.default_prompts import DEFAULTS
from synth.lint import Finding, Fix, bare_tokens, custom_variables, fixed, lint
from synth.prompts import ChatPromptTemplate
from synth.tokens import get_tokenizer
from synth.wording import counted, percent
from ui import state
from ui.asking import variables_of
from ui.inputs import template_sets, template_texts
from ui.request import VARIABLE, template_of
from ui.safe import escape
from ui.words import small


def draw(names: tuple[str, ...]) -> None:
    """The templates in a box whose heading says whether something is wrong."""
    if not names:
        st.html('<div class="small muted">This mode has no template: it asks no model.</div>')
        return
    findings = {name: _findings(name) for name in names}
    count = sum(map(len, findings.values()))
    found = f"{count} to look at" if count else "no problems found"
    with st.expander(f"Templates · {found}", icon=":material/edit_note:", key="templates"):
        name = _chosen(names, findings)
        _text(name)
        for number, finding in enumerate(findings[name], 1):
            _finding(name, number, finding)
        _values(variables_of(names))
        with st.container(horizontal=True, key="template_foot"):
            if template_texts.edited(name):
                st.button(
                    "Back to default",
                    icon=":material/undo:",
                    on_click=state.put,
                    kwargs=template_texts.defaults(name),
                )
            template_sets.draw()


def _finding(name: str, number: int, finding: Finding) -> None:
    """What is wrong, and where one click puts it right, the button for it."""
    words, button = st.columns([6, 1], gap="small", vertical_alignment="center")
    words.html(
        f'<div class="small" role="status"><b>{finding.level.capitalize()}.</b>'
        f" {escape(finding.message)}</div>"
    )
    if finding.fix is not None:
        button.button(f"Fix {number}", on_click=_fix, args=(name, finding.fix))


def _fix(name: str, fix: Fix) -> None:
    state.put(**{name: fixed(state.get(name), fix)})
    if fix.old:
        key = template_texts.system(name)
        state.put(**{key: fixed(state.get(key), fix)})


def _template(name: str) -> ChatPromptTemplate:
    return template_of(template_texts.messages(name))


def _findings(name: str) -> list[Finding]:
    template = _template(name)
    given = [own for own in custom_variables(template) if state.get(VARIABLE + own)]
    tokenizer = get_tokenizer(state.get("encoding"))
    return lint(name, template, given, tokenizer, int(state.get("window")))


def _chosen(names: tuple[str, ...], findings: dict[str, list[Finding]]) -> str:
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
    st.toggle("As a chat, with a system message", **state.widget(template_texts.chat(name)))
    if state.get(template_texts.chat(name)):
        key = template_texts.system(name)
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
    share = percent(tokens, int(state.get("window")))
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
