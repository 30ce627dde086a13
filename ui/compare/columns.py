"""The columns of a comparison: settings of their own over those of the pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import streamlit as st

from synth.response_synthesizers.registry import MODES
from ui.compare.run_slots import drop, give_runs, slot_runs
from ui.session import keys, workspace
from ui.settings import state, template_texts
from ui.settings.names import Lookup

LETTERS = "ABCD"
FEWEST, MOST = 2, len(LETTERS)
TEMPLATES = "template_set"
"""The name under which a column keeps the set of templates it uses."""

_FIRST = ("compact", "refine", "tree_summarize", "simple_summarize")


@dataclass(frozen=True)
class Column:
    """A column by its name, and the settings in which it differs from the pages' own."""

    name: str
    overrides: tuple[tuple[str, Any], ...]

    def own(self, setting: str) -> Any:
        """Its own value of a setting; None where it follows the pages."""
        return dict(self.overrides).get(setting)

    def changed(self, setting: str, value: Any) -> Column:
        """The column with another value of its own; with None it follows the pages again."""
        kept = {name: old for name, old in self.overrides if name != setting}
        if value is not None and value != "":
            kept[setting] = value
        return Column(self.name, tuple(kept.items()))


def columns() -> tuple[Column, ...]:
    """The columns; at first the mode of the Playground beside three others."""
    kept: tuple[Column, ...] | None = workspace.current().values.get(keys.COLUMNS)
    if kept is not None:
        return kept
    own = state.get("mode")
    return of_modes([own, *(mode for mode in _FIRST if mode != own)][:MOST])


def of_modes(modes: Sequence[str]) -> tuple[Column, ...]:
    """A column a mode, for up to four modes."""
    named = zip(LETTERS, modes, strict=False)
    return tuple(Column(letter, (("mode", mode),)) for letter, mode in named)


def every_mode() -> tuple[Column, ...]:
    """All modes, each a column of its own that has the name of the mode."""
    return tuple(Column(mode, (("mode", mode),)) for mode in MODES)


def keep(kept: Sequence[Column]) -> None:
    """Remember the columns in the workspace."""
    workspace.current().values[keys.COLUMNS] = tuple(kept)


def change(name: str, setting: str, value: Any) -> None:
    """Give a column a value of its own, or take it back with None."""
    keep([one.changed(setting, value) if one.name == name else one for one in columns()])


def duplicate(name: str) -> None:
    """Add a column like this one, with the first letter that is free, and with its runs."""
    there = columns()
    free = next((letter for letter in LETTERS if all(one.name != letter for one in there)), None)
    if free is None:
        return
    [model] = [one for one in there if one.name == name]
    keep([*there, Column(free, model.overrides)])
    give_runs(name, free)


def remove(name: str) -> None:
    """Take a column away, with its runs; a click that came twice takes no more than one."""
    if len(columns()) <= FEWEST:
        return
    keep([one for one in columns() if one.name != name])
    drop([slot for slot in slot_runs() if slot.column == name])


def settings_of(column: Column, question: str) -> Lookup:
    """Looks up the settings of a column that is asked this question.

    No person can be the model of several columns at once: offline stands in for one.
    """
    own = dict(column.overrides)
    if own.get(TEMPLATES) in template_texts.names():
        own = template_texts.values_of(own[TEMPLATES]) | own
    own["question"] = question
    if own.get("model", state.get("model")) == "human":
        own["model"] = "offline"
    own["api_key"] = _key(own.get("base_url", state.get("base_url")))

    return lambda name: own[name] if name in own else state.get(name)


def key_name(address: str) -> str:
    """The name in the session of the key that was typed in for an address."""
    return f"key for {address.strip()}"


def _key(address: str) -> str:
    """The key for an address: the sidebar's for its own address, never for another one."""
    if address.strip() == state.get("base_url").strip():
        return str(state.get("api_key"))
    return str(st.session_state.get(key_name(address), ""))


def label(column: Column, mode: str) -> str:
    """What the page calls a column: "A · compact"; one of all modes has the mode's name alone."""
    return f"{column.name} · {mode}" if column.name in LETTERS else mode
