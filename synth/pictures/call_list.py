"""Calls below one another, as bars of their windows on one scale; also calls before a run."""

from collections.abc import Sequence
from typing import NamedTuple

from synth.pictures.bars_picture import draw_bar
from synth.pictures.call_bars import CallBar
from synth.pictures.placement import PAGE, Drawn, PlacedBar
from synth.pictures.scene import Band, Box, Label, Path, RowName, Scene
from synth.runs.calls import Setup
from synth.text.wording import Bold, counted

_HIGH, _LOW, _GAP = 40, 22, 9  # pixels of a bar among few and among many, and between two
_FEW = 4
_TOP, _RIGHT = 24, 88.0  # pixels above the bars, per cent of the width that they take
_RISE, _OPENED, _FALL = 52, 50, 52  # pixels above an opened call, of its bar, and below it
BETWEEN = 2.0
"""Per cent between the columns below an opened call."""
_CHUNK = 44  # pixels of the chunks above empty calls


def draw_calls(bars: Sequence[CallBar], setup: Setup) -> Scene:
    """Draw the bars of some calls, each with what it needs of its window beside it."""
    window = bars[0].budget.window
    scene = Scene(f"{counted(len(bars), 'call')} in a window of {counted(window, 'token')}.")
    whole = max(max(bar.budget.window, bar.needed) for bar in bars)
    scale, height = _RIGHT / whole, _HIGH if len(bars) <= _FEW else _LOW
    drawn = Drawn(bars, (), setup.mode, PAGE)
    for at, bar in enumerate(bars):
        top = _TOP + (height + _GAP) * at
        place = PlacedBar(bar, 0, scale, top, height)
        draw_bar(scene, place, drawn)
        middle = top + height / 2
        scene.rows.append(RowName(middle, f"call {bar.number}"))
        scene.labels.append(Label(_RIGHT + 1, 100, middle, list(_needs(bar)), "", "start"))
    scene.height = _TOP + (height + _GAP) * len(bars)
    _draw_window(scene, window, scale, _TOP)
    return scene


def _needs(bar: CallBar) -> tuple[list[str], list[str]]:
    """The tokens that a call needs, with the window where there is room for it."""
    number: list[str] = ["≤ " if bar.planned else "", Bold(f"{bar.needed:,.0f}")]
    over = [Bold(f"\n▲ {bar.budget.over:,} over")] if bar.budget.over else []
    return [*number, f" of {bar.budget.window:,}", *over], [*number, *over]


def _draw_window(scene: Scene, window: int, scale: float, top: float) -> None:
    """Draw the line where the windows end, over the bars that begin at this height."""
    x = window * scale
    scene.shapes.append(Path([[(x, top - 6), (x, scene.height - _GAP + 3)]], "rule"))
    words = [["window ", Bold(f"{window:,}")]]
    scene.labels.append(Label(x - 30, x, top - 14, words, "", "end"))


def draw_opened_call(bar: CallBar, setup: Setup) -> Scene:
    """Draw one call over the whole width, between its answer above and what it reads below.

    Its answer takes the whole width above the scene. Below it, what it reads takes the columns of
    `order_read`, with `BETWEEN` per cent from one to the next.
    """
    scene = Scene(f"{bar.name} in a window of {counted(bar.budget.window, 'token')}.")
    scale = 100 / max(bar.budget.window, bar.needed)
    place = PlacedBar(bar, 0, scale, _RISE, _OPENED)
    bottom, scene.height = _RISE + _OPENED, _RISE + _OPENED + _FALL
    kinds = order_read(bar)
    width = (100 - BETWEEN * (len(kinds) - 1)) / max(len(kinds), 1)
    for at, kind in enumerate(kinds):
        parts = [part for part in bar.parts if part.kind == kind]
        edges = place.x(parts[0].start), place.x(parts[-1].end)
        left = at * (width + BETWEEN)
        scene.shapes.append(Band(kind, (left, left + width), edges, scene.height, bottom))
    if any(part.kind == "output" for part in bar.parts):
        scene.shapes.append(Band("answer", place.output, (0, 100), _RISE, 0))
    draw_bar(scene, place, Drawn((bar,), (), setup.mode, PAGE))
    words = [["window ", Bold(f"{bar.budget.window:,}")]]
    scene.labels.append(Label(60, 100, _RISE - 12, words, "plate muted", "end"))
    return scene


def order_read(bar: CallBar) -> list[str]:
    """Return which of "answer" and "context" a call reads, in the order of its prompt."""
    kinds = dict.fromkeys(part.kind for part in bar.parts)
    return [kind for kind in kinds if kind in ("answer", "context")]


class EmptyCall(NamedTuple):
    """A call of which it is known what must be in it: the kinds of its parts, with their tokens.

    With `bound`, the answer that it reads is the longest that is possible.
    """

    name: str
    parts: tuple[tuple[str, int], ...]
    bound: bool


def draw_empty_calls(
    chunks: Sequence[int], calls: Sequence[EmptyCall], window: int, is_asked: bool = False
) -> Scene:
    """Draw the tokens of the chunks in a row, and below them a bar for each empty call.

    Their room for chunks is not told where it `is_asked`.
    """
    alt = f"{counted(len(chunks), 'chunk')} of {sum(chunks):,} tokens in all"
    scene = Scene(
        f"{alt}; below them {counted(len(calls), 'empty call')} in a window of {window:,}"
    )
    whole = max(window, sum(chunks), *(sum(size for _, size in call.parts) for call in calls))
    scale = 100 / whole
    x = 0.0
    for number, tokens in enumerate(chunks, 1):
        left, right = x, x + tokens * scale
        says = f"chunk {number}: {counted(tokens, 'token')}"
        scene.shapes.append(Box(left, right, 0, _CHUNK, "context", says=says))
        wordings = [Bold(f"{number}"), f"\n{tokens:,}"], [Bold(f"{number}")]
        scene.labels.append(Label(left, right, _CHUNK / 2, wordings, "on-context"))
        x = right
    scene.rows.append(RowName(_CHUNK / 2, counted(len(chunks), "chunk"), f"{sum(chunks):,}"))
    height = _HIGH if len(calls) <= _FEW else _LOW
    first = _CHUNK + 34
    for at, call in enumerate(calls):
        top, start = first + (height + _GAP) * at, 0
        for kind, tokens in call.parts:
            left, right = start * scale, (start + tokens) * scale
            scene.shapes.append(Box(left, right, top, height, kind))
            if kind == "room":
                room = Bold("?" if is_asked else f"{tokens:,}")
                words: list[list[str]] = [["room for chunks ", room], [room]]
                scene.labels.append(Label(left, right, top + height / 2, words))
            start += tokens
        scene.rows.append(RowName(top + height / 2, call.name))
    scene.height = first + (height + _GAP) * len(calls)
    _draw_window(scene, window, scale, first)
    return scene
