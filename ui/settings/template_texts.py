"""The templates as the person has them: texts, a system message where one is wanted, sets."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from importlib import import_module
from typing import Any

from synth.default_prompts import CHAT_DEFAULTS, DEFAULTS
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.names import Lookup, Messages, chat, system

Values = dict[str, Any]

_THEIRS = {
    "text_qa_template": "DEFAULT_TEXT_QA_PROMPT_TMPL",
    "refine_template": "DEFAULT_REFINE_PROMPT_TMPL",
    "summary_template": "DEFAULT_TREE_SUMMARIZE_TMPL",
    "simple_template": "DEFAULT_SIMPLE_INPUT_TMPL",
}


def messages(name: str, settings: Lookup) -> Messages:
    """The messages of a template, by role."""
    user = ("user", settings(name))
    if settings(chat(name)) and settings(system(name)).strip():
        return ("system", settings(system(name))), user
    return (user,)


def defaults(name: str) -> Values:
    """The settings of a template that nobody has edited."""
    return {key: state.setting(key).default for key in (name, system(name), chat(name))}


def edited(name: str) -> bool:
    """Whether somebody has."""
    return any(state.get(key) != value for key, value in defaults(name).items())


def current() -> Values:
    """The settings of all templates, to be kept as a set."""
    return {key: state.get(key) for name in DEFAULTS for key in defaults(name)}


def built_in() -> list[str]:
    """The names of the sets that come with the page."""
    theirs = ["LlamaIndex's own"] if importlib.util.find_spec("llama_index") else []
    return ["Ours", "Ours, as a chat", *theirs]


def saved() -> Mapping[str, Values]:
    """The sets that were kept in this workspace, by name."""
    kept: Mapping[str, Values] = workspace.current().values.get(keys.TEMPLATE_SETS, {})
    return kept


def names() -> list[str]:
    """The names of all sets."""
    return [*built_in(), *saved()]


def save(name: str) -> None:
    """Keep the templates as they are under this name."""
    workspace.current().values[keys.TEMPLATE_SETS] = {**saved(), name: current()}


def delete(name: str) -> None:
    """Forget the set of that name."""
    kept = {known: values for known, values in saved().items() if known != name}
    workspace.current().values[keys.TEMPLATE_SETS] = kept


def values_of(name: str) -> Values:
    """The settings of the set of that name; a name of none stands for our own templates."""
    if name in saved():
        return dict(saved()[name])
    values = {key: value for known in DEFAULTS for key, value in defaults(known).items()}
    if name == "Ours, as a chat":
        values |= {
            chat(known): len(CHAT_DEFAULTS[known].message_templates) > 1 for known in _THEIRS
        }
    elif name == "LlamaIndex's own":
        # Imported only when it is asked for: that takes seconds.
        theirs = import_module("llama_index.core.prompts.default_prompts")
        values |= {known: getattr(theirs, constant) for known, constant in _THEIRS.items()}
    return values


def use(name: str) -> None:
    """Put the templates of a set in the place of the present ones."""
    state.put(**values_of(name))
