"""JSON that a pydantic model accepts, with one text in its string fields."""

import json
from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel

Schema = Mapping[str, Any]

_OF_FORMAT = {
    "date": "1970-01-01",
    "date-time": "1970-01-01T00:00:00Z",
    "time": "00:00:00Z",
    "duration": "PT0S",
    "uuid": "00000000-0000-4000-8000-000000000000",
    "uri": "https://example.com/",
    "email": "nobody@example.com",
}


def filled_json(model: type[BaseModel], text: str, **known: bool) -> str:
    """JSON of the model: `text` in every free string field, `known` values by field name.

    Other required fields get the simplest value that their type allows, optional ones none.
    """
    schema = model.model_json_schema()
    value = {**_value(schema, schema.get("$defs", {}), text), **known}
    return json.dumps(value, ensure_ascii=False)


def _value(schema: Schema, definitions: Schema, text: str) -> Any:
    value: Any = None
    match schema:
        case {"$ref": reference}:
            value = _value(definitions[reference.rsplit("/", 1)[-1]], definitions, text)
        case {"allOf": [first, *_]} | {"anyOf": [first, *_]} | {"oneOf": [first, *_]}:
            value = _value(first, definitions, text)
        case {"const": value} | {"enum": [value, *_]}:
            pass
        case {"type": "string"}:
            value = _OF_FORMAT.get(schema.get("format", ""), text[: schema.get("maxLength")])
        case {"type": "integer" | "number"}:
            value = _number(schema)
        case {"type": "boolean"}:
            value = False
        case {"type": "array"}:
            least = [schema.get("items", {})] * schema.get("minItems", 0)
            items = schema.get("prefixItems", least)
            value = [_value(item, definitions, text) for item in items]
        case {"type": "object"}:
            value = {
                name: _value(field, definitions, text)
                for name, field in schema.get("properties", {}).items()
                if name in schema.get("required", ()) or _is_text(field)
            }
    return value


def _is_text(field: Schema) -> bool:
    first = field.get("anyOf", [field])[0]
    return bool(first.get("type") == "string" and not first.keys() & {"enum", "const"})


def _number(schema: Schema) -> float:
    """The number nearest to 0 that the bounds allow."""
    lowest: float = max(schema.get("minimum", 0), schema.get("exclusiveMinimum", -1) + 1)
    highest: float = min(
        schema.get("maximum", lowest), schema.get("exclusiveMaximum", lowest + 1) - 1
    )
    return min(lowest, highest)
