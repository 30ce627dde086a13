"""What a browser keeps of a widget: its name, and the value that it sends back."""

import re
from typing import Any

from streamlit.proto.Element_pb2 import Element
from streamlit.proto.WidgetStates_pb2 import WidgetState

_KEYED = re.compile(r"\$\$ID-[0-9a-f]+-(.*)", re.DOTALL)
_NAMELESS = "None"  # stands for the key in the id of a widget without one
_FIELDS = {
    "number_input": "double_value",
    "slider": "double_array_value",
    "text_area": "string_value",
    "text_input": "string_value",
    "selectbox": "string_value",
    "radio": "string_value",
    "button_group": "string_array_value",
    "checkbox": "bool_value",
    "button": "trigger_value",
}
"""The field of a widget's state that holds its value."""


def widget(element: Element) -> Any:
    """The widget that the element is, None for all that nobody can set."""
    kind = element.WhichOneof("type")
    return getattr(element, kind) if kind in _FIELDS else None


def name_of(element: Element) -> str:
    """The key of a widget, else its label."""
    found = _KEYED.fullmatch(widget(element).id)
    key = found.group(1) if found else _NAMELESS
    label: str = widget(element).label
    return label if key == _NAMELESS else key


def state(element: Element, value: Any) -> WidgetState:
    """The widget's state with this value."""
    field = _FIELDS[element.WhichOneof("type") or ""]
    made = WidgetState(id=widget(element).id)
    if field == "string_array_value":
        made.string_array_value.data.extend(value)
    elif field == "double_array_value":
        made.double_array_value.data.extend(value)
    else:
        setattr(made, field, value)
    return made


def first_state(element: Element) -> WidgetState | None:
    """The state that a browser gives the widget when it first shows it; None for an empty one."""
    kind, sent = element.WhichOneof("type"), widget(element)
    value: Any = None
    match kind:
        case "checkbox":
            value = sent.value if sent.set_value else sent.default
        case "slider":
            value = list(sent.value if sent.set_value else sent.default)
        case "button_group":
            first = [sent.options[at].content for at in sent.default]
            value = list(sent.raw_values) if sent.set_value else first
        case "selectbox" | "radio" if sent.set_value or not sent.options:
            value = _given(sent, "raw_value")
        case "selectbox" | "radio":
            at = _given(sent, "default")
            value = None if at is None else sent.options[at]
        case "number_input" | "text_area" | "text_input":
            value = _given(sent, "value" if sent.set_value else "default")
    return None if value is None else state(element, value)


def _given(sent: Any, field: str) -> Any:
    return getattr(sent, field) if sent.HasField(field) else None
