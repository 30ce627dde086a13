"""The columns of a comparison: the settings in which each differs from the pages' own."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from string import ascii_uppercase
from types import MappingProxyType
from typing import Any

from synth.response_synthesizers.registry import MODES
from ui.compare.run_slots import copy_runs, drop, slot_runs
from ui.session import keys, workspace
from ui.settings import recorded, state, template_texts
from ui.settings.model import without_secrets
from ui.settings.names import VARIABLE, Lookup

LETTERS = ascii_uppercase[: state.MOST_COLUMNS]
FEWEST_COLUMNS, MOST_COLUMNS = 2, len(LETTERS)
NO_VARIABLES: Mapping[str, str] = MappingProxyType({})
TEMPLATE_SET = "template_set"
"""The name under which a column keeps the set of templates that it uses."""

OVERRIDES = frozenset(
    {"mode", "behaviour", "window", "num_output", "overlap", "chunk_limit", "padding", "encoding"}
    | {"filtering", "model", "base_url", "model_name", "temperature", "seed", TEMPLATE_SET}
)
"""The settings that a column may have of its own, beside the values of variables.

The question and the chunks are those of all columns; the caps are the person's.
"""

_SETTING_WORDS = {
    "base_url": "at",
    "temperature": "temperature",
    "seed": "seed",
    "window": "window",
    "num_output": "answer length",
    "padding": "safety margin",
    "overlap": "overlap",
    "chunk_limit": "chunk size limit",
    "behaviour": "behaviour",
    TEMPLATE_SET: "templates",
}


@dataclass(frozen=True)
class Column:
    """A column by its name, and the settings that it overrides."""

    name: str
    overrides: tuple[tuple[str, Any], ...]

    def override(self, setting: str) -> Any:
        """Its own value of a setting; None where it follows the pages."""
        return dict(self.overrides).get(setting)

    def with_override(self, setting: str, value: Any) -> Column:
        """The column with another value of its own; with None it follows the pages again."""
        overrides = {name: old for name, old in self.overrides if name != setting}
        if value is not None and value != "":
            overrides[setting] = value
        return Column(self.name, tuple(overrides.items()))


def may_override(setting: str) -> bool:
    """Whether a column may have its own value of a setting."""
    return setting in OVERRIDES or setting.startswith(VARIABLE)


def current_columns() -> tuple[Column, ...]:
    """The columns; at first the mode of the Playground beside three others."""
    stored: tuple[Column, ...] | None = workspace.current().values.get(keys.COLUMNS)
    if stored is not None:
        return stored
    mode = state.get("mode")
    others = [other for other in state.FIRST_MODES if other != mode]
    return columns_of_modes([mode, *others][:MOST_COLUMNS])


def put_recorded_first() -> Column | None:
    """Make the columns of a trace that was just opened; the first, which has its answers.

    None where there are columns already, or no trace is open. The other columns take the model of
    the sidebar.
    """
    if keys.COLUMNS in workspace.current().values or state.get("model") != recorded.KIND:
        return None
    first, *others = current_columns()
    first = first.with_override("model", recorded.KIND)
    store_columns([first, *others])
    return first


def columns_of_modes(modes: Sequence[str]) -> tuple[Column, ...]:
    """One column per mode, for up to four modes."""
    lettered = zip(LETTERS, modes, strict=False)
    return tuple(Column(letter, (("mode", mode),)) for letter, mode in lettered)


def columns_of_all_modes() -> tuple[Column, ...]:
    """One column per mode, for all modes; each has the name of its mode."""
    return tuple(Column(mode, (("mode", mode),)) for mode in MODES)


def store_columns(columns: Sequence[Column]) -> None:
    """Remember the columns in the workspace."""
    workspace.current().values[keys.COLUMNS] = tuple(columns)


def change_setting(name: str, setting: str, value: Any) -> None:
    """Give a column a value of its own, or with None let it follow the pages again."""
    store_columns(
        [
            column.with_override(setting, value) if column.name == name else column
            for column in current_columns()
        ]
    )


def duplicate_column(name: str) -> None:
    """Add a copy of a column with its runs, under the first letter that is free."""
    columns = {column.name: column for column in current_columns()}
    letter = next((letter for letter in LETTERS if letter not in columns), None)
    if letter is None:
        return
    store_columns([*columns.values(), Column(letter, columns[name].overrides)])
    copy_runs(name, letter)


def remove_column(name: str) -> None:
    """Remove a column with its runs; two columns always stay, even after a double click."""
    columns = current_columns()
    if len(columns) <= FEWEST_COLUMNS:
        return
    store_columns([column for column in columns if column.name != name])
    drop([slot for slot in slot_runs() if slot.column == name])


def settings_of(
    column: Column, question: str, variables: Mapping[str, str] = NO_VARIABLES
) -> Lookup:
    """The settings of a column that is asked this question, to be looked up by name.

    `variables` are the question's own values of custom variables, which precede the column's.
    A person can't be the model of several columns at once, so the offline model takes over.
    """
    overrides = dict(column.overrides)
    if overrides.get(TEMPLATE_SET) in template_texts.names():
        overrides = template_texts.values_of(overrides[TEMPLATE_SET]) | overrides
    overrides["question"] = question
    overrides |= {VARIABLE + name: value for name, value in variables.items()}
    if overrides.get("model", state.get("model")) == "human":
        overrides["model"] = "offline"
    return lambda name: overrides[name] if name in overrides else state.get(name)


def differences(column: Column) -> str:
    """The overridden settings but for the mode: "window 512 · templates Ours, as a chat"."""
    named = column.override("model_name") is not None and column.override("model") == "endpoint"
    # The name of a model says that there is an endpoint.
    left_out = ("mode", "model") if named else ("mode",)
    overrides = [override for override in column.overrides if override[0] not in left_out]
    overrides.sort(key=lambda override: override[0] != "model_name")
    return " · ".join(_difference(*override) for override in overrides)


def _difference(name: str, value: object) -> str:
    if name == "filtering":
        return f"structured answer filtering {'on' if value else 'off'}"
    if name == "model":
        return state.LABELS["model"][str(value)]
    text = "by default" if value is None else f"{value:,}" if isinstance(value, int) else str(value)
    if name == "base_url":
        address = without_secrets(text)
        text = address.partition("//")[2].removesuffix("/v1") or address
    if name.startswith(VARIABLE):
        return f"{name.removeprefix(VARIABLE)}: {text}"
    return f"{_SETTING_WORDS[name]} {text}" if name in _SETTING_WORDS else text
