"""What became of the chunks: a bar for each, by what was sent, sent twice, cut off and unread."""

from collections.abc import Sequence
from itertools import groupby

from synth.pictures.scene import FATES, Box, Label, RowName, Scene
from synth.runs.coverage import ChunkCoverage
from synth.text.wording import Bold, counted, short

_ROW, _READABLE, _TALLEST = 26, 14, 1_200
"""Pixels of a row, of the lowest row that still has words, and of all rows together."""
_WIDTH = 74.0  # per cent of the width that the longest chunk takes
_HOVERED = 80  # characters of a stretch that the pointer shows


def draw_coverage(coverage: Sequence[ChunkCoverage], missing: str = "cut off") -> Scene:
    """Draw a bar for each chunk, all on one scale; a click tells "chunk" and its number.

    `missing` is the word for text that no call carries.
    """
    total = sum(chunk.tokens for chunk in coverage)
    lost = sum(chunk.lost_tokens for chunk in coverage)
    chunks = counted(len(coverage), "chunk")
    scene = Scene(f"{chunks} of {counted(total, 'token')}, {lost:,} {missing}.")
    row = max(3.0, min(_ROW, _TALLEST / max(1, len(coverage))))
    high = row * (0.7 if row >= _READABLE else 0.9)
    scale = _WIDTH / max((chunk.tokens for chunk in coverage if chunk.tokens), default=1)
    step = max(1, round(_READABLE / row))
    for at, chunk in enumerate(coverage):
        middle, name = row * (at + 0.5), f"chunk {chunk.number}"
        rate = chunk.tokens / max(1, len(chunk.text))  # tokens are spread evenly over characters
        for kind, group in groupby(chunk.stretches, key=chunk.kind):
            parts = list(group)
            start, end = parts[0].start * rate, parts[-1].end * rate
            text = short(chunk.text[parts[0].start : parts[-1].end], _HOVERED)
            fate = f"{FATES.get(kind, missing)}: tokens {start:,.0f} to {end:,.0f}"
            says, target = f"{name}\n{fate}\n{text}", ("chunk", chunk.number)
            edges = start * scale, end * scale
            scene.shapes.append(Box(*edges, middle - high / 2, high, kind, "", target, says))
        if at % step == 0:
            scene.rows.append(RowName(middle, name))
        if row >= _READABLE:
            style = "" if chunk.lost or chunk.cut_by_server else "muted"
            words = [_say_sent(chunk, missing), [f"{chunk.tokens:,}"]]
            end = chunk.tokens * scale + 1
            scene.labels.append(Label(end, 100, middle, words, style, "start"))
    scene.height = row * len(coverage)
    return scene


def _say_sent(chunk: ChunkCoverage, missing: str) -> list[str]:
    """What was sent of a chunk, at the end of its bar."""
    if chunk.lost:
        return [Bold(f"{missing} {chunk.lost_tokens:,}"), f" of {chunk.tokens:,}"]
    if chunk.cut_by_server:
        return [Bold(f"never read {chunk.cut_by_server_tokens:,}"), f" of {chunk.tokens:,}"]
    if not chunk.text.strip():
        return ["blank"]
    twice = chunk.repeated_tokens
    return [f"{chunk.tokens:,} sent" + (f", {twice:,} twice" if twice else "")]
