"""Words about the text of the chunks: what is sent, cut off, and cut by the server."""

from collections.abc import Sequence

from synth.modes.registry import mode_facts
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.text.wording import Bold, agree, counted, listed, numbered

_WINDOW_STEP = 1_024  # tokens in which servers are given windows


def coverage_words(run: Plan | Trace) -> list[str]:
    """Write how many tokens of the chunks are sent, and missing or twice, as labelled numbers."""
    if not sends_chunks(run):
        return ["No chunk is sent."]
    chunks, total = run.coverage, chunk_tokens(run)
    words = [Bold(f"{total - run.lost_tokens:,}"), f" of {counted(total, 'token')} sent"]
    amounts = {
        missing_word(run): run.lost_tokens,
        "cut by the server": sum(chunk.cut_by_server_tokens for chunk in chunks),
        "sent twice": sum(chunk.repeated_tokens for chunk in chunks),
    }
    for label, tokens in amounts.items():
        if tokens:
            words += [" · ", Bold(f"{tokens:,}"), f" {label}"]
    return words


def missing_word(run: Plan | Trace) -> str:
    """Name text of chunks that no call carries; a run that ended early cut off none."""
    return "not sent" if _is_unfinished(run) else "cut off"


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
    if _is_unfinished(run):
        found.discard("lost")
    words = {"context": "sent", "twice": "twice", "lost": "lost", "unread": "unread"}
    return [word for kind, word in words.items() if kind in found]


def _is_unfinished(run: Plan | Trace) -> bool:
    return isinstance(run, Trace) and run.response is None


def never_read(chunks: Sequence[ChunkCoverage]) -> str:
    """Name the chunks that the server cut off: "chunks 1 to 12 and a part of chunk 13"."""
    whole: list[int] = []
    partly: list[int] = []
    for chunk in chunks:
        if chunk.cut_by_server:
            kinds = {kind for text, kind in chunk.texts if text.strip()}
            (whole if kinds == {"unread"} else partly).append(chunk.number)
    names = [numbered("chunk", whole)] if whole else []
    if partly:
        names.append(f"a part of {numbered('chunk', partly)}")
    return listed(names)


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
    return run.lost_tokens if sends_chunks(run) and not _is_unfinished(run) else 0


def chunk_tokens(run: Plan | Trace) -> int:
    """Count the tokens of all chunks."""
    return sum(chunk.tokens for chunk in run.coverage)


def counts_words(trace: Trace) -> list[str]:
    """Write the server's count of prompt tokens beside ours; nothing if it gave none or cut any."""
    counts = trace.counts
    if not counts.calls or counts.cut is not None:
        return []
    ours = "counted here" if trace.setup.tokenizer.sure else "estimated here"
    server, planned = Bold(f"{counts.server_tokens:,}"), Bold(f"{counts.prompt_tokens:,}")
    return ["Prompt tokens: ", server, " counted by the server, ", planned, f" {ours}."]


def alarm_words(trace: Trace) -> tuple[str, str]:
    """Say what the server read of what was sent, and what it did; nothing if it read all."""
    cut = trace.counts.cut
    if cut is None:
        return "", ""
    calls = f" in {len(cut.calls):,} of {counted(trace.call_count, 'call')}"
    about = f"{'' if trace.counts.sure else 'about '}{max(cut.sent_tokens):,}"
    of = f"up to {about} tokens sent{calls}" if len(cut.calls) > 1 else f"{about} tokens sent"
    lost = never_read(trace.coverage) or "the start of the prompt"
    half = ", which is about half of its window" if cut.read_tokens < cut.window else ""
    return (
        f"Your server read {cut.read_tokens:,} of {of}. {lost[:1].upper()}{lost[1:]} never reached"
        " the model.",
        f"It said nothing, kept the last {cut.read_tokens:,}{half}, and answered from these.",
    )


def start_line(trace: Trace) -> str:
    """Write how Ollama is started with a window for every prompt of the run and its answer."""
    cut = trace.counts.cut
    needed = (max(cut.sent_tokens) if cut else 0) + trace.setup.most_output
    return f"OLLAMA_CONTEXT_LENGTH={-(-needed // _WINDOW_STEP) * _WINDOW_STEP} ollama serve"
