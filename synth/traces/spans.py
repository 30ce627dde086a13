"""Spans as every container gives them, with the attributes that a run is read from; their tree."""

import ast
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple, Self

from synth.errors import ImportedRunError, describe
from synth.text.wording import counted, listed
from synth.traces import size_limits

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
    r"|gen_ai\.(?:(?:input|output)\.messages|system_instructions|retrieval\.documents)|events"
)  # attributes whose value is JSON text; some containers have parsed it
_LISTS = (
    "llm.input_messages",
    "llm.output_messages",
    "llm.prompts",
    "retrieval.documents",
    "reranker.output_documents",
)  # attributes that are lists of objects; a table has them as text


class Failure(NamedTuple):
    """Why a span failed: the class of the exception, if it was recorded, and its words."""

    kind: str
    message: str

    @classmethod
    def of(cls, message: str, events: Iterable[Mapping[str, Any]]) -> Self:
        """Return what the attributes of a span's events say of an exception, else this message."""
        for event in events:
            if "exception.type" in event:
                kind = str(event["exception.type"])
                return cls(kind, str(event.get("exception.message", message)))
        return cls("", message)


@dataclass(frozen=True)
class TraceSpan:
    """One span, in seconds since 1970; `service` is the name of the application."""

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
        """Return OpenInference's kind: LLM, RETRIEVER, RERANKER, CHAIN and others."""
        return str(self.attributes.get("openinference.span.kind", ""))

    def text(self, name: str) -> str | None:
        """Return the attribute as text; None where it is missing, hidden, or no text."""
        value = self.attributes.get(name)
        return value if isinstance(value, str) and value != REDACTED else None

    def json(self, name: str) -> Any:
        """Read the JSON text in the attribute; a text that is none as it is."""
        return parse(self.text(name))

    def table(self, name: str) -> Mapping[str, Any]:
        """Return the JSON object in the attribute; an empty one where there is none."""
        return table_of(self.text(name) or "")

    def whole(self, name: str) -> int | None:
        """Return the attribute as a whole number, 0 or more; it may be text, or have a point."""
        value = self.attributes.get(name)
        number = re.fullmatch(r"(\d{1,12})(?:\.0)?", str(value))
        return None if number is None else int(number[1])


def table_of(text: str) -> Mapping[str, Any]:
    """Return the JSON object that a text is; an empty one for any other text."""
    value = parse(text)
    return value if isinstance(value, dict) else {}


def count_kinds(spans: Sequence[TraceSpan]) -> str:
    """Say in a sentence how many spans there are, and of which kinds."""
    kinds = Counter(span.kind.lower() or "no kind" for span in spans)
    numbers = [f"{count:,} of {kind[:40]}" for kind, count in kinds.most_common()]
    return f"The file has {counted(len(spans), 'span')}: {listed(numbers)}."


def cut_off_after(spans: Sequence[TraceSpan]) -> int | None:
    """Return the length after which values were cut off, as JSON without its end tells."""
    texts = [text for span in spans for text in span.attributes.values() if isinstance(text, str)]
    longest = max(map(len, texts), default=0)
    for text in texts:
        if len(text) == longest and text.startswith('{"') and not text.endswith("}"):
            return longest
    return None


def service_of(resource: Mapping[str, Any]) -> str:
    """Name the application by the attributes of its resource; empty if it has no name."""
    return str(resource.get("service.name", ""))[:_LONGEST_NAME]


def seconds(time: datetime) -> float:
    """Return a time in seconds since 1970; one that names no zone is in UTC."""
    return (time if time.tzinfo else time.replace(tzinfo=UTC)).timestamp()


def flatten(attributes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the attributes by dotted names, without empty ones; ImportedRunError for too many."""
    flat: dict[str, Any] = {}
    for number, (name, value) in enumerate(_flat("", attributes), 1):
        if number > size_limits.MOST_ATTRIBUTES:
            raise ImportedRunError(
                f"A span has more than {size_limits.MOST_ATTRIBUTES:,} attributes: record the spans"
                " of response synthesis alone."
            )
        if value is not None:
            flat[name] = value
    return flat


def is_kept(name: str) -> bool:
    """Return whether a run is read from this attribute, as OpenInference calls it."""
    return _KEPT.fullmatch(name) is not None


def parse(value: Any) -> Any:
    """Return what a text is as JSON, or as Python shows it; what is neither as it is."""
    if not isinstance(value, str) or not value.lstrip().startswith(("{", "[", '"')):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            continue
    return value


def _flat(name: str, value: object, depth: int = 0) -> Iterator[tuple[str, Any]]:
    if depth > size_limits.DEEPEST_ATTRIBUTES:
        raise ImportedRunError(
            f"The attributes of a span are nested more than {size_limits.DEEPEST_ATTRIBUTES} levels"
            " deep: this is no recording of spans."
        )
    if name in _LISTS:
        value = parse(value)
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


_SYNTHESIS = re.compile(r"(\w+)\.a?(?:synthesize|get_response)")


class SpanTree:
    """The spans of one trace; ImportedRunError where they are their own parents, or too deep."""

    def __init__(self, spans: Sequence[TraceSpan]) -> None:
        self.spans = sorted(spans, key=lambda span: span.start)
        self._by_id = {span.span_id: span for span in self.spans}
        self._children: dict[str | None, list[TraceSpan]] = defaultdict(list)
        for span in self.spans:
            known = span.parent_id if span.parent_id in self._by_id else None
            self._children[known].append(span)
        depths: dict[str | None, int] = {}
        for span in (each for root in self.roots for each in self.below(root)):
            depths[span.span_id] = depths.get(span.parent_id, 0) + 1
        if len(depths) < len(self.spans):
            raise ImportedRunError(
                f"{len(self.spans) - len(depths):,} of {len(self.spans):,} spans of trace"
                f" {describe(self.spans[0].trace_id)} are their own parents by way of others: the"
                " file was changed. Export the trace again."
            )
        size_limits.require(
            size_limits.DEEPEST_SPANS,
            max(depths.values()),
            "The spans of a trace stand {} deep in one another",
            "record the spans of response synthesis alone",
        )

    @property
    def roots(self) -> Sequence[TraceSpan]:
        """Return the spans whose parent is not in the file, or that have none."""
        return self._children[None]

    @property
    def is_part(self) -> bool:
        """Return whether spans stand in one that is not in the file."""
        return any(span.parent_id for span in self.roots)

    def below(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """Yield the span and all that is in it, parents first."""
        waiting = [span]
        while waiting:
            span = waiting.pop()
            yield span
            waiting += reversed(self._children[span.span_id])

    def nearest(
        self, roots: Sequence[TraceSpan], wanted: Sequence[TraceSpan]
    ) -> Iterator[TraceSpan]:
        """Yield those of the wanted spans in the roots that stand in no other of them."""
        ids = {each.span_id for each in wanted}
        waiting = list(reversed(roots))
        while waiting:
            span = waiting.pop()
            if span.span_id in ids:
                yield span
            else:
                waiting += reversed(self._children[span.span_id])

    def above(self, span: TraceSpan) -> Iterator[TraceSpan]:
        """Yield the span's parents, the nearest first."""
        while span.parent_id in self._by_id:
            span = self._by_id[span.parent_id]
            yield span

    def between(self, span: TraceSpan, root: TraceSpan) -> list[TraceSpan]:
        """Return the parents of the span that stand in the root, the nearest first."""
        parents = []
        for parent in self.above(span):
            if parent.span_id == root.span_id:
                break
            parents.append(parent)
        return parents

    def syntheses(self) -> list[TraceSpan]:
        """Return the outermost span of each response synthesis, in order."""
        wanted = [span for span in self.spans if synthesizer_name(span)]
        return sorted(self.nearest(self.roots, wanted), key=lambda span: span.start)


def synthesizer_name(span: TraceSpan) -> str | None:
    """Return the class of the synthesizer whose method this span is; None for other spans."""
    found = _SYNTHESIS.fullmatch(span.name)
    return found[1] if found else None
