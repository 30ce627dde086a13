"""What has come of a synthesis whose own span has not, and the run that it is likely to be."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import chain
from typing import NamedTuple

from synth.errors import SynthError
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES
from synth.prompts.templates import TEMPLATES
from synth.traces.calls import named_values
from synth.traces.documents import found_before
from synth.traces.imported_run import ImportedRun
from synth.traces.reading import MODE_OF, synthesis
from synth.traces.settings import with_metadata
from synth.traces.spans import SpanTree, TraceSpan, synthesizer_name

_PROGRAM = re.compile(r"\w*Program\.(?:__call__|acall)")  # what refine asks through
_OUTERMOST = "synthesize"
_ASKED_ABOUT = {kind.context for kind in TEMPLATES.values() if kind.context}


@dataclass(frozen=True)
class Pieces:
    """Spans that stand right in a synthesis, and whose parents have not come."""

    query_str: str
    spans: tuple[TraceSpan, ...]

    @property
    def parents(self) -> set[str | None]:
        """The ids of the spans that have not come."""
        return {span.parent_id for span in self.spans}

    @property
    def began(self) -> float:
        """When the first of them began, in seconds since 1970."""
        return min(span.start for span in self.spans)

    @property
    def last(self) -> float:
        """When the last of them ended."""
        return max(span.end for span in self.spans)


def pieces_in(tree: SpanTree) -> Iterator[Pieces]:
    """The pieces in a trace, those with one question together."""
    spans = [root for root in tree.roots if root.parent_id is not None and _is_piece(root)]
    queries: dict[str | None, str] = {}
    for span in spans:
        if query := _query(tree, span):
            queries.setdefault(span.parent_id, query)
    for query in dict.fromkeys(queries.values()):
        yield Pieces(query, tuple(each for each in spans if queries.get(each.parent_id) == query))


def is_inner(root: TraceSpan) -> bool:
    """Whether the span of a synthesis is likely to stand in another that has not come."""
    return root.parent_id is not None and not root.name.endswith(_OUTERMOST)


def _is_piece(span: TraceSpan) -> bool:
    if synthesizer_name(span):
        return is_inner(span)
    return span.kind == "LLM" or _PROGRAM.fullmatch(span.name) is not None


def _query(tree: SpanTree, piece: TraceSpan) -> str:
    """The question of a piece; empty if no variables that a synthesizer gives are in it."""
    for span in tree.below(piece):
        values = named_values(span)
        if "query_str" in values and _ASKED_ABOUT & values.keys():
            return values["query_str"]
        given = span.table("input.value").get("query_str")
        if synthesizer_name(span) and isinstance(given, str):
            return given
    return ""


class Likely(NamedTuple):
    """What pieces are likely to be of; the mode is None where nothing tells it.

    `run` is what can be read of them, None if their synthesizer is none that is known here.
    """

    run: ImportedRun | None
    mode: str | None


def likely(tree: SpanTree, pieces: Pieces) -> Likely:
    """The first mode under which synth sends the prompts that have come.

    Where the size of a template that no call used yet makes a difference, none does. Only modes
    that refine have such a template, so that the likelier of these is taken then.
    """
    refines = _refines(tree, pieces)
    runs = [_read(tree, pieces, kind) for kind in _kinds(tree, pieces, refines)]
    run = next(filter(_begins_alike, chain.from_iterable(map(_variants, runs))), None)
    if run is None and runs:
        first = runs[0]
        may_refine_later = MODES[first.mode].filters and len(first.calls) == 1
        run = first if len(runs) == 1 or refines or may_refine_later else None
    if run is None:
        return Likely(next(iter(runs), None), None)
    return Likely(run, run.mode)


def _refines(tree: SpanTree, pieces: Pieces) -> bool:
    """Whether an answer is refined in these pieces, or may be: only such a mode has a program."""
    spans = [span for piece in pieces.spans for span in tree.below(piece)]
    return any(
        _PROGRAM.fullmatch(span.name) or "existing_answer" in named_values(span) for span in spans
    )


def _kinds(tree: SpanTree, pieces: Pieces, refines: bool) -> list[type[BaseSynthesizer]]:
    """The synthesizers that may have made these pieces, the likelier first.

    Of two that refine it is the one that makes a refine out of packed chunks.
    """
    for piece in pieces.spans:
        if (name := synthesizer_name(piece)) is not None:
            return [MODES[MODE_OF[name]]] if name in MODE_OF else []
    first = min(pieces.spans, key=lambda piece: piece.start)
    values: Mapping[str, str] = {}
    for span in tree.below(first):
        values = {**values, **named_values(span)}
    # Streams and asynchronous calls go around the program.
    possible = {refines, refines or not first.name.endswith(".predict")}
    kinds = [
        kind
        for kind in MODES.values()
        if kind.filters in possible
        and any(TEMPLATES[name].context in values for name in kind.templates if name in TEMPLATES)
    ]
    return sorted(kinds, key=lambda kind: len(kind.__mro__) if kind.filters else 0, reverse=True)


def _read(tree: SpanTree, pieces: Pieces, kind: type[BaseSynthesizer]) -> ImportedRun:
    """The run as the reader reads it where the synthesis is of this kind."""
    first = pieces.spans[0]
    own = TraceSpan(
        trace_id=first.trace_id,
        span_id=f"{first.parent_id} stands in",
        parent_id=None,
        name=f"{kind.__name__}.{_OUTERMOST}",
        start=pieces.began,
        end=pieces.last,
        attributes={"input.value": pieces.query_str},
    )
    inside = [
        replace(span, parent_id=own.span_id) if span.parent_id in pieces.parents else span
        for span in tree.spans
        if not span.name.endswith(".split_text")  # else packed text would be taken for chunks
    ]
    whole = SpanTree([own, *inside])
    [found] = found_before(whole, [own])
    return synthesis(whole, own, found)


def _variants(run: ImportedRun) -> Iterator[ImportedRun]:
    """The run as it is, and with other lines of metadata: no span says yet which are sent."""
    yield run
    yield with_metadata(run, shown=False)
    yield with_metadata(run, shown=True)


def _begins_alike(run: ImportedRun) -> bool:
    """Whether synth sends the prompts that have come, and then perhaps others."""
    try:
        found = run.verify()
    except SynthError:
        return False
    first = found.first_difference
    return found.equal or (first is not None and first.recorded is None)
