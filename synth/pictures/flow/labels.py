"""The words on a flow: in and beside its blocks, and beside its rows."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from synth.pictures.flow.draw import FlowView
from synth.pictures.flow.scene import TALL, Block, RowLabel, Scene
from synth.pictures.shapes import Label
from synth.pictures.words import thinned, wide
from synth.text.wording import Bold

_LEFT, _MARGIN = 6, 12  # pixels of the picture at the left and right of the blocks
_GAP = 6  # pixels between two labels
_BESIDE, _ROW = 3, -14  # pixels from a block and from a row to the label beside it
_LAST = 5  # pixels from the last answer of a chain to its words
_SIGNS: Mapping[str, str] = {"running": "▸ ", "failed": "✕ ", "cached": "↺ "}


def labels(scene: Scene, view: FlowView) -> Iterator[Label]:
    """All labels in and around the blocks."""
    numbered = [one for one in scene.blocks if one.kind == "chunk" and one.label == f"{one.number}"]
    inside = all(block.fits(block.label) for block in numbered)
    if not inside:
        yield from _below(numbered, view)
    for block in scene.blocks:
        if block.label and (inside or block not in numbered):
            yield from _label(block, scene, view)
    yield from _answers(scene, view)


def row_labels(rows: Sequence[RowLabel], view: FlowView) -> Iterator[Label]:
    """The name and the detail of each row, left of the picture."""
    for row in rows:
        words = [Bold(row.name), f"\n{row.detail}"] if row.detail else [Bold(row.name)]
        yield Label(0, view.y(row.y), words, "muted", "end", _ROW)


def _label(block: Block, scene: Scene, view: FlowView) -> Iterator[Label]:
    sign = _sign(block, view)
    text = sign + block.label
    if sign and not block.fits(text):
        text = f"{sign.strip()}\n{block.label}"
    if not block.beside:
        plain = view.style(block) == "solid" and not view.hatched(block)
        kind = f"on-{block.meaning}" if plain else "plate" if view.hatched(block) else ""
        kind = "" if view.unlit(block) else kind
        yield Label(block.centre, view.y(block.y), text, kind)
    elif block.right + _BESIDE + wide(block.label) <= scene.span + _MARGIN:
        yield Label(block.right + _BESIDE, view.y(block.y), text, anchor="start")


def _sign(block: Block, view: FlowView) -> str:
    return _SIGNS.get(view.state(block.number), "") if block.kind == "call" else ""


def _below(chunks: Sequence[Block], view: FlowView) -> Iterator[Label]:
    """The numbers of thin chunks below them: all, or the first and every fifth, tenth …"""
    centres = {block.number: block.centre for block in chunks}
    room = max((wide(block.label) for block in chunks), default=0) + _GAP
    y = view.y(-TALL / 2 - 0.04)
    for number in thinned(centres, room):
        yield Label(centres[number], y, str(number), "muted", size=11, side="below")


def _answers(scene: Scene, view: FlowView) -> Iterator[Label]:
    """The tokens of each answer; those of the last one of a chain, with a word, right of it."""
    answers = [block for block in scene.blocks if block.kind == "answer"]
    # While a finished run is stepped through, later answers get no label either.
    hidden = {"absent"} if view.planned else {"absent", "assumed"}
    shown = [block for block in answers if view.style(block) not in hidden]
    if scene.shape == "chain" and answers[-1] in shown:
        last = shown.pop()
        size = _size(last, view)
        words = [Bold("answer"), f"\n{size}"] if view.ends else [size]
        yield Label(last.right + _LAST, view.y(last.y), words, anchor="start")
    if scene.shape != "tree" and not any(one.label for one in scene.blocks if one.kind == "call"):
        yield from _numbers_above(scene, view)
        return
    for _, row in groupby(shown, key=lambda block: block.y):
        if scene.shape == "tree":
            yield from _beside(list(row), scene.span, view)
        else:
            yield from _above(list(row), scene, view)


def _numbers_above(scene: Scene, view: FlowView) -> Iterator[Label]:
    """The numbers of calls that are too narrow for them, above their row; of many, a few."""
    calls = {block.number: block for block in scene.blocks if block.kind == "call"}
    names = {number: f"{_sign(call, view).strip()}{number}" for number, call in calls.items()}
    room = max(map(wide, names.values()), default=0) + _GAP
    top = max((block.top for block in scene.blocks if block.kind != "chunk"), default=0)
    for number in thinned({number: call.centre for number, call in calls.items()}, room):
        yield Label(calls[number].centre, view.y(top), names[number], side="above")


def _above(row: Sequence[Block], scene: Scene, view: FlowView) -> Iterator[Label]:
    """Tokens above the answers, or above the calls, if there is room for all of them."""
    sizes = [_size(block, view) for block in row]
    room = min((right.centre - left.centre for left, right in pairwise(row)), default=99.0)
    if room < max(map(wide, sizes)) + _GAP:
        return
    calls = [block for block in scene.blocks if block.kind == "call" and block.y == row[0].y]
    top = view.y(max((block.top for block in calls), default=row[0].top))
    for block, text in zip(row, sizes, strict=True):
        half = wide(text) / 2
        x = max(half - _LEFT, min(block.centre, scene.span + _MARGIN - half))
        if abs(x - block.centre) <= _GAP:  # moved further, it would lie on its neighbour
            yield Label(x, top, text, "muted", side="above")


def _beside(row: Sequence[Block], span: float, view: FlowView) -> Iterator[Label]:
    """Tokens right of the answers; if all have the same assumed size, only at the root."""
    sizes = [_size(block, view) for block in row]
    ends = [*(block.left for block in row[1:]), span + _MARGIN]
    room = min(end - block.right for block, end in zip(row, ends, strict=True))
    same_size = len(row) > 1 and view.planned and view.states is None
    if not same_size and room >= max(map(wide, sizes)) + _GAP:
        for block, text in zip(row, sizes, strict=True):
            yield Label(block.right + 2, view.y(block.y), text, "muted", "start", size=11)


def _size(block: Block, view: FlowView) -> str:
    return f"{'≤ ' if view.style(block) == 'assumed' else ''}{block.tokens:,}"
