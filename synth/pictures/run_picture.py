"""The picture of a run: chunks below, calls above as bars of their windows, bands between them.

A ribbon carries text from a chunk into a call, an arc an answer into the call that reads it, and
the last answer leaves upwards. Calls stand in a chain, side by side, or in the levels of a tree.
More calls than can be told apart are an overview (`synth.pictures.overview`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from math import ceil
from operator import attrgetter

from synth.modes.registry import mode_facts
from synth.pictures.bars_picture import draw_bars
from synth.pictures.call_bars import Call, State, call_bars, list_neighbours
from synth.pictures.overview import draw_overview
from synth.pictures.placement import PAGE, Drawn, Mark, PictureSize
from synth.pictures.scene import Scene
from synth.runs.calls import CallRecord
from synth.runs.coverage import ChunkCoverage, coverage
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, numbered, short

MOST_BARS, MOST_SMALL = 20, 40
"""The most calls in a row that are bars, and that a small picture has; more are an overview."""


def draw_run(
    run: Plan | Trace,
    begun: Sequence[CallRecord] = (),
    *,
    states: Mapping[int, State] | None = None,
    mark: Mark | None = None,
    selected: int | None = None,
    size: PictureSize = PAGE,
    first: int | None = None,
) -> Scene:
    """Return the picture of a plan or a run.

    `begun` are calls of a run of this plan that have begun; they stand in place of those planned.
    `states` are those of calls that are drawn in another one than their own, as in a run that is
    stepped through. The way of a `mark` is lit, or what the call `selected` read. Of many calls
    a few are drawn large, from the call `first` on; a strip has the neighbours of the selected one.
    """
    calls = {call.number: call for call in (*run.calls, *begun)}
    ordered: Sequence[Call] = [calls[number] for number in sorted(calls)]
    if not size.chunk:
        ordered = list_neighbours(ordered, selected or 1, MOST_BARS)
    elif not size.words:
        ordered = _sample(ordered)
    if begun and states is None:
        asked = {call.number for call in begun}
        states = {number: "waiting" for number in calls if number not in asked}
    bars = call_bars(ordered, run.setup, states)
    sent = coverage(run.setup, calls.values(), run.unread) if begun else run.coverage
    chunks = sent if size.chunk else ()
    ends = run.problem is None if isinstance(run, Plan) else run.response is not None
    lit = None
    if mark is not None:
        lit = frozenset(("chunk", one) for one in mark.chunks) | {
            ("call", one) for one in mark.calls
        }
    elif selected is not None:
        lit = frozenset(_lineage(calls, selected))
    drawn = Drawn(
        bars, chunks, run.setup.mode, size, lit, mark, ends, isinstance(run, Plan) and not begun
    )
    scene = Scene(describe(drawn, len(calls), sent))
    if max(map(len, drawn.levels), default=0) > MOST_BARS:
        draw_overview(scene, drawn, first)
    else:
        draw_bars(scene, drawn)
    return scene


def _sample(calls: Sequence[Call]) -> list[Call]:
    """Some calls of each level, evenly spread, as many as a small picture can tell apart."""
    chain = len({call.depth for call in calls}) == len(calls)
    levels = groupby(sorted(calls, key=attrgetter("depth")), key=attrgetter("depth"))
    drawn: list[Call] = []
    for row in [calls] if chain else [list(level) for _, level in levels]:
        drawn += row[:: max(1, ceil(len(row) / MOST_SMALL))]
    return drawn


def _lineage(calls: Mapping[int, Call], number: int) -> Iterator[tuple[str, int]]:
    """A call, and the chunks and answers that it reads, also through other calls."""
    todo, seen = [number], {number}
    while todo:
        at = todo.pop()
        yield "call", at
        for origin in calls[at].origins:
            if origin.kind == "chunk":
                yield "chunk", origin.number
            elif origin.number not in seen:
                seen.add(origin.number)
                todo.append(origin.number)


def describe(drawn: Drawn, call_count: int, sent: Sequence[ChunkCoverage]) -> str:
    """Say in a sentence what goes where, for those who can't see it."""
    goes = "would go" if drawn.planned else "went"
    tree = f" in {counted(len(drawn.levels), 'level')}"
    how = {"tree": tree, "chain": " in a chain", "fan": ""}[drawn.shape]
    chunks, calls = counted(len(sent), "chunk"), counted(call_count, "call")
    if not mode_facts(drawn.mode).sends_chunks:
        return f"{calls}{how}, without the chunks."
    text = f"{chunks} {goes} into {calls}{how}."
    if unsent := sum(chunk.lost_tokens for chunk in sent):
        text += f" {counted(unsent, 'token')} cut off."
    if (mark := drawn.mark) is not None:
        where = f"“{short(mark.name, 24)}”, {numbered('chunk', sorted(mark.chunks))}"
        text += f" {', '.join(filter(None, (where, mark.sign)))}."
    return text
