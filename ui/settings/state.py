"""The settings of the workspace: read, changed, and bound to widgets."""

from collections.abc import Callable, Collection
from functools import cache, partial
from inspect import signature
from typing import Any

import streamlit as st
from annotated_types import Ge, Le

from ui.session import keys, parts, workspace
from ui.settings import hosts, schema
from ui.settings.schema import DEFAULT, OPENING, SHOWN, Settings

PLAYGROUND = "Playground"
"""The title of the page that opens on a run."""


def current() -> Settings:
    """Return the settings of this tab's workspace; until one is set, the Playground has its own."""
    opens = st.session_state.get(keys.PAGE) == PLAYGROUND
    return workspace.value(keys.SETTINGS, OPENING if opens else DEFAULT)


def update(**changes: Any) -> None:
    """Change settings by name; the widgets show them when they are drawn next."""
    settings = current().with_(changes)
    st.session_state.pop(keys.BEFORE_ANOTHER_TAB, None)
    if not is_changed_elsewhere():
        st.session_state[keys.SEEN_SETTINGS] = settings
    set_workspace_value(keys.SETTINGS, settings)


def is_changed_elsewhere() -> bool:
    """Return whether another tab changed settings of which this one shows the older ones."""
    now = workspace.value(keys.SETTINGS, None)
    return st.session_state.get(keys.SEEN_SETTINGS, now) != now


def set_workspace_value(name: str, value: Any) -> None:
    """Set a value of the workspace; None is none."""
    parts.forget_values()
    values = workspace.current().values
    if value is None:
        values.pop(name, None)
    else:
        values[name] = value


def update_and_rerun(**changes: Any) -> None:
    """Change settings and draw the whole page; ends a callback."""
    update(**changes)
    st.rerun()


def enter_page(page: str) -> None:
    """Begin to draw a page; on another one than before the widgets take their values anew.

    Streamlit draws a number that two pages have at its least value if it seems to be unchanged.
    """
    if is_changed_elsewhere():
        st.session_state[keys.BEFORE_ANOTHER_TAB] = st.session_state[keys.SEEN_SETTINGS]
    st.session_state[keys.SEEN_SETTINGS] = workspace.value(keys.SETTINGS, None)
    if st.session_state.get(keys.PAGE) != page:
        st.session_state[keys.PAGE] = page
        for name in SHOWN:
            st.session_state.pop(name, None)


def field(name: str, settings: Settings, widget: str = "", **options: Any) -> Any:
    """Draw the widget of a setting, of its usual kind or another; return its value."""
    kind, arguments = _widget(name)
    widget = widget or kind
    known = _parameters(widget)
    arguments = {one: value for one, value in arguments.items() if one in known} | options
    value = settings.value(name)
    arguments |= bind(name, value, _store, name)
    return getattr(st, widget)(**arguments)


def bind(key: str, value: Any, store: Callable[..., None], *args: Any) -> dict[str, Any]:
    """Make the arguments of a widget that shows a value, and has `store` called after an edit."""
    if key not in st.session_state or st.session_state[key] != value:
        st.session_state[key] = value
    # Without persist_state, a widget that two pages have is empty, or at its least value, when
    # one comes back from the other page.
    return {"key": key, "on_change": store, "args": args, "persist_state": "session"}


def bind_to_workspace(key: str, default: Any) -> dict[str, Any]:
    """Return the same for a widget whose value the workspace keeps under the widget's own key."""
    return bind(key, workspace.value(key, default), _set_workspace_value, key)


def _set_workspace_value(key: str) -> None:
    set_workspace_value(key, st.session_state[key])


@cache
def _parameters(widget: str) -> Collection[str]:
    return signature(getattr(st, widget)).parameters.keys()


def _widget(name: str) -> tuple[str, dict[str, Any]]:
    """The usual widget of a setting, and arguments for this one and for others."""
    if name not in SHOWN:
        return "text_input", {}
    shown = SHOWN[name]
    default = getattr(DEFAULT, name)
    arguments: dict[str, Any] = {"label": shown.label, "placeholder": shown.empty}
    if default is None:
        arguments |= {"value": None, "index": None}
    if (bounds := _bounds(name)) is not None:
        least, most = bounds
        return "number_input", arguments | {
            "min_value": least,
            "max_value": most,
            "step": shown.step,
        }
    if isinstance(default, bool):
        return "toggle", arguments
    if options := [*(shown.labels or shown.choices)]:
        return "selectbox", arguments | {
            "options": options,
            "format_func": partial(schema.say_value, name),
        }
    return "text_input", arguments


def _bounds(name: str) -> tuple[Any, Any] | None:
    metadata = Settings.model_fields[name].metadata
    [*least] = (one.ge for one in metadata if isinstance(one, Ge))
    [*most] = (one.le for one in metadata if isinstance(one, Le))
    return (least[0], most[0]) if least and most else None


def _store(name: str) -> None:
    """Keep what a person entered; whoever names an address wants to send there."""
    value = st.session_state[name]
    update(**{name: value})
    if name in ("base_url", "model"):
        hosts.confirm_typed(value if name == "base_url" else None, current())
    if name not in SHOWN or not SHOWN[name].whole_page:
        parts.redraw_changed()


def sync_with_address(key: str, codes: Collection[str], default: str) -> None:
    """Keep a widget's choice in the address, and take it from there, before the widget is drawn."""
    code = st.query_params.get(key)
    if key not in st.session_state and code in codes:
        st.session_state[key] = code
    chosen = st.session_state.get(key, default)
    if chosen == default:
        st.query_params.pop(key, None)
    elif chosen != code:
        st.query_params[key] = chosen
