"""What is said of a run by its server's counts: how far they are from ours, and what it cut off."""

from synth.runs.trace import Trace
from synth.text.wording import counted, embolden
from synth.words.coverage_words import never_read

_WINDOW_STEP = 1_024  # tokens in which servers are given windows
_SAME = "**The server counts the same:** {server} in {calls}."
_OTHER = (
    "**The server counts {share} % {more}:** {server} in {calls}, where {whose} said {planned}."
)


def counts_sentence(trace: Trace) -> list[str]:
    """Say how the server's counts stand to ours; nothing if it gave none or cut prompts."""
    counts = trace.counts
    if not counts.calls or counts.cut is not None:
        return []
    fields = {
        "server": counted(counts.server_tokens, "prompt token"),
        "calls": counted(len(counts.calls), "call"),
    }
    if counts.equal:
        return embolden(_SAME, **fields)
    percent = 100 * abs(counts.server_tokens - counts.prompt_tokens) / max(1, counts.prompt_tokens)
    return embolden(
        _OTHER,
        **fields,
        share=f"{percent:.2g}" if percent < 1 else f"{percent:,.0f}",
        more="more" if counts.server_tokens > counts.prompt_tokens else "less",
        whose="we" if trace.setup.tokenizer.sure else "the estimate",
        planned=f"{counts.prompt_tokens:,}",
    )


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
    needed = (max(cut.sent_tokens) if cut else 0) + trace.setup.num_output
    return f"OLLAMA_CONTEXT_LENGTH={-(-needed // _WINDOW_STEP) * _WINDOW_STEP} ollama serve"
