"""The columns of a comparison: which there are, and the settings that each overrides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

from synth.text.wording import listed
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.model_kinds import HUMAN, OFFLINE, RECORDED
from ui.settings.schema import FIRST_MODES, MOST_COLUMNS, Settings

FEWEST_COLUMNS = 2
LETTERS = ascii_uppercase
"""Of the columns, in order; from the fifth column on they are drawn as rows."""


def listed_columns(names: Sequence[str]) -> str:
    """Say all these columns as one subject: "A, B, C and D"."""
    return listed(names, most=len(LETTERS))


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
        if value is not None:
            overrides[setting] = value
        return Column(self.name, tuple(overrides.items()))


def current_columns(page: Settings) -> tuple[Column, ...]:
    """The columns; at first the mode of the page beside three others."""
    stored: tuple[Column, ...] | None = workspace.value(keys.COLUMNS, None)
    if stored is not None:
        return stored
    others = [other for other in FIRST_MODES if other != page.mode]
    return columns_of_modes([page.mode, *others][:MOST_COLUMNS])


def put_recorded_first(page: Settings) -> Column | None:
    """Make the columns of a trace that was just opened; the first, which has its answers.

    None where there are columns already, or no trace is open. The other columns take the model of
    the Playground.
    """
    if keys.COLUMNS in workspace.current().values or page.model_kind != RECORDED:
        return None
    first, *others = current_columns(page)
    first = first.with_override("model", RECORDED.value)
    store_columns([first, *others])
    return first


def columns_of_modes(modes: Sequence[str]) -> tuple[Column, ...]:
    """One column per mode."""
    lettered = zip(LETTERS, modes, strict=False)
    return tuple(Column(letter, (("mode", mode),)) for letter, mode in lettered)


def store_columns(columns: Sequence[Column]) -> None:
    """Remember the columns in the workspace, their letters in order."""
    lettered = zip(LETTERS, columns, strict=False)
    named = tuple(replace(column, name=letter) for letter, column in lettered)
    state.set_workspace_value(keys.COLUMNS, named)


def settings_of(page: Settings, column: Column) -> Settings:
    """Return the settings of a column; `page` are those that it overrides.

    A person can't be the model of several columns at once, so the offline model takes over.
    """
    settings = page.with_(dict(column.overrides))
    return settings.with_({"model": OFFLINE.value}) if settings.model_kind == HUMAN else settings
