"""Where the widgets of a column, and of the judge, keep what it has of its own."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from ui.pages.compare.columns import TEMPLATE_SET, Column, column_named, put_column, settings_of
from ui.settings import setting_words
from ui.settings.schema import SHOWN, Settings
from ui.settings.state import Place


@dataclass(frozen=True)
class ColumnPlace(Place):
    """A column by its name: while a widget is empty, the setting is that of the page.

    `read` and `store` are for the column as it is at the moment of an edit.
    """

    name: str
    read: Callable[[], Column]
    store: Callable[[Column], None]
    may_be_empty = True

    def key(self, path: str) -> str:
        """The key of the widget in the session."""
        return f"own {path} of {self.name}"

    def value(self, path: str) -> Any:
        """Its own value; of a template the text that it sends, whosever that is."""
        return self.settings.value(path) if _of_template(path) else self.read().override(path)

    def default(self, path: str) -> Any:
        """The value that the setting has without one of its own."""
        return _without_own(self.read(), path)

    def placeholder(self, path: str) -> str | None:
        """What an empty widget says."""
        value = self.default(path)
        if path in SHOWN and (SHOWN[path].choices or isinstance(value, bool)):
            return f"{setting_words.said(path, value)}, as in the sidebar"
        if isinstance(value, str):
            return value or "as in the sidebar"
        return SHOWN[path].empty if value is None else setting_words.said(path, value)

    def put(self, path: str, value: Any) -> None:
        """Keep what a person entered."""
        self.store(_changed(self.read(), path, value))

    def take(self, values: Mapping[str, Any]) -> None:
        """Keep several values at once; each edit draws the whole page."""
        for path, value in values.items():
            self.put(path, value)

    @property
    def settings(self) -> Settings:
        """All settings of the column."""
        return settings_of(self.read(), "")

    def follow(self, path: str) -> None:
        """Nothing: each edit draws the whole page."""


def place_of(name: str) -> ColumnPlace:
    """The column of that name as a place."""
    return ColumnPlace(name, partial(column_named, name), put_column)


def _changed(column: Column, path: str, value: Any) -> Column:
    """The column after an edit: another set takes the place of templates that were edited in it."""
    if path == TEMPLATE_SET:
        kept = tuple(override for override in column.overrides if not _of_template(override[0]))
        return Column(column.name, kept).with_override(path, value)
    if _of_template(path):
        return column.with_override(path, None if value == _without_own(column, path) else value)
    return column.with_override(path, None if value == "" else value)


def _without_own(column: Column, path: str) -> Any:
    return settings_of(column.with_override(path, None), "").value(path)


def _of_template(path: str) -> bool:
    return path.startswith("templates.")
