"""The smallest change of the settings under which a fact is sent, in the words of the page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from synth.quality import Change, Choice, Fact, smallest_changes
from synth.response_synthesizers.registry import MODES, mode_facts
from synth.trace import Plan
from synth.wording import counted
from ui.request.from_settings import request_from
from ui.session import workspace
from ui.settings.names import Lookup

_SEARCHED = 200_000  # characters of chunks, with which a search takes more than a second


def changes_for(fact: Fact, settings: Lookup) -> tuple[Change, ...] | None:
    """The changes of these settings under which the fact is sent, the smallest first.

    From memory if they were searched before; None for chunks that take too long to plan often.
    """
    request = request_from(settings)
    chunks = [chunk for chunk in settings("chunks") if chunk.on]
    if sum(len(chunk.text) for chunk in chunks) > _SEARCHED:
        return None

    def plans_of(choice: Choice) -> Sequence[Plan]:
        changed = _settings_of(choice)
        trial = request_from(lambda name: changed[name] if name in changed else settings(name))
        synthesizer = trial.synthesizer()
        values: dict[str, Any] = dict(trial.variables)
        if not synthesizer.plannable:
            return ()
        plan = synthesizer.plan
        return [
            plan(trial.query, trial.chunks, tokens, **values) for tokens in (0, trial.num_output)
        ]

    def search() -> tuple[Change, ...]:
        choice = Choice(
            request.mode,
            request.window,
            request.num_output,
            request.overlap,
            None if settings("selection") == "all" else len(request.chunks),
        )
        return smallest_changes(fact, choice, plans_of, _modes_like(request.mode), len(chunks))

    key = (fact, request, settings("chunks"))
    return workspace.current().remembered("smallest changes", key, search)


def _modes_like(mode: str) -> list[str]:
    """The modes that answer in the same form; all, for a mode that gives no answer."""
    form = mode_facts(mode).response_source
    same = [name for name in MODES if mode_facts(name).response_source == form]
    return same if len(same) > 1 else list(MODES)


def _settings_of(choice: Choice) -> dict[str, Any]:
    """A choice as the settings of the page."""
    limits = {
        "mode": choice.mode,
        "window": choice.window,
        "num_output": choice.num_output,
        "overlap": choice.overlap,
    }
    if choice.top_k is None:
        return limits | {"selection": "all"}
    return limits | {"selection": "top", "top_k": choice.top_k}


def changed_settings(change: Change) -> dict[str, Any]:
    """The settings that a change changes."""
    before, after = _settings_of(change.before), _settings_of(change.after)
    return {name: value for name, value in after.items() if value != before.get(name)}


def change_words(change: Change) -> str:
    """A change in words, such as "window 1,024 → 1,081"."""
    before, after = change.before, change.after
    parts = []
    if after.window != before.window:
        parts.append(f"window {before.window:,} → {after.window:,}")
    if after.num_output != before.num_output:
        parts.append(f"answer length {before.num_output:,} → {after.num_output:,}")
    if after.overlap != before.overlap:
        parts.append(f"overlap {before.overlap:g} → {after.overlap:g}")
    if after.mode != before.mode:
        parts.append(f"mode {before.mode} → {after.mode}")
    if after.top_k is None and before.top_k is not None:
        parts.append("all chunks, in order")
    elif after.top_k is not None and before.top_k is None:
        parts.append("the best chunks first")
    elif after.top_k is not None and after.top_k != before.top_k:
        parts.append(f"best chunks {before.top_k:,} → {after.top_k:,}")
    return ", ".join(parts)


def change_price(change: Change) -> str:
    """What a change costs besides calls and tokens, or what it may do to answers."""
    before, after = change.before, change.after
    prices = {
        "the model must have that window": after.window != before.window,
        "answers may be cut off": after.num_output < before.num_output,
        "text goes out twice": after.overlap > before.overlap,
        "text may be cut elsewhere": after.overlap < before.overlap,
        "the answer is made in another way": after.mode != before.mode,
        "the text comes in another order": (after.top_k is None) != (before.top_k is None),
        "more text beside it": None not in (after.top_k, before.top_k)
        and after.top_k != before.top_k,
    }
    return "; ".join(words for words, true in prices.items() if true)


def change_cost(change: Change) -> str:
    """The calls and prompt tokens after a change."""
    calls = counted(change.calls, "call")
    return f"{calls} with {counted(change.prompt_tokens, 'prompt token')}"
