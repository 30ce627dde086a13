"""The picture of a run: chunks below, calls above as bars of their windows, bands between them.

A ribbon carries text from a chunk into a call, an arc an answer into the call that reads it, and
the last answer leaves upwards. Calls stand in a chain, side by side, or in the levels of a tree.
More calls than can be told apart are an overview (`synth.pictures.overview`).
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from math import ceil
from operator import attrgetter

from synth.modes.adviser import Cliff
from synth.modes.registry import mode_facts
from synth.pictures.bar_parts import Call, State, call_bars, list_neighbours
from synth.pictures.bars_picture import draw_bars
from synth.pictures.overview import draw_overview
from synth.pictures.placement import PAGE, Drawn, Mark, PictureSize
from synth.pictures.scene import Box, Handle, Label, RowName, Scene
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
        text += f" {counted(unsent, 'token')} {drawn.missing}."
    if (mark := drawn.mark) is not None:
        where = f"“{short(mark.name, 24)}”, {numbered('chunk', sorted(mark.chunks))}"
        text += f" {', '.join(filter(None, (where, mark.sign)))}."
    return text


_HEIGHT = 20  # pixels
_THIN = 0.8  # per cent, below which a stretch is not told apart
MOST_NAMED = 8
"""Calls, above which the rail tells no numbers apart."""


def draw_rail(handle: Handle, cliffs: Sequence[Cliff]) -> Scene:
    """Draw the stretches of windows with one number of calls, on the scale of the `handle`.

    From right to left they are named as long as the number grows by what can be seen; what is
    left of that is one stretch with more calls. Left of all `cliffs` there may be others.
    """
    last = cliffs[-1]
    scene = Scene(f"{counted(last.after, 'call')} from a window of {last.x:,} tokens on.", _HEIGHT)
    scene.rows.append(RowName(10, ""))
    if last.before == last.after:
        scene.alt = f"All of the text fits from a window of {last.x:,} tokens on."
        end = min(handle.origin + last.x * handle.scale, 100.0)
        says = f"all of it fits from {last.x:,}"
        scene.shapes.append(Box(handle.origin, end, 3, 14, "rail", "odd"))
        scene.shapes.append(Box(end, 100.0, 3, 14, "rail", "", says=says))
        scene.labels.append(Label(handle.origin, end - 1, 10, [says], "muted", "end"))
        return scene
    edges = [handle.origin, *(handle.origin + one.x * handle.scale for one in cliffs), 100.0]
    counts = [cliffs[0].before, *(one.after for one in cliffs)]
    right, before = 100.0, 0
    stretches = [*zip(pairwise(edges), counts, strict=True)]
    for at, ((left, _), count) in enumerate(reversed(stretches)):
        if left >= right:
            continue
        if at and (not before < count <= MOST_NAMED or right - left < _THIN):
            break
        says = counted(count, "call")
        wordings = [says, f"{count:,}"]
        if at == 0:
            wordings.insert(0, f"{says} from {last.x:,}")
        elif at == len(cliffs):
            wordings = [f"≥ {says}", f"≥ {count:,}"]
        _add(scene, left, right, at, wordings)
        right, before = left, count
    if right > handle.origin:
        more = f"more than {counted(before, 'call')}" if before else "many calls"
        _add(scene, handle.origin, right, len(cliffs) + 1, [more, f"> {before:,}"])
    return scene


def _add(scene: Scene, left: float, right: float, at: int, wordings: Sequence[str]) -> None:
    odd = "odd" if at % 2 else ""
    scene.shapes.append(Box(left, right, 3, 14, "rail", odd, says=wordings[0]))
    scene.labels.append(Label(left, right, 10, wordings, "muted"))
