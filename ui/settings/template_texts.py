"""The templates as a person has edited them, and the sets in which they are saved."""

import importlib.util
from collections.abc import Mapping
from functools import cache
from importlib import import_module
from typing import Any

from synth.export.recipe import Messages
from synth.prompts.templates import CHAT_DEFAULTS
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.schema import DEFAULT, TEMPLATES, Settings

Values = dict[str, Any]

_CONSTANTS = {  # the names of the default templates in llama-index-core
    "text_qa_template": "DEFAULT_TEXT_QA_PROMPT_TMPL",
    "refine_template": "DEFAULT_REFINE_PROMPT_TMPL",
    "summary_template": "DEFAULT_TREE_SUMMARIZE_TMPL",
    "simple_template": "DEFAULT_SIMPLE_INPUT_TMPL",
}


def defaults(name: str) -> Values:
    """Return the settings of a template that nobody has edited."""
    return {field: DEFAULT.value(field) for field in TEMPLATES[name]}


def of_page(page: Settings) -> Values:
    """Return the settings of all templates, which together make a set; no others do."""
    return {field: page.value(field) for name in TEMPLATES for field in TEMPLATES[name]}


def of_messages(name: str, messages: Messages, measured: str = "") -> Values:
    """Return the settings that give a template these messages; a system message makes it a chat."""
    texts = dict(messages)
    changed = {name: texts["user"], f"{name}_chat": "system" in texts, f"{name}_measured": measured}
    if "system" in texts:
        changed[f"{name}_system"] = texts["system"]
    return defaults(name) | changed


@cache  # the search for a package reads every folder of the path
def list_built_in() -> tuple[str, ...]:
    """Return the names of the sets that come with the page."""
    llama_index = ("LlamaIndex's own",) if importlib.util.find_spec("llama_index") else ()
    return ("Ours", "Ours, as a chat", *llama_index)


def find_saved() -> Mapping[str, Values]:
    """Return the sets that were saved in this workspace, by name."""
    return workspace.value(keys.TEMPLATE_SETS, {})


def save(name: str, values: Values) -> None:
    """Save templates as a set of this name."""
    state.set_workspace_value(keys.TEMPLATE_SETS, {**find_saved(), name: values})


def delete(name: str) -> None:
    """Delete the set of this name."""
    rest = {key: values for key, values in find_saved().items() if key != name}
    state.set_workspace_value(keys.TEMPLATE_SETS, rest)


def values_of(name: str) -> Values:
    """Return the settings of the set of this name; an unknown name gives our own templates."""
    values = of_page(DEFAULT)
    if name in find_saved():
        return values | find_saved()[name]
    if name == "Ours, as a chat":
        values |= {
            f"{template}_chat": len(CHAT_DEFAULTS[template].message_templates) > 1
            for template in _CONSTANTS
        }
    elif name == "LlamaIndex's own":
        # Imported only here, since the import takes seconds.
        module = import_module("llama_index.core.prompts.default_prompts")
        values |= {template: getattr(module, constant) for template, constant in _CONSTANTS.items()}
    return values
