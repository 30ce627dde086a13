"""The templates of the mode: texts, problems, values of variables, earlier texts, saved sets."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple

import streamlit as st

from synth.errors import TemplateError
from synth.export.recipe import Messages, template_of
from synth.export.template_files import read_template
from synth.html.escape import level_html, prompt_html
from synth.html.markup import tag
from synth.html.provenance import diff_html
from synth.modes.lint import (
    Fix,
    TemplateProblem,
    apply_fix,
    bare_tokens,
    custom_variables,
    describe_order,
    lint,
    put_chunks_first,
)
from synth.modes.registry import MODES
from synth.runs.calls import PlannedCall
from synth.text.diff import word_diff
from synth.text.wording import counted, dollars, listed
from ui.look.elements import (
    button_row,
    draw_menu,
    dropdown,
    error_box,
    label_text,
    name_text,
    section,
    small,
    when,
    zone,
)
from ui.look.scripts import REPORTS_TEXT
from ui.plans.cost import plan_next_question
from ui.plans.plan_range import LONG, PageInputs
from ui.session import keys, parts, workspace
from ui.settings import model, state
from ui.settings.request import variables_of
from ui.settings.schema import DEFAULT, TEMPLATES, VARIABLE, Settings, template_settings
from ui.store.runs import find_earlier_texts
from ui.store.store import StoreError, current_store


class CheckedTemplate(NamedTuple):
    """A template of the mode, its problems, and the tokenizer that counts its tokens."""

    name: str
    messages: Messages
    problems: tuple[TemplateProblem, ...]
    tokenizer: str


def _checked_templates(inputs: PageInputs) -> tuple[CheckedTemplate, ...]:
    """The templates of the mode, those of others behind them, each with its problems.

    A mode that calls no model has none.
    """
    settings = inputs.settings
    own = MODES[settings.mode].templates
    more = [name for name in TEMPLATES if name not in own] if own else ()
    return tuple(_checked(name, settings) for name in (*own, *more))


def _checked(template_name: str, settings: Settings) -> CheckedTemplate:
    messages, spec = settings.messages(template_name), model.tokenizer(settings)
    template = template_of(messages)
    with_value = [name for name in custom_variables(template) if settings.variables.get(name)]
    problems = lint(template_name, template, with_value)
    return CheckedTemplate(template_name, messages, tuple(problems), spec)


def draw_on_page(inputs: PageInputs) -> None:
    """Draw the templates of the page, with their earlier texts and the menu of sets."""
    parts.part("templates", inputs, _checked_templates, _draw)


def _draw(inputs: PageInputs, templates: tuple[CheckedTemplate, ...]) -> None:
    settings = inputs.settings
    if not templates:
        small("This mode has no template: it calls no model.")
        return
    with st.container(key="templates"):
        template = _template_choice(templates, settings)
        name = template.name
        with st.container(horizontal=True, key="template_head"):
            label = "As a chat, with a system message"
            state.field(f"{name}_chat", settings, "toggle", label=label, width="stretch")
            draw_menu("Versions", keys.VERSIONS_OPEN, partial(_draw_versions, name), "history")
        _text(name, settings)
        for number, problem in enumerate(template.problems, 1):
            _problem(name, number, problem)
        parts.part("order", inputs, partial(_order, name), _draw_order)
        with st.container(horizontal=True, vertical_alignment="center", key="template_foot"):
            bare = bare_tokens(template_of(template.messages), model.counter(settings))
            small(f"{counted(bare, 'token')}, without variables")
            if defaults := _edits(name, settings):
                st.button(
                    "Back to default",
                    icon=":material/undo:",
                    type="tertiary",
                    key="template_default",
                    on_click=state.update_and_rerun,
                    kwargs=defaults,
                )
        for variable in variables_of([one.name for one in templates], settings):
            label = f"Value of {name_text(variable)}"
            state.field(f"{VARIABLE}{variable}", settings, label=label)
        parts.part("first use", inputs, partial(_first_use, name), _draw_first_use)


def _order(name: str, inputs: PageInputs) -> str:
    """Say what the order of a template costs another question; "" where that is nothing.

    Plans that take long are not made for it, and what retrieval chooses is not the same again.
    """
    settings, request, price = inputs.settings, inputs.request, inputs.request.model.price
    messages = dict(request.templates).get(name, ())
    words = describe_order(name, template_of(messages)) if messages else ""
    if not words or price is None or settings.selection != "all" or request.work > LONG:
        return ""
    templates = {**dict(request.templates), name: put_chunks_first(name, messages)}
    reordered = replace(request, templates=tuple(templates.items()))
    now, then = (plan_next_question(one, settings.concurrency) for one in (request, reordered))
    if now is None or then is None:
        return ""
    costs = [dollars(price.of(*plan.spent.tokens)) for plan in (now, then)]
    more = (then.cached_tokens or 0) - (now.cached_tokens or 0)
    if more <= 0 or costs[0] == costs[1]:
        return ""
    return (
        f"{words.removesuffix('.')}: that would likely cost {costs[0]}, with the chunks first"
        f" {costs[1]}, {counted(more, 'token')} more cached."
    )


def _draw_order(_: PageInputs, words: str) -> None:
    if words:
        small(words)


def _first_use(name: str, inputs: PageInputs) -> PlannedCall | None:
    calls = inputs.plans.high.calls if inputs.plans.high is not None else ()
    return next((call for call in calls if call.template == name), None)


def _draw_first_use(inputs: PageInputs, call: PlannedCall | None) -> None:
    if call is not None:
        section(f"Call {call.number:,} reads it like this")
        prompt = prompt_html(call.prompt)
        st.html(tag("div.first-use", prompt, dir="auto", tabindex="0"))
    elif inputs.plans.high is not None:
        small("No call of this plan reads it.")


def _edits(name: str, settings: Settings) -> dict[str, Any]:
    defaults = template_settings(name)
    is_edited = any(settings.value(one) != value for one, value in defaults.items())
    return defaults if is_edited else {}


def _problem(name: str, number: int, problem: TemplateProblem) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key=f"problem {number}"):
        level = level_html(problem.level, f"{problem.level.capitalize()}.")
        st.html(tag("div.small", level, f" {problem.message}", role="status"))
        if problem.fix is not None:
            st.button(
                label_text(problem.fix.label),
                key=f"fix {number}",
                on_click=_fix,
                args=(name, problem.fix),
            )


def _fix(name: str, fix: Fix) -> None:
    names = [name, f"{name}_system"] if fix.old else [name]
    settings = state.current()
    state.update_and_rerun(**{one: apply_fix(settings.value(one), fix) for one in names})


_SIGNS = {"error": ":red[:material/error:]", "warning": ":material/warning:"}


def _template_choice(templates: tuple[CheckedTemplate, ...], settings: Settings) -> CheckedTemplate:
    """The chosen template; the choice shows which are edited, have problems, or aren't used."""
    by_name = {template.name: template for template in templates}
    own = MODES[settings.mode].templates

    def label(name: str) -> str:
        short = name.removesuffix("_template")
        levels = {problem.level for problem in by_name[name].problems}
        worst = next((sign for level, sign in _SIGNS.items() if level in levels), "")
        sign = worst or ("•" if _edits(name, settings) else "")
        return f"{short if name in own else f':gray[{short}]'} {sign}".strip()

    key = f"template of {', '.join(by_name)}"
    names = list(by_name)
    return by_name[button_row("Template", names, key, format_func=label, width="stretch")]


def _text(name: str, settings: Settings) -> None:
    chat, system, measured = f"{name}_chat", f"{name}_system", f"{name}_measured"
    with st.container(key=f"{REPORTS_TEXT} template"):
        seen: Any = "collapsed"
        if settings.value(chat):
            state.field(system, settings, "text_area", label="System message", height=100)
            seen = "visible"
        state.field(
            name,
            settings,
            "text_area",
            label="Text of the template",
            height=220,
            label_visibility=seen,
        )
    if settings.value(measured):
        small("LlamaIndex compares this template by another text, which came with a trace.")
        st.button(
            "Compare it by this text",
            type="tertiary",
            key="compare_by_this",
            on_click=state.update_and_rerun,
            kwargs={measured: ""},
        )


_MOST_SETS = 50  # sets in a workspace


def _draw_versions(name: str) -> None:
    texts: Mapping[Messages, datetime] = {}
    try:
        texts = find_earlier_texts(current_store(), workspace.current().id, name)
    except StoreError as problem:
        error_box("The runs can't be read.", str(problem))
    local = zone()
    versions: dict[str, str | Messages] = {}
    if foreign := _draw_foreign(name):
        versions[_ELSEWHERE] = foreign
    versions |= {one: one for one in (_OURS, *_saved_sets())}
    for number, (text, moment) in enumerate(texts.items(), 1):  # two may be of one minute
        versions[f"{number}. {when(moment, local)}"] = text
    version = versions[dropdown("Version", list(versions), "version")]
    if isinstance(version, str):
        use = "Use this set"
        values = _all_templates(DEFAULT) | dict(_saved_sets().get(version, {}))
    else:
        use, values = "Use this text", template_settings(name, version)
    present = state.current()
    diff = word_diff(*(_text_of(one.messages(name)) for one in (present, present.with_(values))))
    small(f"{diff.changes} against the present text.")
    st.html(diff_html(diff))
    with st.container(horizontal=True):
        st.button(
            use,
            type="primary",
            disabled=present.with_(values) == present,
            on_click=state.update_and_rerun,
            kwargs=values,
            key="use_version",
        )
        if version in _saved_sets():
            st.button(
                "Delete this set",
                key="delete_set",
                icon=":material/delete:",
                on_click=_delete,
                args=(version,),
            )
    st.text_input(
        "Save the templates as a set of this workspace",
        key="template_set_name",
        max_chars=80,
        placeholder="its name",
        disabled=len(_saved_sets()) >= _MOST_SETS,
        on_change=_save,
    )


def _save() -> None:
    name = st.session_state["template_set_name"].strip()
    if name and name != _OURS:
        _keep({**_saved_sets(), name: _all_templates(state.current())})
        st.session_state["template_set_name"] = ""


def _delete(name: str) -> None:
    _keep({key: values for key, values in _saved_sets().items() if key != name})


def _keep(sets: Mapping[str, Mapping[str, Any]]) -> None:
    state.set_workspace_value(keys.TEMPLATE_SETS, sets)


def _saved_sets() -> Mapping[str, Mapping[str, Any]]:
    return workspace.value(keys.TEMPLATE_SETS, {})


_OURS = "Ours"
"""The set that comes with the page."""


def _all_templates(page: Settings) -> dict[str, Any]:
    """The settings of all templates, which together make a set; no others do."""
    return {field: page.value(field) for name in TEMPLATES for field in TEMPLATES[name]}


_ELSEWHERE = "From elsewhere"


def _choose_foreign() -> None:
    """Show what was pasted last, if it can be taken."""
    st.session_state["version"] = _ELSEWHERE


def _draw_foreign(name: str) -> Messages:
    """Draw a field for a template that was written elsewhere, and return what it is here."""
    pasted = st.text_area(
        "A template from elsewhere",
        key="foreign_template",
        placeholder="Python of LlamaIndex or LangChain, Jinja, mustache, promptfoo, .prompty",
        on_change=_choose_foreign,
    )
    if not (pasted or "").strip():
        return ()
    try:
        template = read_template(name, pasted)
        roles = [role for role, _ in template.messages]
        if roles not in (["user"], ["system", "user"]):
            leave = "leave one of the user, and one of the system before it"
            raise TemplateError(f"Its messages are {listed(roles)}: {leave}.")
    except TemplateError as problem:
        error_box("This template can't be taken.", str(problem))
        return ()
    small(" ".join(template.notes))
    return template.messages


def _text_of(messages: Messages) -> str:
    if len(messages) == 1:
        return messages[0][1]
    return "\n\n".join(f"{role}:\n{text}" for role, text in messages)
