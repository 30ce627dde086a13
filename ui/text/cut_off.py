"""The text of the chunks that a plan or a run cuts off, in one definition for all pages."""

from __future__ import annotations

from synth.modes.registry import mode_facts
from synth.runs.trace import Plan, Trace


def sends_chunks(run: Plan | Trace) -> bool:
    """Whether the mode of a run puts chunks into its prompts at all."""
    return mode_facts(run.setup.mode).sends_chunks


def cut_off_tokens(run: Plan | Trace) -> int:
    """Tokens of the chunks that should have been sent and are in no prompt.

    A mode that sends no chunks by design cuts nothing off.
    """
    return run.lost_tokens if sends_chunks(run) else 0


def chunk_tokens(run: Plan | Trace) -> int:
    """Tokens of all chunks."""
    return sum(chunk.tokens for chunk in run.coverage)
