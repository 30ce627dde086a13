"""The columns of a comparison: what each overrides, and the recipes that make them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from string import ascii_uppercase
from typing import Any

import streamlit as st

from synth.modes.registry import MODES
from synth.text.wording import counted, listed
from ui.look.elements import small
from ui.session import keys, workspace
from ui.settings import schema, state
from ui.settings.request import variables_of
from ui.settings.schema import (
    HUMAN,
    MOST_COLUMNS,
    OFFLINE,
    VARIABLE,
    Settings,
)

FEWEST_COLUMNS, MOST_REPEATS = 2, 10
FIRST_MODES = ("compact", "refine", "tree_summarize", "simple_summarize")
"""The modes of a comparison that nobody has changed; all others are one click away."""
LETTERS = ascii_uppercase
"""Of the columns, in order; from the fifth column on they are drawn as rows."""
_LETTERS = LETTERS[:MOST_COLUMNS]


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


def current_columns(page: Settings) -> tuple[Column, ...]:
    """The columns; at first the mode of the page beside three others."""
    stored: tuple[Column, ...] | None = workspace.value(keys.COLUMNS, None)
    return columns_of_modes(page.mode) if stored is None else stored


def columns_of_modes(first: str) -> tuple[Column, ...]:
    """Make a column of a mode, and of others beside it."""
    modes = dict.fromkeys((first, *FIRST_MODES))
    lettered = zip(_LETTERS, modes, strict=False)
    return tuple(Column(letter, (("mode", mode),)) for letter, mode in lettered)


def store_columns(columns: Sequence[Column]) -> None:
    """Remember the columns in the workspace, lettered in order; in the tab what they replace."""
    lettered = zip(LETTERS, columns, strict=False)
    named = tuple(replace(column, name=letter) for letter, column in lettered)
    before = workspace.value(keys.COLUMNS, named)
    if before != named:
        st.session_state[keys.COLUMNS_BEFORE] = before
    state.set_workspace_value(keys.COLUMNS, named)


def settings_of(page: Settings, column: Column) -> Settings:
    """Return the settings of a column; `page` are those that it overrides.

    A person can't be the model of several columns at once, so the offline model takes over.
    """
    settings = page.with_(dict(column.overrides))
    return settings.with_({"model": OFFLINE.value}) if settings.model_kind == HUMAN else settings


_CAPTIONS = {
    "Modes": "the same chunks in each",
    "All modes": "as rows, on the same scales",
    "Wordings": "of one template, side by side",
    "A variable": "one text a column",
    "Models": "the same prompts for each",
    "Windows": "where a column would cut text off",
}
_NOUNS = {"mode": "mode", "model_name": "model", "context_window": "window"}
_WITHOUT = {
    "Wordings": "This mode has no template.",
    "A variable": "No template of this mode has a variable: write one, such as {tone}, into it.",
    "Models": "Choose an endpoint at the model in the menu: columns then ask several models of it.",
}


def draw_recipes(page: Settings, columns: Sequence[Column]) -> None:
    """Draw what the columns differ in, and behind it the recipes that make others."""
    popover = st.popover(recipe_words(columns), icon=":material/view_column:", key="recipe")
    with popover, st.container(key="recipe_contents"):
        if before := st.session_state.get(keys.COLUMNS_BEFORE):
            st.button(
                f"Back to the {recipe_words(before)} before",
                key="columns_back",
                icon=":material/undo:",
                type="tertiary",
                on_click=store_columns,
                args=(before,),
            )
        kind = st.radio(
            "What differs?",
            list(_CAPTIONS),
            captions=list(_CAPTIONS.values()),
            key="recipe_kind",
        )
        names = _names(kind, page)
        if not names:
            small(_WITHOUT[kind])
            return
        name = names[0]
        if len(names) > 1:
            name = st.selectbox("Which", names, format_func=schema.say_name, key="recipe_name")
        _draw_values(page, kind, name)
        texts = _read_texts(kind, name)
        problem = _problem(name, texts)
        st.button(
            f"Make {counted(len(texts), 'column')}",
            key="make_columns",
            type="primary",
            disabled=bool(problem),
            on_click=_make,
            args=(page, kind, name),
        )
        if problem:
            small(problem)


def recipe_words(columns: Sequence[Column]) -> str:
    """Say in what the columns differ: "4 modes", "3 wordings", or "4 columns" for anything else."""
    names = dict.fromkeys(name for column in columns for name, _ in column.overrides)
    differing = [name for name in names if len({one.override(name) for one in columns}) > 1]
    noun = "column"
    if len(differing) == 1:
        [name] = differing
        noun = "wording" if schema.is_of_template(name) else _NOUNS.get(name, noun)
        noun = "text" if name.startswith(VARIABLE) else noun
    return counted(len(columns), noun)


def _names(kind: str, page: Settings) -> list[str]:
    templates = MODES[page.mode].templates
    match kind:
        case "Modes" | "All modes":
            return ["mode"]
        case "Wordings":
            return list(templates)
        case "A variable":
            return [f"{VARIABLE}{name}" for name in variables_of(templates, page)]
        case "Models":
            return ["model_name"] if page.model_kind.needs_address else []
    return ["context_window"]


def _draw_values(page: Settings, kind: str, name: str) -> None:
    """Draw a field for each column; of a template each begins with the present text."""
    if kind == "Modes":
        default, most = FIRST_MODES[:MOST_COLUMNS], MOST_COLUMNS
        st.multiselect("Modes", list(MODES), default, max_selections=most, key="recipe_modes")
    elif kind != "All modes":
        is_wording, present = schema.is_of_template(name), str(page.value(name))
        field = st.text_area if is_wording else st.text_input
        for letter in _LETTERS:
            text = present if is_wording or letter == "A" else ""
            field(letter, text, key=f"recipe {name} {letter}")


def _read_texts(kind: str, name: str) -> list[str]:
    """Read the values of the columns, each once, as the widgets have them at this moment."""
    if kind == "All modes":
        return list(MODES)[: len(LETTERS)]
    if kind == "Modes":
        modes: list[str] = st.session_state["recipe_modes"]
        return modes
    texts = [str(st.session_state[f"recipe {name} {letter}"]) for letter in _LETTERS]
    return list(dict.fromkeys(text for text in texts if text.strip()))


def _problem(name: str, texts: Sequence[str]) -> str:
    """Why these make no columns; "" if they do."""
    if len(texts) < FEWEST_COLUMNS:
        return f"It takes {FEWEST_COLUMNS} that differ."
    for text in texts:
        try:
            schema.read(name, text, text=True)
        except ValueError:
            return f"{text} can't be the {schema.say_name(name)} of a column."
    return ""


def _make(page: Settings, kind: str, name: str) -> None:
    """Replace the columns; for callbacks, which a text may reach that was typed just before."""
    texts = _read_texts(kind, name)
    if _problem(name, texts):
        return
    own = {} if name == "mode" else {"mode": page.mode}
    values = [schema.read(name, text, text=True) for text in texts]
    store_columns([Column("", tuple({**own, name: value}.items())) for value in values])
