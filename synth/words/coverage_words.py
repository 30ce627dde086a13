"""Sentences about the text of the chunks: what is sent, cut off, and cut by the server."""

from collections.abc import Sequence
from typing import Literal

from synth.modes.registry import mode_facts
from synth.runs.coverage import ChunkCoverage, Stretch
from synth.runs.trace import Plan, Trace
from synth.text.wording import agree, counted, embolden, listed, numbered, percent

Time = Literal["planned", "unfinished", "ended"]
_NONE_SENT = "**{mode}** sends no chunks, so none is cut off."
_LOST: dict[Time, str] = {
    "planned": "**{mode}** would cut off {chunks}: **{lost} of {total}, {share}.**",
    "unfinished": "**{mode}** has not sent {chunks} yet: **{lost} of {total}, {share}.**",
    "ended": "**{mode}** cut off {chunks}: **{lost} of {total}, {share}.**",
}
_UNREAD = "**Your server never read** {chunks}: **about {unread} of {total}, {share}.**"
_NOTHING_LOST = "**{what} is cut off:** {tokens} of {total} {sent}."
_TWICE = " {tokens} {went} into more than one call."


def coverage_sentence(run: Plan | Trace) -> list[str]:
    """Say what text is cut off, with its chunks, its tokens and their share."""
    if not sends_chunks(run):
        return embolden(_NONE_SENT, mode=run.setup.mode)
    chunks, time = run.coverage, _time(run)
    lost, total = sum(chunk.lost_tokens for chunk in chunks), sum(chunk.tokens for chunk in chunks)
    unread = sum(chunk.cut_by_server_tokens for chunk in chunks)
    twice = sum(chunk.repeated_tokens for chunk in chunks)
    planned = time == "planned"
    went = "would go" if planned else "went"
    again = embolden(_TWICE, tokens=counted(twice, "token"), went=went) if twice else []
    tokens = counted(total, "token")
    if unread:
        words = embolden(
            _UNREAD,
            chunks=never_read(chunks),
            unread=f"{unread:,}",
            total=tokens,
            share=percent(unread, total),
        )
        never = "yet" if time == "unfinished" else "at all"
        were = agree("were", lost)
        cut = f" {counted(lost, 'token')} {were} not sent {never}." if lost else ""
        return [*words, cut, *again]
    if not lost:
        sent = "would be sent" if planned else "sent"
        has_cut_answer = isinstance(run, Trace) and any(call.is_cut for call in run.calls)
        what = "No chunk" if has_cut_answer else "Nothing"
        words = embolden(_NOTHING_LOST, what=what, tokens=f"{total:,}", total=tokens, sent=sent)
        return [*words, *again]
    sentence = embolden(
        _LOST[time],
        mode=run.setup.mode,
        chunks=_name_chunks([(chunk, chunk.lost) for chunk in chunks]),
        lost=f"{lost:,}",
        total=tokens,
        share=percent(lost, total),
    )
    return [*sentence, *again]


def missing_word(run: Plan | Trace) -> str:
    """Name text of chunks that no call carries; a run that ended early cut off none."""
    return "not sent" if _time(run) == "unfinished" else "cut off"


def missing_words(chunk: ChunkCoverage, missing: str) -> str:
    """Say what of a chunk was not sent, in the word `missing`, and what its server cut off."""
    amounts = ((chunk.lost_tokens, missing), (chunk.cut_by_server_tokens, "cut by the server"))
    words = [
        f"{tokens:,} of {counted(chunk.tokens, 'token')} {agree('are', tokens)} {word}"
        for tokens, word in amounts
        if tokens
    ]
    return listed(words)


def coverage_kinds(run: Plan | Trace) -> list[str]:
    """Return the kinds of text that a figure of the coverage shows, and its legend names."""
    found = {
        kind
        for chunk in run.coverage
        for part in chunk.stretches
        if (kind := chunk.kind(part)) != "context" or part.calls
    }
    if _time(run) == "unfinished":
        found.discard("lost")
    words = {"context": "sent", "twice": "twice", "lost": "lost", "unread": "unread"}
    return [word for kind, word in words.items() if kind in found]


def _time(run: Plan | Trace) -> Time:
    if isinstance(run, Plan):
        return "planned"
    return "ended" if run.response is not None else "unfinished"


def never_read(chunks: Sequence[ChunkCoverage]) -> str:
    """Name the chunks that the server cut off: "chunks 1 to 12 and the start of chunk 13"."""
    return _name_chunks([(chunk, chunk.cut_by_server) for chunk in chunks])


def _name_chunks(chunks: Sequence[tuple[ChunkCoverage, tuple[Stretch, ...]]]) -> str:
    cut = [(chunk, parts) for chunk, parts in chunks if parts]
    whole = [
        chunk.number
        for chunk, parts in cut
        if all(
            part in parts or not text.strip()
            for part, (text, _) in zip(chunk.stretches, chunk.texts, strict=True)
        )
    ]
    named = [
        (chunk.number, _part(chunk, parts)) for chunk, parts in cut if chunk.number not in whole
    ]
    named += [(whole[0], numbered("chunk", whole))] if whole else []
    if len(named) > 3:
        return f"{counted(len(cut), 'chunk')} or parts of them"
    return listed([words for _, words in sorted(named)])


def _part(chunk: ChunkCoverage, parts: tuple[Stretch, ...]) -> str:
    last, first = chunk.stretches[-1] in parts, chunk.stretches[0] in parts
    if len(parts) > 1 or not (first or last):
        return f"parts of chunk {chunk.number}"
    return f"the {'end' if last else 'start'} of chunk {chunk.number}"


def sends_chunks(run: Plan | Trace) -> bool:
    """Return whether the mode of a run puts chunks into its prompts at all."""
    return mode_facts(run.setup.mode).sends_chunks


def why_no_call(run: Plan | Trace) -> str:
    """Say why a mode that sends chunks makes no call, to end its sentence; "" for another."""
    if not sends_chunks(run):
        return ""
    if not run.setup.chunks:
        return ": there are no chunks"
    return "" if any(map(str.strip, run.setup.chunks)) else ": no chunk has any text"


def cut_off_tokens(run: Plan | Trace) -> int:
    """Count the tokens of chunks that should have been sent and are in no prompt."""
    return run.lost_tokens if sends_chunks(run) and _time(run) != "unfinished" else 0


def chunk_tokens(run: Plan | Trace) -> int:
    """Count the tokens of all chunks."""
    return sum(chunk.tokens for chunk in run.coverage)
