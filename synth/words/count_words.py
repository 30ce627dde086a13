"""What is said of a run by its server's counts: whether they are ours, and what it cut off."""

from collections.abc import Iterator

from synth.runs.counts import Counts
from synth.runs.cuts import Cut
from synth.runs.trace import Trace
from synth.text.wording import Tag, counted, marked
from synth.words.coverage_words import never_read

_STEP = 1_024  # tokens in which servers are given windows
_SAME = "**Your server counted the same in {same} of {calls}:** {tokens}, ours and its own."
_OTHER = (
    "**Your server counted {share} % {more} over {calls}:** {theirs}, where {whose} said {ours}."
)
_NEITHER = "**Your server counted the same in {same} of {calls}:** {theirs} in all, ours {ours}."


def counts_sentence(trace: Trace) -> list[str]:
    """How the server's counts of a run stand to ours; nothing if it gave none or cut prompts."""
    counts = trace.counts
    if not counts.calls or counts.cut is not None:
        return []
    calls = counted(len(counts.calls), "call")
    same = f"{counts.same:,}"
    if counts.equal:
        return marked(_SAME, same=same, calls=calls, tokens=counted(counts.ours, "prompt token"))
    theirs, ours = counted(counts.theirs, "prompt token"), f"{counts.ours:,}"
    percent = round(100 * abs(counts.theirs - counts.ours) / max(1, counts.ours))
    if not percent:
        return marked(_NEITHER, same=same, calls=calls, theirs=theirs, ours=ours)
    more = "more" if counts.theirs > counts.ours else "less"
    whose = "we" if trace.setup.tokenizer.sure else "the estimate"
    return marked(
        _OTHER,
        share=f"{percent}",
        more=more,
        calls=calls,
        theirs=theirs,
        whose=whose,
        ours=ours,
    )


def difference_tags(counts: Counts) -> Iterator[Tag]:
    """What a difference is likely to come from, where nothing was cut; none if both are equal."""
    if counts.equal:
        return
    if counts.are_likely:
        yield "likely its chat template and tokenizer; no sign of a cut", "estimate"
    else:
        yield "these are no counts of the prompts", "estimate"


def alarm_head(trace: Trace) -> str:
    """What the server read of what was sent, and which chunks it never read; "" if it read all."""
    cut = trace.counts.cut
    if cut is None:
        return ""
    about, the = ("", "the ") if trace.counts.sure else ("about ", "")
    sent = max(cut.sent)
    if sent <= cut.kept + 1:
        return (
            f"Your server read {cut.kept:,} tokens, all that its window holds: what stood before"
            " them never reached the model."
        )
    read = f"Your server read {cut.kept:,} of {the}{about}{sent:,} tokens sent."
    if len(cut.calls) > 1:
        calls = f"{len(cut.calls):,} of {counted(trace.call_count, 'call')}"
        read = f"Your server read {cut.kept:,} of up to {about}{sent:,} tokens sent in {calls}."
    chunks = never_read(trace.coverage) or "the start of the prompt"
    return f"{read} {chunks[:1].upper()}{chunks[1:]} never reached the model."


def what_it_did(cut: Cut) -> str:
    """What the server did with a prompt that was too long for it."""
    half = ", which is about half of its window" if cut.kept < cut.window else ""
    return f"It said nothing, kept the last {cut.kept:,}{half}, and answered from these."


def alarm_tags(trace: Trace, cut: Cut) -> list[Tag]:
    """How sure both numbers are, and which part was cut."""
    tokenizer = trace.setup.tokenizer
    return [
        (f"{max(cut.sent):,}: {tokenizer.counting}", "exact" if trace.counts.sure else "estimate"),
        (f"{cut.kept:,}: your server's own count", "exact"),
        ("which part: from the start, as Ollama cuts", "estimate"),
    ]


def needed_window(trace: Trace, cut: Cut) -> int:
    """The tokens of a window that would have held every prompt and its answer."""
    return max(cut.sent) + trace.setup.num_output


def needed_words(trace: Trace, cut: Cut) -> str:
    """What that window is made of."""
    return f"{max(cut.sent):,} for the prompt and {trace.setup.num_output:,} for the answer."


def start_line(window: int) -> str:
    """How Ollama is started with a window that holds so many tokens."""
    return f"OLLAMA_CONTEXT_LENGTH={-(-window // _STEP) * _STEP} ollama serve"
