"""Plans with the shortest and with the longest answers, between which a run lies."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from synth.modes.base import BaseSynthesizer
from synth.runs.bounds import Bounds
from synth.runs.trace import Plan

SHORT = 20  # tokens of an answer that a plan takes as short


def short_and_long(
    synthesizer: BaseSynthesizer,
    query_str: str,
    text_chunks: Sequence[str],
    answers: tuple[int, int],
    variables: Mapping[str, Any] = MappingProxyType({}),
) -> tuple[Plan, Plan, Bounds]:
    """Plan answers of the least and of the most tokens, and bound any; SynthError as in `plan`."""
    least, most = answers
    long = synthesizer.plan(query_str, text_chunks, answer_tokens=most, **variables)
    bounds = synthesizer.bounds(query_str, text_chunks, **variables)
    if long.exact and bounds.calls == (long.call_count, long.call_count):
        return long.assume(least), long, bounds
    short = synthesizer.plan(query_str, text_chunks, answer_tokens=least, **variables)
    return short, long, bounds
