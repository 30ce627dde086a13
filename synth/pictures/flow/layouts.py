"""The two layouts of a flow: calls in a chain, or in levels above their chunks (tree and fan).

A chunk is as wide as its tokens, and cut where calls divide it.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import accumulate, pairwise
from string import ascii_lowercase

from synth.pictures.flow.data import FlowCall, FlowData, Part
from synth.pictures.flow.scene import (
    FLAT,
    TALL,
    Arrow,
    Block,
    Ribbon,
    RowLabel,
    Scene,
    Sources,
    call_block,
    labelled,
    number_width,
    ribbons_into,
)
from synth.text.wording import counted

_BELOW = -0.62  # the bottom of a scene: half a chunk, and its number where the chunks are thin


def chain(data: FlowData, span: float) -> Scene:
    """Calls from left to right, each handing its answer to the next one."""
    chunks, count = whole_chunks(data, span), len(data.calls)
    sources: Sources = {("chunk", number): block for number, block in chunks.items()}
    scale, room = token_width(data, span), min(0.1, 0.45 / count) * span
    tokens = [call.tokens("chunk") * scale for call in data.calls]
    widths = _widths(tokens, min(number_width(count), span / (2 * count)), span - room * count)
    row, left = [], 0.0
    for call, width in zip(data.calls, widths, strict=True):
        row.append(call_block(call, width, 1.0)._replace(left=left))
        left = row[-1].right + room
    blocks = chunk_blocks(data, chunks)
    ribbons: list[Ribbon] = []
    arrows: list[Arrow] = []
    for call, block in zip(data.calls, labelled(row, beside=False), strict=True):
        start, width = block.right + room * 0.3, min(room * 0.42, max(block.width, 4.0))
        answer = Block("answer", call.number, start, width, 1.0, 0.32, "answer", call.output)
        blocks += [block, answer]
        ribbons += ribbons_into(call, block, sources)
        legs = ((block.right, start), (answer.right, block.right + room))
        arrows += [Arrow(call.number, *leg, 1.0) for leg in legs]
    labels = (*_chunk_label(data), RowLabel(1, counted(count, "call"), "in a chain"))
    visible_arrows = tuple(arrows[:-1]) if room > 14 else ()
    return Scene(
        "chain", tuple(blocks), tuple(ribbons), visible_arrows, labels, span, _BELOW, 1.42, 110
    )


def levels(data: FlowData, span: float) -> Scene:
    """Chunks at the bottom, then a row of calls for each depth, each with its answer on top."""
    chunks = whole_chunks(data, span)
    scale = token_width(data, span)
    sources: Sources = {("chunk", number): block for number, block in chunks.items()}
    blocks, labels = chunk_blocks(data, chunks), _chunk_label(data)
    ribbons: list[Ribbon] = []
    depths = sorted({call.depth for call in data.calls})
    for level, depth in enumerate(depths):
        calls = [call for call in data.calls if call.depth == depth]
        y = 2.0 * level + 1
        for call, block in zip(calls, _call_row(calls, sources, scale, span, y), strict=True):
            # The answer is a small block on its call, and never wider than it.
            width = min(max(call.output * scale, 2.0), block.width)
            left = block.centre - width / 2
            answer = Block(
                "answer", call.number, left, width, block.y + 0.42, FLAT, "answer", call.output
            )
            sources["answer", call.number] = answer
            blocks += [block, answer]
            ribbons += ribbons_into(call, block, sources)
        labels += _level_labels(data, level, calls)
    top, bottom = max(0.4, 2.0 * len(depths) - 0.26), _BELOW
    if depths and not data.chunks:
        bottom = 0.6
    unit = 110 if len(depths) == 1 else 76
    return Scene(
        data.shape, tuple(blocks), tuple(ribbons), (), tuple(labels), span, bottom, top, unit
    )


def _call_row(
    calls: Sequence[FlowCall], sources: Sources, scale: float, span: float, y: float
) -> list[Block]:
    """The calls of one depth, each as near above the middle of its sources as there is room."""
    gap = min(8.0, 0.1 * span / len(calls))
    tokens = [call.tokens("chunk", "answer") * scale for call in calls]
    widths = _widths(tokens, _least_width(calls, span), span - gap * (len(calls) - 1))
    blocks = [call_block(call, width, y) for call, width in zip(calls, widths, strict=True)]
    even = span / len(calls)
    centres = [_middle(call, sources, even * (at + 0.5)) for at, call in enumerate(calls)]
    order = sorted(range(len(calls)), key=centres.__getitem__)
    lefts = spread([centres[at] for at in order], [blocks[at].width for at in order], gap, span)
    for at, left in zip(order, lefts, strict=True):
        blocks[at] = blocks[at]._replace(left=left)
    return labelled(blocks)


def _widths(wanted: Sequence[float], least: float, room: float) -> list[float]:
    """Widths that fill the `room` at most, none below the `least`; what is above it shrinks."""
    above = [max(width - least, 0.0) for width in wanted]
    shrink = min(1.0, (room - least * len(above)) / (sum(above) or 1.0))
    return [least + width * shrink for width in above]


def _least_width(calls: Sequence[FlowCall], span: float) -> float:
    """The least width of a call: its number fits, and one that carries no text can be clicked."""
    with_text = any(call.parts for call in calls)
    preferred = number_width(calls[-1].number) if with_text else 96.0
    return min(preferred, span / (2 * len(calls)))


def _middle(call: FlowCall, sources: Sources, default: float) -> float:
    """The point midway between the first and the last text that a call carries."""
    middles = [
        sources[part.kind, part.number].at((part.start + part.end) / 2)
        for part in call.parts
        if (part.kind, part.number) in sources
    ]
    return (min(middles) + max(middles)) / 2 if middles else default


def _chunk_label(data: FlowData) -> list[RowLabel]:
    """The label of the row of chunks, if there are any."""
    if not data.chunks:
        return []
    return [RowLabel(0, counted(len(data.chunks), "chunk"), counted(sum(data.chunks), "token"))]


def _level_labels(data: FlowData, level: int, calls: Sequence[FlowCall]) -> list[RowLabel]:
    number = len(calls)
    if data.shape == "tree":
        return [RowLabel(2.0 * level + 1, f"level {level}", counted(number, "call"))]
    if number == 1:
        return [RowLabel(1, "1 call", "")]
    labels = [RowLabel(1, counted(number, "call"), "at once")]
    if data.listed:
        labels.append(RowLabel(1.44, counted(number, "answer"), "in a list"))
    return labels


def spread(
    centres: Sequence[float], widths: Sequence[float], gap: float, span: float
) -> list[float]:
    """Left edges of blocks in the given order, each near its centre, within 0 to `span`.

    At least `gap` lies between two blocks. Without the room that the blocks before it need, a
    left edge only has to be no smaller than the edge before: the sequence nearest to the
    wanted edges that never falls is a known problem with a short solution.
    """
    before = [0.0, *accumulate(width + gap for width in widths)]
    wanted = [c - w / 2 - b for c, w, b in zip(centres, widths, before, strict=False)]
    last = max(0.0, span - (before[-1] - gap))
    nearest = (min(max(edge, 0.0), last) for edge in never_falling(wanted))
    return [edge + room for edge, room in zip(nearest, before, strict=False)]


def never_falling(values: Sequence[float]) -> list[float]:
    """The sequence nearest to the values (by squares) in which none is below the one before.

    Values out of order are pooled, and all take their mean:

        >>> never_falling([1, 4, 2, 9])
        [1, 3.0, 3.0, 9]
    """
    pools: list[tuple[float, int]] = []
    for value in values:
        mean, size = value, 1
        while pools and pools[-1][0] > mean:
            lower, count = pools.pop()
            mean, size = (mean * size + lower * count) / (size + count), size + count
        pools.append((mean, size))
    return [mean for mean, size in pools for _ in range(size)]


_NOTHING = 0.01  # tokens: a shorter piece comes from rounding


def token_width(data: FlowData, span: float) -> float:
    """Pixels of one token: all chunks and the gaps between them fill the span, else all answers."""
    whole = sum(data.chunks)
    if not whole:
        return span / max(1, sum(call.output for call in data.calls))
    return span / max(1.0, whole + _gap(data) * (len(data.chunks) - 1))


def _gap(data: FlowData) -> float:
    """Tokens that the space between two chunks is worth."""
    return 0.18 * sum(data.chunks) / max(1, len(data.chunks))


def whole_chunks(data: FlowData, span: float) -> dict[int, Block]:
    """The whole chunks by number, side by side over the span."""
    scale, gap, before = token_width(data, span), _gap(data), 0.0
    blocks = {}
    for number, tokens in enumerate(data.chunks, 1):
        left, width = before * scale, tokens * scale
        blocks[number] = Block("chunk", number, left, width, 0, TALL, "context", tokens)
        before += tokens + gap
    return blocks


def chunk_blocks(data: FlowData, whole: dict[int, Block]) -> list[Block]:
    """The chunks as they are drawn: shared ones in pieces 3a, 3b; missing text as its own piece."""
    starts, missing = defaultdict(set), defaultdict(list)
    for call in data.calls:
        for part in call.parts:
            if part.kind == "chunk":
                starts[part.number].add(part.start)
    for meaning, parts in (("lost", data.lost), ("unread", data.unread)):
        for part in parts:
            missing[part.number].append((part, meaning))
    return [
        piece
        for number, block in whole.items()
        for piece in _pieces(block, starts[number], missing[number])
    ]


def _pieces(block: Block, starts: set[float], missing: Sequence[tuple[Part, str]]) -> list[Block]:
    """The lettered pieces of a chunk if their labels fit, otherwise what was read as one piece."""
    number = str(block.number)
    gaps = [part for part, _ in missing]
    missing_pieces = [
        _between(block, part.start, part.end)._replace(meaning=meaning) for part, meaning in missing
    ]
    read = _lettered(_read(block, starts, gaps))
    if not read:
        read = _read(block, set(), gaps)
        read[:1] = [piece._replace(label=number) for piece in read[:1]]
    if not read:
        missing_pieces[:1] = [piece._replace(label=number) for piece in missing_pieces[:1]]
    return missing_pieces + read


def _lettered(pieces: Sequence[Block]) -> list[Block]:
    """The pieces with labels 3a, 3b; none if a label does not fit, but for that of the last."""
    names = [
        f"{block.number}{letter}" for block, letter in zip(pieces, ascii_lowercase, strict=False)
    ]
    decisive = pieces[:-1] if len(pieces) > 2 else pieces
    if not 1 < len(pieces) == len(names) or not all(map(Block.fits, decisive, names)):
        return []
    return [
        block._replace(label=name if block.fits(name) else "")
        for block, name in zip(pieces, names, strict=True)
    ]


def _read(block: Block, starts: set[float], gaps: Sequence[Part]) -> list[Block]:
    """The pieces between the starts and the missing parts; a blank chunk is one piece."""
    if not block.tokens:
        return [block]
    borders = {border for part in gaps for border in (part.start, part.end)}
    edges = sorted({0.0, block.tokens, *borders, *starts})
    gap_starts = {part.start for part in gaps}
    return [
        _between(block, start, end)
        for start, end in pairwise(edges)
        if start not in gap_starts and end - start > _NOTHING
    ]


def _between(block: Block, start: float, end: float) -> Block:
    left = block.at(start)
    return block._replace(left=left, width=block.at(end) - left, tokens=end - start)
