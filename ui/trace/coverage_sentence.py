"""The words on the text of the chunks that is sent, sent twice, or cut off."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, listed, marked, numbered, percent
from ui.text.cut_off import sends_chunks

Time = Literal["planned", "unfinished", "ended"]
_NONE_SENT = "**{mode}** sends no chunks, so none is cut off."
_LOST: dict[Time, str] = {
    "planned": "**{mode}** would cut off {chunks}: **{lost} of {total}, {share}.**",
    "unfinished": "**{mode}** has not sent {chunks} yet: **{lost} of {total}, {share}.**",
    "ended": "**{mode}** cut off {chunks}: **{lost} of {total}, {share}.**",
}
_NOTHING_LOST: dict[bool, str] = {
    True: "**Nothing is cut off:** {sent} of {total} would be sent.",
    False: "**Nothing is cut off:** {sent} of {total} sent.",
}
_TWICE: dict[bool, str] = {
    True: " {tokens} would go into more than one call.",
    False: " {tokens} went into more than one call.",
}


def coverage_sentence(run: Plan | Trace) -> list[str]:
    """The sentence about text that is cut off, with its chunks, its tokens and their share."""
    if not sends_chunks(run):
        return marked(_NONE_SENT, mode=run.setup.mode)
    chunks, time = run.coverage, _time(run)
    lost, total = sum(chunk.lost_tokens for chunk in chunks), sum(chunk.tokens for chunk in chunks)
    twice = sum(chunk.repeated_tokens for chunk in chunks)
    planned = time == "planned"
    again = marked(_TWICE[planned], tokens=counted(twice, "token")) if twice else []
    tokens = counted(total, "token")
    if not lost:
        return [*marked(_NOTHING_LOST[planned], sent=f"{total:,}", total=tokens), *again]
    sentence = marked(
        _LOST[time],
        mode=run.setup.mode,
        chunks=_named(chunks),
        lost=f"{lost:,}",
        total=tokens,
        share=percent(lost, total),
    )
    return [*sentence, *again]


def missing_word(run: Plan | Trace) -> str:
    """The word for text of chunks that no call carries; a run that ended early cut off none."""
    return "not sent" if _time(run) == "unfinished" else "cut off"


def coverage_kinds(run: Plan | Trace) -> list[str]:
    """The kinds of text that a figure of the coverage shows, and its legend names."""
    calls = [len(part.calls) for chunk in run.coverage for part in chunk.stretches]
    cut = _time(run) != "unfinished" and any(chunk.lost for chunk in run.coverage)
    shown = {"sent": 1 in calls, "twice": max(calls, default=0) > 1, "lost": cut}
    return [kind for kind, present in shown.items() if present]


def _time(run: Plan | Trace) -> Time:
    if isinstance(run, Plan):
        return "planned"
    return "ended" if run.response is not None else "unfinished"


def _named(chunks: Sequence[ChunkCoverage]) -> str:
    """The chunks that are cut off, such as "the end of chunk 8 and chunks 9 to 12"."""
    cut = [chunk for chunk in chunks if chunk.lost]
    whole = [chunk.number for chunk in cut if not any(part.calls for part in chunk.stretches)]
    words = [_part(chunk) for chunk in cut if chunk.number not in whole]
    words += [numbered("chunk", whole)] if whole else []
    if len(words) > 3:
        return f"{counted(len(cut), 'chunk')} or parts of them"
    return listed(words)


def _part(chunk: ChunkCoverage) -> str:
    """The part of a chunk that is cut off, such as "the end of chunk 8"."""
    last, first = chunk.stretches[-1] in chunk.lost, chunk.stretches[0] in chunk.lost
    if len(chunk.lost) > 1 or not (first or last):
        return f"parts of chunk {chunk.number}"
    return f"the {'end' if last else 'start'} of chunk {chunk.number}"
