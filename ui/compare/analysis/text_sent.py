"""How much of the chunks a plan or a run sends: what is lost, and what is sent twice."""

from __future__ import annotations

import re

from synth.response_synthesizers.registry import mode_class
from synth.trace import Plan, Trace

_VISIBLE = re.compile(r"\S+")


def chunk_tokens(run: Plan | Trace) -> int:
    """Tokens of all chunks."""
    return sum(chunk.tokens for chunk in run.coverage)


def lost_tokens(run: Plan | Trace) -> int:
    """Tokens of the chunks that the response can't come from."""
    gives_chunks = mode_class(run.setup.mode).response_source == "chunks"
    return 0 if gives_chunks else run.lost_tokens


def repeated_tokens(run: Plan | Trace) -> int:
    """Tokens of the stretches of chunks that stand in more than one call."""
    return sum(chunk.repeated_tokens for chunk in run.coverage)


def sends_no_text(run: Plan | Trace) -> bool:
    """Whether there is text in the chunks, and none of it is sent."""
    sent = any(
        part.calls and _VISIBLE.search(chunk.text, part.start, part.end)
        for chunk in run.coverage
        for part in chunk.stretches
    )
    return not sent and any(map(_VISIBLE.search, run.setup.chunks))


def send_the_same_text(one: Plan | Trace, other: Plan | Trace) -> bool:
    """Whether both send the same characters of the same chunks, white space aside."""
    if one.setup.chunks != other.setup.chunks or sends_no_text(one):
        return False
    return any(map(_VISIBLE.search, one.setup.chunks)) and _unsent(one) == _unsent(other)


def _unsent(run: Plan | Trace) -> tuple[tuple[int, int, int], ...]:
    """What is visible and not sent: number of the chunk, first and last character."""
    return tuple(
        (chunk.number, *found.span())
        for chunk in run.coverage
        for part in chunk.stretches
        if not part.calls
        for found in _VISIBLE.finditer(chunk.text, part.start, part.end)
    )
