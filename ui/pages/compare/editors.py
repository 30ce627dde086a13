"""The editors: the question or a list of them, and the settings that each column overrides."""

from collections.abc import Sequence

import streamlit as st

from synth.html.markup import tag
from synth.modes.registry import MODES
from synth.text.wording import short
from ui.controls import questions, templates
from ui.look.elements import beside, small
from ui.pages.compare import set_editor
from ui.pages.compare.columns import (
    FEWEST_COLUMNS,
    TEMPLATE_SET,
    Column,
    ColumnPlace,
    duplicate_column,
    remove_column,
)
from ui.pages.compare.comparison import column_label
from ui.pages.compare.run_slots import MOST_REPEATS
from ui.plans.page_inputs import PageInputs
from ui.session import keys, workspace
from ui.settings import expected, hosts, model, state, template_texts
from ui.settings.model_kinds import HUMAN, KINDS
from ui.settings.schema import MOST_COLUMNS, SHOWN, Settings
from ui.settings.state import Place

_MODELS = [value for value, kind in KINDS.items() if kind != HUMAN]
"""The models of a column: a person can't answer several at once."""
_LONGEST_QUESTION = 90  # characters


def draw(inputs: PageInputs, columns: Sequence[Column]) -> None:
    """All editors, over the whole width."""
    with st.container(border=True, key="editors"):
        _questions(inputs)
        if len(columns) > MOST_COLUMNS:  # which a recipe makes anew
            return
        places = [ColumnPlace.of(inputs.settings, column) for column in columns]
        containers = beside("editors", *[1] * len(columns))
        for place, container in zip(places, containers, strict=True):
            with container:
                _column(inputs.settings, place, places)


def _questions(inputs: PageInputs) -> None:
    """What is asked, and how often: the set, else the list, else the question of the Playground."""
    listed = workspace.value(keys.QUESTIONS, "")
    left, middle, right = beside("asked", 5, 5, 2)
    with left:
        if asked := expected.questions():
            set_editor.draw_present(asked)
        if asked or listed.strip():
            question = short(inputs.settings.query_str, _LONGEST_QUESTION)
            small(f"The question of the Playground is not asked here: “{question}”")
        else:
            questions.draw_question(inputs)
    if not asked:
        middle.text_area(
            "Or a list of questions, one per line",
            height=68,
            placeholder="replaces the single question",
            **state.bind_to_workspace(keys.QUESTIONS, ""),
        )
    right.number_input(
        "Repeats",
        1,
        MOST_REPEATS,
        help="How often each column is asked, to see how much its answers vary.",
        **state.bind_to_workspace(keys.REPEATS, 1),
    )
    set_editor.draw()


def _column(page: Settings, here: ColumnPlace, places: Sequence[ColumnPlace]) -> None:
    column, count = here.column, len(places)
    label = column_label(column.name, here.settings.mode)
    st.html(tag("div.side-head", tag("b", label)))
    with st.container(horizontal=True):
        st.button(
            "Duplicate",
            type="tertiary",
            icon=":material/add:",
            key=f"duplicate {column.name}",
            disabled=count == MOST_COLUMNS,
            on_click=duplicate_column,
            args=(column.name,),
        )
        st.button(
            "Remove",
            type="tertiary",
            icon=":material/close:",
            key=f"remove {column.name}",
            disabled=count <= FEWEST_COLUMNS,
            on_click=remove_column,
            args=(column.name,),
        )
    _fields("mode", here)
    sets = {name: template_texts.set_words(name) for name in template_texts.list_names()}
    state.field(
        TEMPLATE_SET,
        here,
        "selectbox",
        label="Set of templates",
        options=list(sets),
        index=None,
        format_func=sets.__getitem__,
        placeholder="as on the Playground",
    )
    templates.draw(here, templates.checked_templates(here.settings))
    state.field("model", here, options=model.list_offered(_MODELS, here.settings))
    if here.settings.model_kind.needs_address:
        _key(page, here, places)
        _fields("endpoint", here)
    with st.expander("Limits and behaviour", key=here.key("limits")):
        _fields("limits", here)
        small("Empty fields: as on the Playground.")


def _fields(group: str, here: Place) -> None:
    """The settings of a part of the editor, those that its mode has."""
    filters = MODES[here.settings.mode].filters
    for name, shown in SHOWN.items():
        if shown.column == group and (filters or name != "structured_answer_filtering"):
            state.field(name, here)


def _key(page: Settings, here: ColumnPlace, places: Sequence[ColumnPlace]) -> None:
    """The field for the key of a column's host, once among the page and all columns."""
    address = hosts.address(here.settings)
    if _asks(page, address):
        return
    first = next(one for one in places if _asks(one.settings, address))
    if first is here:
        hosts.draw_key("API key of this address", address)
    else:
        small(f"The API key is that of {first.column.name}, which has the same host.")


def _asks(settings: Settings, address: str) -> bool:
    """Whether these settings send to the host of this address."""
    here = settings.model_kind.needs_address
    return here and hosts.key_name(hosts.address(settings)) == hosts.key_name(address)
