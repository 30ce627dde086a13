"""The names of settings that belong to a template or to a variable of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from synth.export import recipe

Lookup = Callable[[str], Any]
"""Looks up the value of a setting by its name, on the page or in a column of Compare."""

Messages = recipe.Messages
"""The role and the text of each message of a template."""

VARIABLE = "variable "
"""The prefix of a setting that holds the value of a custom variable; its name follows."""


def system(template: str) -> str:
    """The name of the setting that holds a template's system message."""
    return f"{template} system"


def measured(template: str) -> str:
    """The name of the setting that holds the text by which LlamaIndex compares a template.

    It is empty for a template that is compared as it is sent; `ChatPromptTemplate` says more.
    """
    return f"{template} measured"


def chat(template: str) -> str:
    """The name of the setting that says whether a template is a chat."""
    return f"{template} chat"
