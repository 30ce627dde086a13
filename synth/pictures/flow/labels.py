"""The words on a flow: in and beside its blocks, and beside its rows."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise

from synth.pictures.flow.draw import FlowView
from synth.pictures.flow.scene import TALL, Block, RowLabel, Scene
from synth.pictures.shapes import Text
from synth.pictures.words import thinned, wide
from synth.text.wording import Bold

_LEFT, _MARGIN = 6, 12  # pixels of the picture at the left and right of the blocks
_GAP = 6  # pixels between two labels
_BESIDE, _ROW = 3, -14  # pixels from a block and from a row to the label beside it
_SIGNS: Mapping[str, str] = {"running": "▸ ", "failed": "✕ ", "cached": "↺ "}


def labels(scene: Scene, view: FlowView) -> Iterator[Text]:
    """All labels in and around the blocks."""
    chunks = [block for block in scene.blocks if block.kind == "chunk" and block.label]
    thin = [block for block in chunks if not block.fits(block.label)]
    if 2 * len(thin) > len(chunks):
        thin = [block for block in chunks if block.label == str(block.number)]
    yield from _below(thin, view)
    under = {(block.number, block.left) for block in thin}
    for block in scene.blocks:
        if block.label and block.kind != "answer" and (block.number, block.left) not in under:
            yield from _label(block, scene, view)
    yield from _answers(scene, view)


def row_labels(rows: Sequence[RowLabel], view: FlowView) -> Iterator[Text]:
    """The name and the detail of each row, left of the picture."""
    for row in rows:
        words = [Bold(row.name), f"\n{row.detail}"] if row.detail else [Bold(row.name)]
        yield Text(0, view.y(row.y), words, "muted", "end", _ROW)


def _label(block: Block, scene: Scene, view: FlowView) -> Iterator[Text]:
    sign = _SIGNS.get(view.state(block.number), "") if block.kind == "call" else ""
    text = sign + block.label
    if sign and not block.fits(text):
        text = f"{sign.strip()}\n{block.label}"
    if not block.beside:
        plain = view.style(block) == "solid" and not view.hatched(block)
        kind = f"on-{block.meaning}" if plain else "plate" if view.hatched(block) else ""
        kind = "" if view.unlit(block) else kind
        yield Text(block.centre, view.y(block.y), text, kind)
    elif block.right + _BESIDE + wide(block.label) <= scene.span + _MARGIN:
        yield Text(block.right + _BESIDE, view.y(block.y), text, anchor="start")


def _below(chunks: Sequence[Block], view: FlowView) -> Iterator[Text]:
    """The numbers of thin chunks below them: all, or the first and every fifth, tenth …"""
    centres = {block.number: block.centre for block in chunks}
    room = max((wide(block.label) for block in chunks), default=0) + _GAP
    y = view.y(-TALL / 2 - 0.04)
    for number in thinned(centres, room):
        yield Text(centres[number], y, str(number), "muted", size=11, side="below")


def _answers(scene: Scene, view: FlowView) -> Iterator[Text]:
    """The tokens of each answer, and the word "answer" below the last one of a chain."""
    answers = [block for block in scene.blocks if block.kind == "answer"]
    # While a finished run is stepped through, later answers get no label either.
    hidden = {"absent"} if view.planned else {"absent", "assumed"}
    shown = [block for block in answers if view.style(block) not in hidden]
    for _, row in groupby(shown, key=lambda block: block.y):
        if scene.shape == "tree":
            yield from _beside(list(row), scene.span, view)
        else:
            yield from _above(list(row), scene, view)
    last = answers[-1] if answers else None
    if scene.arrows and last in shown:
        under = view.y(last.y - TALL / 2 - 0.02)
        yield Text(last.centre, under, "answer", side="below")


def _above(row: Sequence[Block], scene: Scene, view: FlowView) -> Iterator[Text]:
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
            yield Text(x, top, text, "muted", side="above")


def _beside(row: Sequence[Block], span: float, view: FlowView) -> Iterator[Text]:
    """Tokens right of the answers; if all have the same assumed size, only at the root."""
    sizes = [_size(block, view) for block in row]
    ends = [*(block.left for block in row[1:]), span + _MARGIN]
    room = min(end - block.right for block, end in zip(row, ends, strict=True))
    same_size = len(row) > 1 and view.planned and view.states is None
    if not same_size and room >= max(map(wide, sizes)) + _GAP:
        for block, text in zip(row, sizes, strict=True):
            yield Text(block.right + 2, view.y(block.y), text, "muted", "start", size=11)


def _size(block: Block, view: FlowView) -> str:
    return f"{'≤ ' if view.style(block) == 'assumed' else ''}{block.tokens:,}"
