"""The syntheses of one trace while its spans still come.

A span comes when it has ended, so that a synthesis' own comes last. Until then another span takes
its place, and the ordinary reader reads what is there (`pieces.py`). Which mode it is, is then a
guess: the one under which synth sends the prompts that have come.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from synth.runs.calls import CallRecord
from synth.schema import NodeWithScore
from synth.traces.calls import model_calls
from synth.traces.documents import found_before, holds_documents
from synth.traces.imported_run import ImportedRun
from synth.traces.pieces import Pieces, is_inner, likely, pieces_in
from synth.traces.reading import runs_in
from synth.traces.spans import SpanTree, TraceSpan


@dataclass(frozen=True)
class Growing:
    """A synthesis, as far as its spans have come.

    `key` names it within the trace: the id of the model's span that ended first in it, else that
    of its own span or of its retriever's. `began` and `last` are the start of its first and the
    end of its last span, in seconds since 1970. Where it has not `ended`, `mode` is likely, and
    None where nothing tells it. `missing` spans are named as parents by others of it and have not
    come. `run` is what can be read so far; once the synthesis has ended and nothing is missing,
    it is the run of a file of its spans.
    """

    trace_id: str
    key: str
    service: str
    began: float
    last: float
    query_str: str
    chunks: tuple[NodeWithScore, ...]
    mode: str | None = None
    ended: bool = False
    calls: tuple[CallRecord, ...] = ()
    missing: int = 0
    run: ImportedRun | None = None


def growing(spans: Sequence[TraceSpan]) -> list[Growing]:
    """The syntheses of one trace, in the order in which they began.

    `spans` are those that have come, each once, in any order. ImportedRunError where the trace
    can't be read, as for a file.
    """
    if not spans:
        return []
    tree = SpanTree(spans)
    pieces = list(pieces_in(tree))
    found = []
    for each in _ended(tree):
        lost = {parent for one in pieces if _stand_in(one, each) for parent in one.parents}
        found.append(replace(each, missing=len(lost)))
    found += [
        _running(tree, one) for one in pieces if not any(_stand_in(one, each) for each in found)
    ]
    return sorted(found or _before_calls(tree), key=lambda each: each.began)


def _ended(tree: SpanTree) -> Iterator[Growing]:
    roots = tree.syntheses()
    for root, run in zip(roots, runs_in(tree) if roots else (), strict=True):
        if is_inner(root):
            continue
        yield Growing(
            trace_id=root.trace_id,
            key=_key(tree, [root]),
            service=root.service,
            began=root.start,
            last=max(span.end for span in tree.below(root)),
            query_str=run.query,
            mode=run.mode,
            ended=True,
            calls=run.calls,
            chunks=run.chunks,
            run=run,
        )


def _key(tree: SpanTree, roots: Sequence[TraceSpan]) -> str:
    asked = [call for root in roots for call in model_calls(tree, root)]
    inner = [span for call in asked for span in tree.below(call)]
    return min(inner or roots, key=lambda span: (span.end, -span.start)).span_id


def _stand_in(pieces: Pieces, whole: Growing) -> bool:
    """Whether they are of a synthesis that has ended, of which a span between has not come."""
    inside = whole.began <= pieces.began and pieces.last <= whole.last
    return inside and pieces.query_str == whole.query_str


def _running(tree: SpanTree, pieces: Pieces) -> Growing:
    run, mode = likely(tree, pieces)
    first = pieces.spans[0]
    return Growing(
        trace_id=first.trace_id,
        key=_key(tree, pieces.spans),
        service=first.service,
        began=pieces.began,
        last=pieces.last,
        query_str=pieces.query_str,
        mode=mode,
        calls=run.calls if run else (),
        chunks=run.chunks if run else (),
        missing=len(pieces.parents),
        run=run,
    )


def _asked(span: TraceSpan) -> str:
    """The question that a retriever or what is around it was given; empty where that is none."""
    given = span.table("input.value")
    query_str = given.get("query_str", "" if given else span.text("input.value"))
    return query_str if isinstance(query_str, str) else ""


def _before_calls(tree: SpanTree) -> Iterator[Growing]:
    """What a retriever has found in a trace that goes on, before any call has come."""
    holders = [span for span in tree.spans if holds_documents(span)]
    if not holders:
        return
    last = holders[-1]
    around = [last, *tree.above(last)]
    outermost = around[-1]
    if outermost.parent_id is None:
        return
    after = replace(last, span_id=f"{last.span_id} stands in", start=last.end, attributes={})
    [found] = found_before(SpanTree([*tree.spans, after]), [after])
    yield Growing(
        trace_id=last.trace_id,
        key=last.span_id,
        service=last.service,
        began=outermost.start,
        last=last.end,
        query_str=next(filter(None, map(_asked, reversed(around))), ""),
        chunks=found.nodes,
        missing=1,
    )
