"""Columns by a recipe: one setting that differs, with a value for each column, A to D."""

from collections.abc import Sequence

import streamlit as st

from synth.modes.registry import MODES
from synth.text.wording import counted
from ui.look.elements import small
from ui.pages.compare.columns import FEWEST_COLUMNS, LETTERS, Column, store_columns
from ui.settings import by_name
from ui.settings.request import variables_of
from ui.settings.schema import FIRST_MODES, MOST_COLUMNS, VARIABLE, Settings

_CAPTIONS = {
    "Modes": "the same chunks in each",
    "All modes": "as rows, on the same scales",
    "Wordings": "of one template, side by side",
    "A variable": "one text a column",
    "Models": "the same prompts for each",
    "Windows": "where a column would cut text off",
}
_LETTERS = LETTERS[:MOST_COLUMNS]
_NOUNS = {"mode": "mode", "model_name": "model", "context_window": "window"}
_WITHOUT = {
    "Wordings": "This mode has no template.",
    "A variable": "No template of this mode has a variable: write one, such as {tone}, into it.",
    "Models": "Choose an endpoint at the model in the menu: columns then ask several models of it.",
}


def draw(page: Settings, columns: Sequence[Column]) -> None:
    """Draw what the columns differ in, and behind it the recipes that make others."""
    popover = st.popover(recipe_words(columns), icon=":material/view_column:", key="recipe")
    with popover, st.container(key="recipe_contents"):
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
            name = st.selectbox("Which", names, format_func=by_name.say_name, key="recipe_name")
        if kind == "Modes":
            _draw_modes()
        elif kind != "All modes":
            _draw_texts(page, name)
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
        noun = "wording" if by_name.is_of_template(name) else _NOUNS.get(name, noun)
        noun = "text" if name.startswith(VARIABLE) else noun
    return counted(len(columns), noun)


def _names(kind: str, page: Settings) -> list[str]:
    """The settings that a recipe may vary."""
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


def _draw_modes() -> None:
    st.multiselect(
        "Modes",
        list(MODES),
        default=FIRST_MODES[:MOST_COLUMNS],
        max_selections=MOST_COLUMNS,
        key="recipe_modes",
    )


def _draw_texts(page: Settings, name: str) -> None:
    """Draw a field for each column; of a template each begins with the present text."""
    is_wording, present = by_name.is_of_template(name), str(page.value(name))
    field = st.text_area if is_wording else st.text_input
    for letter in _LETTERS:
        field(letter, present if is_wording or letter == "A" else "", key=f"recipe {name} {letter}")


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
            by_name.read(name, text, text=True)
        except ValueError:
            return f"{text} can't be the {by_name.say_name(name)} of a column."
    return ""


def _make(page: Settings, kind: str, name: str) -> None:
    """Replace the columns; for callbacks, which a text may reach that was typed just before."""
    texts = _read_texts(kind, name)
    if _problem(name, texts):
        return
    own = {} if name == "mode" else {"mode": page.mode}
    values = [by_name.read(name, text, text=True) for text in texts]
    store_columns([Column("", tuple({**own, name: value}.items())) for value in values])
