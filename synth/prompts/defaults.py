"""The default texts of the templates (defaults.toml)."""

import tomllib
from collections.abc import Mapping
from pathlib import Path

from synth.prompts.templates import ChatPromptTemplate, PromptTemplate

_TEXTS = tomllib.loads(Path(__file__).with_name("defaults.toml").read_text("utf-8"))
_RULES = _TEXTS.pop("rules")

DEFAULTS: Mapping[str, PromptTemplate] = {
    name: PromptTemplate(text) for name, text in _TEXTS.items()
}

CHAT_DEFAULTS: Mapping[str, ChatPromptTemplate] = {
    name: template
    if name == "simple_template"
    else ChatPromptTemplate([("system", _RULES), ("user", template.template)])
    for name, template in DEFAULTS.items()
}
