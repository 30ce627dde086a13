"""One recorded run in every container: `FILES` are the bytes by name, all made of one recording."""

import gzip
import json
from collections.abc import Callable
from datetime import datetime
from io import BytesIO
from pathlib import Path
from typing import Any

import pandas as pd

RECORDED = (Path(__file__).parent / "recorded.jsonl").read_text("utf-8")
"""accumulate over two chunks, as the OpenTelemetry SDK writes it."""

ROWS = [json.loads(line) for line in RECORDED.splitlines()]
_LISTS = ("llm.input_messages", "llm.output_messages", "retrieval.documents")


def _nanoseconds(time):
    return int(datetime.fromisoformat(time).timestamp() * 1e6) * 1_000


def _nested(attributes):
    """The attributes with lists of objects for numbered names, as Phoenix has them inside."""
    nested = {}
    for name, value in attributes.items():
        prefix = next((each for each in _LISTS if name.startswith(f"{each}.")), None)
        if prefix is None:
            nested[name] = value
            continue
        number, _, field = name.removeprefix(f"{prefix}.").partition(".")
        rows = nested.setdefault(prefix, [])
        rows += [{}] * (int(number) + 1 - len(rows))
        rows[int(number)] = {**rows[int(number)], field: value}
    return nested


def phoenix(row):
    fields = ("name", "context", "parent_id", "start_time", "end_time")
    attributes = dict(row["attributes"])
    own = {
        "id": row["context"]["span_id"],
        "span_kind": attributes.pop("openinference.span.kind"),
        "status_code": "OK",
        "status_message": "",
        "events": [],
    }
    return {name: row[name] for name in fields} | own | {"attributes": attributes}


def nested(row):
    own = phoenix(row)
    return own | {"attributes": _nested(own["attributes"])}


def columns(row):
    """A row of Phoenix's data frame."""
    own = nested(row)
    attributes, context = own.pop("attributes"), own.pop("context")
    return own | {
        **{f"context.{name}": value for name, value in context.items()},
        **{f"attributes.{name}": value for name, value in attributes.items()},
    }


def _otlp_value(value):
    kinds = {bool: "boolValue", int: "intValue", float: "doubleValue", str: "stringValue"}
    return {kinds[type(value)]: str(value) if type(value) is int else value}


def otlp(row):
    return {
        "traceId": row["context"]["trace_id"],
        "spanId": row["context"]["span_id"],
        "parentSpanId": row["parent_id"] or "",
        "name": row["name"],
        "kind": 1,
        "startTimeUnixNano": str(_nanoseconds(row["start_time"])),
        "endTimeUnixNano": str(_nanoseconds(row["end_time"])),
        "attributes": [
            {"key": name, "value": _otlp_value(value)} for name, value in row["attributes"].items()
        ],
        "status": {"code": 1},
    }


def snake(value):
    """The same value with names as protobuf has them."""
    if isinstance(value, list):
        return list(map(snake, value))
    if not isinstance(value, dict):
        return value
    words = ("".join(f"_{a.lower()}" if a.isupper() else a for a in name) for name in value)
    return dict(zip(words, map(snake, value.values()), strict=True))


def with_nulls(row):
    """OTLP as Phoenix's REST writes it, where a value has each type."""
    own = snake(otlp(row))
    for pair in own["attributes"]:
        pair["value"] = {"array_value": None, "bool_value": None, **pair["value"]}
    return own


def jaeger(row):
    parent = {"refType": "CHILD_OF", "spanID": row["parent_id"]}
    start, end = (_nanoseconds(row[name]) // 1_000 for name in ("start_time", "end_time"))
    return {
        "traceID": row["context"]["trace_id"],
        "spanID": row["context"]["span_id"],
        "operationName": row["name"],
        "references": [parent] if row["parent_id"] else [],
        "startTime": start,
        "duration": end - start,
        "tags": [{"key": name, "value": value} for name, value in row["attributes"].items()],
        "logs": [],
        "processID": "p1",
    }


def langfuse(row):
    """An observation, which has no messages, and input and output beside the attributes."""
    attributes = dict(row["attributes"])
    kind = attributes.pop("openinference.span.kind")
    usage = {
        "input": attributes.pop("llm.token_count.prompt", None),
        "output": attributes.pop("llm.token_count.completion", None),
    }
    given = {name: attributes.pop(f"{name}.value", None) for name in ("input", "output")}
    lists = tuple(name for name in attributes if "_messages." in name)
    metadata = {"attributes": {name: attributes[name] for name in attributes.keys() - lists}}
    return {
        "id": row["context"]["span_id"],
        "traceId": row["context"]["trace_id"],
        "parentObservationId": row["parent_id"],
        "type": "GENERATION" if kind == "LLM" else kind,
        "name": row["name"],
        "startTime": row["start_time"],
        "endTime": row["end_time"],
        "level": "DEFAULT",
        "statusMessage": None,
        **given,
        "model": attributes.get("llm.model_name"),
        "usageDetails": usage,
        "metadata": json.dumps(metadata | {"resourceAttributes": {}}),
    }


def langfuse_objects(row):
    """An observation whose values are parsed."""
    own = langfuse(row)
    parsed = {}
    for name in ("input", "output", "metadata"):
        is_object = str(own[name]).startswith("{")
        parsed[name] = json.loads(own[name]) if is_object else own[name]
    return own | parsed


SPANS: dict[str, Callable[[dict[str, Any]], dict[str, Any]]] = {
    "SDK": dict,
    "Phoenix": phoenix,
    "Phoenix, nested": nested,
    "data frame": columns,
    "OTLP": otlp,
    "OTLP, snake case": lambda row: snake(otlp(row)),
    "OTLP with nulls": with_nulls,
    "Jaeger": jaeger,
    "Langfuse": langfuse,
    "Langfuse, objects": langfuse_objects,
}
"""What a product makes of a row of the recording."""


def as_lines(rows):
    return "\n".join(map(json.dumps, rows))


WRAPPERS: dict[str, Callable[[list[dict[str, Any]]], str]] = {
    "list": json.dumps,
    "lines": as_lines,
    "indented": lambda rows: "\n".join(json.dumps(row, indent=4) for row in rows),
    "data": lambda rows: json.dumps({"data": rows, "next_cursor": None}),
    "spans": lambda rows: json.dumps({"spans": rows, "traceId": "0xabc"}),
    "trace": lambda rows: json.dumps({"trace": {"name": "x", "observations": rows}}),
}
"""How the spans stand in a file, whichever they are."""

_OTLP_ROWS = list(map(otlp, ROWS))
_REQUEST = {
    "resourceSpans": [
        {
            "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "shop"}}]},
            "scopeSpans": [{"scope": {"name": "x"}, "spans": [row]} for row in _OTLP_ROWS],
        }
    ]
}
_FRAME = pd.DataFrame(list(map(columns, ROWS)))
_INDENTED = [json.dumps(row, indent=4) for row in ROWS]


def _parquet():
    file = BytesIO()
    _FRAME.set_index("context.span_id").to_parquet(file)
    return file.getvalue()


OTHERS = {
    "OTLP request": json.dumps(_REQUEST),
    "OTLP request, snake case": json.dumps(snake(_REQUEST)),
    "requests one after the other": json.dumps(_REQUEST) + "\n" + json.dumps(_REQUEST),
    "Tempo": json.dumps({"batches": _REQUEST["resourceSpans"]}),
    "Tempo v2": json.dumps({"trace": _REQUEST}),
    "Jaeger's UI": json.dumps(
        {
            "data": [
                {
                    "traceID": "abc",
                    "spans": list(map(jaeger, ROWS)),
                    "processes": {"p1": {"serviceName": "shop", "tags": []}},
                }
            ],
            "total": 0,
        }
    ),
    "Langfuse's download": json.dumps(
        {"trace": {"id": "abc", "observations": []}, "observations": list(map(langfuse, ROWS))}
    ),
    "data frame as CSV": _FRAME.to_csv(index=False),
    "data frame as columns": _FRAME.to_json(),
    "data frame as records": _FRAME.to_json(orient="records"),
    "data frame as lines": _FRAME.to_json(orient="records", lines=True),
    "data frame as parquet": _parquet(),
    "observations as CSV": pd.DataFrame(list(map(langfuse, ROWS))).to_csv(index=False),
    "gzip": gzip.compress(RECORDED.encode()),
    "gzip in two parts": gzip.compress(RECORDED[:900].encode())
    + gzip.compress(RECORDED[900:].encode()),
    "blank lines": RECORDED.replace("\n", "\r\n\r\n"),
    "a mark": "\ufeff" + RECORDED,
    "UTF-16": RECORDED.encode("utf-16"),
    "one line": "".join(RECORDED.splitlines()),
    "backwards": "\n".join(reversed(RECORDED.splitlines())),
    "twice": RECORDED + RECORDED,
    "prints between": "\nThe answer is [8].\n".join(["Asking {it}:", *_INDENTED, "[done"]),
}
FILES: dict[str, str | bytes] = OTHERS | {
    f"{name}, {wrapper}": wrap(list(map(span, ROWS)))
    for name, span in SPANS.items()
    for wrapper, wrap in WRAPPERS.items()
}
