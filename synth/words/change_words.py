"""The changes under which a fact is sent, in words, and the modes that one may lead to."""

from dataclasses import asdict

from synth.modes.registry import MODES, mode_facts
from synth.quality.smallest_change import Change
from synth.text.wording import counted

_SAID = {
    "mode": "{}",
    "context_window": "window {:,}",
    "num_output": "answer length {:,}",
    "chunk_overlap_ratio": "overlap {:g}",
    "similarity_top_k": "best {:,} chunks",
}
"""The values of a choice as they are said."""


def modes_like(mode: str) -> list[str]:
    """Return the modes that answer in the same form; all, for a mode that gives no answer."""
    form = mode_facts(mode).response_source
    same = [name for name in MODES if mode_facts(name).response_source == form]
    return same if len(same) > 1 else list(MODES)


def change_words(change: Change) -> str:
    """Write what a change changes to, such as "window 1,081"."""
    before, after = asdict(change.before), asdict(change.after)
    parts = [
        form.format(after[field])
        for field, form in _SAID.items()
        if before[field] != after[field] and None not in (before[field], after[field])
    ]
    if (after["similarity_top_k"] is None) != (before["similarity_top_k"] is None):
        every = after["similarity_top_k"] is None
        parts.append("all chunks, in order" if every else "the best chunks first")
    return ", ".join(parts)


def change_cost(change: Change) -> str:
    """Write the calls and prompt tokens after a change."""
    calls = counted(change.calls, "call")
    return f"{calls} with {counted(change.prompt_tokens, 'prompt token')}"
