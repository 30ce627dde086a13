"""Spans as every container gives them: flat, with the attributes that a run is read from.

Of a span's attributes only those on a list are kept, so that no key, address or name of a
person that an application recorded beside them goes any further.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, NamedTuple, Self, TypeVar

from pydantic import AfterValidator, BaseModel

from synth.errors import ImportedRunError
from synth.traces import capacity

M = TypeVar("M", bound=BaseModel)

REDACTED = "__REDACTED__"  # what OpenInference writes where a value is hidden
LATEST = 2**63 - 1
"""The last time that spans may have, in nanoseconds since 1970; it is in the year 2262."""

_LONGEST_NAME = 200  # characters of an attribute that is read

_DOCUMENT = r"\.\d{1,6}\.document\.(?:id|content|score|metadata)"
_MESSAGE = (
    r"\.\d{1,6}\.message\.(?:role|content|contents\.\d{1,6}\.message_content\.text"
    r"|tool_calls\.\d{1,6}\.tool_call\.function\.arguments)"
)
_KEPT = re.compile(
    r"openinference\.span\.kind"
    r"|(?:input|output)\.value"
    r"|llm\.(?:model_name|invocation_parameters|prompts|prompts\.\d{1,6}\.prompt\.text)"
    r"|llm\.token_count\.(?:prompt|completion)"
    r"|llm\.prompt_template\.(?:template|variables)"
    rf"|llm\.(?:input|output)_messages{_MESSAGE}"
    rf"|(?:retrieval\.documents|reranker\.output_documents){_DOCUMENT}"
)
_JSON = re.compile(
    r".*\.(?:metadata|invocation_parameters|variables|value|arguments)"
)  # attributes whose value is JSON text; some containers have parsed it


def _of_our_time(time: datetime) -> datetime:
    if not 0 <= seconds(time) <= LATEST / 1e9:
        raise ValueError("the time must be of the years 1970 to 2262")
    return time


Time = Annotated[datetime, AfterValidator(_of_our_time)]


def each(kind: type[M], values: Sequence[Any]) -> Iterator[M]:
    """The values as models, one after the other: of a million, none is kept.

    pydantic's ValidationError for the first that is none.
    """
    return map(kind.model_validate, values)


class Failure(NamedTuple):
    """Why a span failed: the class of the exception, if it was recorded, and its words."""

    kind: str
    message: str

    @classmethod
    def of(cls, message: str, events: Iterable[Mapping[str, Any]]) -> Self:
        """What the attributes of a span's events say of an exception, else this message."""
        for event in events:
            if "exception.type" in event:
                kind = str(event["exception.type"])
                return cls(kind, str(event.get("exception.message", message)))
        return cls("", message)


@dataclass(frozen=True)
class TraceSpan:
    """One span; `start` and `end` are seconds since 1970, to the microsecond.

    `service` is the name that the application gave itself, where the container has it.
    """

    trace_id: str
    span_id: str
    parent_id: str | None
    name: str
    start: float
    end: float
    attributes: Mapping[str, Any]
    failure: Failure | None = None
    service: str = ""

    @property
    def kind(self) -> str:
        """OpenInference's kind: LLM, RETRIEVER, RERANKER, CHAIN and others."""
        return str(self.attributes.get("openinference.span.kind", ""))

    def text(self, name: str) -> str | None:
        """The attribute as text; None where it is missing, hidden, or no text."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) and value != REDACTED else None

    def json(self, name: str) -> Any:
        """What the JSON text in the attribute says; None where there is none that can be read."""
        try:
            return json.loads(self.text(name) or "null")
        except (ValueError, RecursionError):
            return None

    def table(self, name: str) -> Mapping[str, Any]:
        """The JSON object in the attribute; an empty one where there is none."""
        value = self.json(name)
        return value if isinstance(value, dict) else {}

    def whole(self, name: str) -> int | None:
        """The attribute as a whole number, 0 or more; Langfuse has numbers as text."""
        value = self.attributes.get(name)
        if isinstance(value, bool) or not re.fullmatch(r"\d{1,12}", str(value)):
            return None
        return int(str(value))


def cut_off_after(spans: Sequence[TraceSpan]) -> int | None:
    """The characters after which a recorder cut off long values; None where it did not.

    What tells it is a JSON value without an end that is as long as the longest value.
    """
    texts = [text for span in spans for text in span.attributes.values() if isinstance(text, str)]
    longest = max(map(len, texts), default=0)
    for text in texts:
        if len(text) == longest and text.startswith('{"') and not text.endswith("}"):
            return longest
    return None


def service_of(resource: Mapping[str, Any]) -> str:
    """The name of an application among the attributes of its resource; empty if it has none."""
    return str(resource.get("service.name", ""))[:_LONGEST_NAME]


def seconds(time: datetime) -> float:
    """A time in seconds since 1970; one that names no zone is in UTC."""
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def kept(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """The attributes that are read, by their dotted names, however deep they stood.

    ImportedRunError where there are too many or they are nested too deeply.
    """
    found: dict[str, Any] = {}
    for number, (name, value) in enumerate(_flat("", attributes), 1):
        if number > capacity.MOST_ATTRIBUTES:
            raise ImportedRunError(
                f"A span has more than {capacity.MOST_ATTRIBUTES:,} attributes: record the spans"
                " of response synthesis alone."
            )
        if value is not None and _KEPT.fullmatch(name):
            found[name] = value
    return found


def _flat(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > capacity.DEEPEST_ATTRIBUTES:
        raise ImportedRunError(
            f"The attributes of a span are nested more than {capacity.DEEPEST_ATTRIBUTES} levels"
            " deep: this is no recording of spans."
        )
    rows: Iterator[tuple[object, object]] | None = None
    if isinstance(value, dict):
        rows = iter(value.items())
    elif isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        rows = iter(enumerate(value))
    if rows is None or len(name) > _LONGEST_NAME:
        yield name, value
    elif _JSON.fullmatch(name):
        yield name, json.dumps(value, ensure_ascii=False)
    else:
        for key, inner in rows:
            yield from _flat(f"{name}.{key}" if name else str(key), inner, depth + 1)
