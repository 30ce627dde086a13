"""Calls below one another on one scale, one call alone, and calls before a run, as bars."""

from collections.abc import Sequence
from typing import NamedTuple

from synth.pictures.bar_parts import STATE_SIGNS, CallBar
from synth.pictures.bars_picture import draw_bar
from synth.pictures.placement import PAGE, ROW, Drawn, PlacedBar
from synth.pictures.scene import Band, Box, Label, Path, RowName, Scene
from synth.runs.calls import PlannedCall, Setup
from synth.text.wording import Bold, counted

_HIGH, _LOW, _GAP = 40, 22, 9  # pixels of an empty call, of a bar in a list, and between two
_TOP = 24  # pixels above the bars
_LEFT, _RIGHT = 8.0, 74.0  # per cent: where the bars of a list begin, and how wide they are
_RISE, _OPENED, _FALL = 52, 50, 52  # pixels above an opened call, of its bar, and below it
BETWEEN = 2.0
"""Per cent between the columns below an opened call."""
_CHUNK = 44  # pixels of the chunks above empty calls


def draw_call_list(bars: Sequence[CallBar], setup: Setup, opened: int) -> Scene:
    """Draw calls below one another on one scale, each with its prompt tokens beside it."""
    scene = Scene(f"{counted(len(bars), 'call')}, of which call {opened} is open.")
    scale = _RIGHT / max(max(bar.budget.window, bar.needed) for bar in bars)
    drawn = Drawn(bars, (), setup.mode, ROW)
    for at, bar in enumerate(bars):
        top = _TOP + (_LOW + _GAP) * at
        middle = top + _LOW / 2
        if bar.number == opened:
            scene.shapes.append(Box(0, 100, top - _GAP / 2, _LOW + _GAP, "rail"))
        draw_bar(scene, PlacedBar(bar, _LEFT, scale, top, _LOW), drawn)
        number, tokens = Bold(f"{bar.number:,}"), f"{bar.call.prompt_tokens:,}"
        if isinstance(bar.call, PlannedCall) and not bar.call.exact:
            tokens = f"≤ {tokens}"
        tokens = f"{STATE_SIGNS.get(bar.state, '')} {tokens}".strip()
        scene.labels.append(Label(1, _LEFT, middle, [[number]], "", "start"))
        scene.labels.append(Label(_LEFT + _RIGHT, 99, middle, [tokens], "", "end"))
    scene.labels.append(Label(60, 99, 8, ["prompt tokens"], "muted", "end"))
    scene.height = _TOP + (_LOW + _GAP) * len(bars)
    return scene


def draw_call(bar: CallBar, setup: Setup, opened: bool = False) -> Scene:
    """Draw one call over the whole width, `opened` between its answer and what it reads.

    Its answer takes the whole width above the scene. Below it, what it reads takes the columns of
    `order_read`, with `BETWEEN` per cent from one to the next.
    """
    scale = 100 / max(bar.budget.window, bar.needed)
    top = _RISE if opened else _TOP
    bottom = top + _OPENED
    scene = Scene(bar.arithmetic, bottom + (_FALL if opened else 0))
    kinds = order_read(bar) if opened else []
    width = (100 - BETWEEN * (len(kinds) - 1)) / max(len(kinds), 1)
    for at, kind in enumerate(kinds):
        parts = [part for part in bar.parts if part.kind == kind]
        edges = parts[0].start * scale, parts[-1].end * scale
        left = at * (width + BETWEEN)
        scene.shapes.append(Band(kind, (left, left + width), edges, scene.height, bottom))
    if opened and any(part.kind == "output" for part in bar.parts):
        start, end = bar.output
        scene.shapes.append(Band("answer", (start * scale, end * scale), (0, 100), top, 0))
    draw_bar(scene, PlacedBar(bar, 0, scale, top, _OPENED), Drawn((bar,), (), setup.mode, PAGE))
    words: list[str] = ["window ", Bold(f"{bar.budget.window:,}")]
    if bar.budget.over:
        words.append(Bold(f" ▲ {bar.budget.over:,} over"))
        x = bar.budget.window * scale
        scene.shapes.append(Path([[(x, top - 6), (x, bottom)]], "rule"))
    scene.labels.append(Label(40, 100, top - 12, [words], "plate muted", "end"))
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
    first = _CHUNK + 34
    for at, call in enumerate(calls):
        top, start = first + (_HIGH + _GAP) * at, 0
        for kind, tokens in call.parts:
            left, right = start * scale, (start + tokens) * scale
            scene.shapes.append(Box(left, right, top, _HIGH, kind))
            if kind == "room":
                room = Bold("?" if is_asked else f"{tokens:,}")
                words: list[list[str]] = [["room for chunks ", room], [room]]
                scene.labels.append(Label(left, right, top + _HIGH / 2, words))
            start += tokens
        scene.rows.append(RowName(top + _HIGH / 2, call.name))
    scene.height = first + (_HIGH + _GAP) * len(calls)
    x = window * scale
    scene.shapes.append(Path([[(x, first - 6), (x, scene.height - _GAP + 3)]], "rule"))
    words = [["window ", Bold(f"{window:,}")]]
    scene.labels.append(Label(x - 30, x, first - 14, words, "", "end"))
    return scene
