"""The row of chunks: each as wide as its tokens, cut where calls divide it."""

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from string import ascii_lowercase

from synth.pictures.flow.data import FlowData, Part
from synth.pictures.flow.scene import TALL, Block

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
