"""The columns of a comparison: the settings of their own, and where the widgets keep these."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any, ClassVar, Self

from synth.text.wording import listed
from ui.session import keys, workspace
from ui.settings import by_name, state, template_texts
from ui.settings.model_kinds import HUMAN, OFFLINE, RECORDED
from ui.settings.schema import DEFAULT, FIRST_MODES, MOST_COLUMNS, SHOWN, Settings
from ui.settings.state import Place

FEWEST_COLUMNS = 2
LETTERS = ascii_uppercase
"""Of the columns, in order; from the fifth column on they are drawn as rows."""
TEMPLATE_SET = "template_set"
"""The name under which a column keeps the set of templates that it uses."""


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


def may_override(name: str) -> bool:
    """Whether a column may have its own value at this path.

    The question and the chunks are those of all columns; the caps are the person's.
    """
    return name == TEMPLATE_SET or by_name.may_differ(name)


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


def duplicate_column(name: str) -> None:
    """Add a copy of a column beside it, which shows the same runs."""
    columns = [
        copy
        for column in current_columns(state.current())
        for copy in ([column] * 2 if column.name == name else [column])
    ]
    if len(columns) <= MOST_COLUMNS:
        store_columns(columns)


def remove_column(name: str) -> None:
    """Remove a column; two always stay, even after a double click."""
    columns = [column for column in current_columns(state.current()) if column.name != name]
    if len(columns) >= FEWEST_COLUMNS:
        store_columns(columns)


def settings_of(page: Settings, column: Column) -> Settings:
    """Return the settings of a column; `page` are those that it overrides.

    A person can't be the model of several columns at once, so the offline model takes over.
    """
    overrides = dict(column.overrides)
    template_set = overrides.pop(TEMPLATE_SET, None)
    if template_set in template_texts.list_names():
        overrides = template_texts.values_of(template_set) | overrides
    settings = page.with_(overrides)
    return settings.with_({"model": OFFLINE.value}) if settings.model_kind == HUMAN else settings


def templates_words(page: Settings, column: Column) -> str:
    """Whose templates a column has."""
    if any(by_name.is_of_template(name) for name, _ in column.overrides):
        return "templates edited"
    chosen = column.override(TEMPLATE_SET)
    if chosen in template_texts.list_names():
        return template_texts.set_words(chosen)
    edited = template_texts.of_page(page) != template_texts.of_page(DEFAULT)
    return "your templates" if edited else template_texts.set_words("Ours")


@dataclass(frozen=True)
class ColumnPlace(Place):
    """A column: while a widget is empty, the setting is that of the page.

    `without_own` are the settings of the column if only its set of templates was its own.
    """

    column: Column
    without_own: Settings
    may_be_empty: ClassVar[bool] = True

    @classmethod
    def of(cls, page: Settings, column: Column) -> Self:
        """Make the place of a column, which overrides these settings of the page."""
        own = tuple(one for one in column.overrides if one[0] == TEMPLATE_SET)
        without_own = settings_of(page, Column(column.name, own))
        return cls(settings_of(page, column), column, without_own)

    def key(self, name: str) -> str:
        """The key of the widget in the session."""
        return f"own {name} of {self.column.name}"

    def value(self, name: str) -> Any:
        """Its own value; of a template the text that it sends, whosever that is."""
        if by_name.is_of_template(name):
            return self.settings.value(name)
        return self.column.override(name)

    def default(self, name: str) -> Any:
        """The value that the setting has without one of its own."""
        return self.without_own.value(name)

    def placeholder(self, name: str) -> str | None:
        """What an empty widget says."""
        value = self.default(name)
        if name in SHOWN and (SHOWN[name].choices or isinstance(value, bool)):
            return f"{by_name.say_value(name, value)}, as on the Playground"
        if isinstance(value, str):
            return value or "as on the Playground"
        return SHOWN[name].empty if value is None else by_name.say_value(name, value)

    def now(self) -> Self:
        """Return the place with its column as it is now; for callbacks."""
        page = state.current()
        [column] = [one for one in current_columns(page) if one.name == self.column.name]
        return self.of(page, column)

    def update(self, changes: Mapping[str, Any]) -> None:
        """Keep what a person entered."""
        here = self.now()
        column = here.column
        for name, value in changes.items():
            column = here._changed(column, name, value)
        columns = current_columns(state.current())
        store_columns([column if one.name == column.name else one for one in columns])

    def redraw(self, name: str) -> None:
        """Nothing: each edit draws the whole page."""

    def _changed(self, column: Column, name: str, value: Any) -> Column:
        """The column after an edit: another set takes the place of templates edited in it."""
        if name == TEMPLATE_SET:
            kept = tuple(own for own in column.overrides if not by_name.is_of_template(own[0]))
            return Column(column.name, kept).with_override(name, value)
        if by_name.is_of_template(name):
            return column.with_override(name, None if value == self.default(name) else value)
        if value == "" and not (name in SHOWN and SHOWN[name].choices):
            value = None
        return column.with_override(name, value)
