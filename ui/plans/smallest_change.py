"""The smallest change of the settings under which a fact is sent, in the words of the page."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from synth.modes.registry import MODES, mode_facts
from synth.quality import Change, Choice, Fact, smallest_changes
from synth.runs.trace import Plan
from synth.text.wording import counted
from ui.session import workspace
from ui.settings.request import Request
from ui.settings.schema import Settings
from ui.settings.setting_words import said, words

_SEARCHED = 200_000  # characters of chunks, with which a search takes more than a second


def changes_for(fact: Fact, settings: Settings) -> tuple[Change, ...] | None:
    """The changes of these settings under which the fact is sent, the smallest first.

    From memory if they were searched before; None for chunks that take too long to plan often.
    """
    request = Request.of(settings)
    chunks = [chunk for chunk in settings.chunks if chunk.on]
    if sum(len(chunk.text) for chunk in chunks) > _SEARCHED:
        return None

    def plans_of(choice: Choice) -> Sequence[Plan]:
        changed = _settings_of(choice)
        trial = Request.of(settings.with_(changed))
        synthesizer = trial.synthesizer()
        values: dict[str, Any] = dict(trial.variables)
        if not synthesizer.plannable:
            return ()
        plan = synthesizer.plan
        return [
            plan(trial.query_str, trial.text_chunks, tokens, **values)
            for tokens in (0, trial.num_output)
        ]

    def search() -> tuple[Change, ...]:
        choice = Choice(
            request.mode,
            request.context_window,
            request.num_output,
            request.chunk_overlap_ratio,
            None if settings.selection == "all" else len(request.text_chunks),
        )
        return smallest_changes(fact, choice, plans_of, _modes_like(request.mode), len(chunks))

    key = (fact, request, settings.chunks)
    return workspace.current().remembered("smallest changes", key, search)


def _modes_like(mode: str) -> list[str]:
    """The modes that answer in the same form; all, for a mode that gives no answer."""
    form = mode_facts(mode).response_source
    same = [name for name in MODES if mode_facts(name).response_source == form]
    return same if len(same) > 1 else list(MODES)


def _settings_of(choice: Choice) -> dict[str, Any]:
    """A choice as the settings of the page."""
    limits = asdict(choice)
    if choice.similarity_top_k is None:
        del limits["similarity_top_k"]
        return limits | {"selection": "all"}
    return limits | {"selection": "top"}


def changed_settings(change: Change) -> dict[str, Any]:
    """The settings that a change changes."""
    before, after = _settings_of(change.before), _settings_of(change.after)
    return {name: value for name, value in after.items() if value != before.get(name)}


def change_words(change: Change) -> str:
    """A change in words, such as "window 1,024 → 1,081"."""
    before, after = _settings_of(change.before), _settings_of(change.after)
    parts = [
        f"{words(name)} {said(name, before[name])} → {said(name, value)}"
        for name, value in after.items()
        if name != "selection" and name in before and value != before[name]
    ]
    if after["selection"] != before["selection"]:
        every = after["selection"] == "all"
        parts.append("all chunks, in order" if every else "the best chunks first")
    return ", ".join(parts)


def change_price(change: Change) -> str:
    """What a change costs besides calls and tokens, or what it may do to answers."""
    before, after = change.before, change.after
    prices = {
        "the model must have that window": after.context_window != before.context_window,
        "answers may be cut off": after.num_output < before.num_output,
        "text goes out twice": after.chunk_overlap_ratio > before.chunk_overlap_ratio,
        "text may be cut elsewhere": after.chunk_overlap_ratio < before.chunk_overlap_ratio,
        "the answer is made in another way": after.mode != before.mode,
        "the text comes in another order": (after.similarity_top_k is None)
        != (before.similarity_top_k is None),
        "more text beside it": None not in (after.similarity_top_k, before.similarity_top_k)
        and after.similarity_top_k != before.similarity_top_k,
    }
    return "; ".join(words for words, true in prices.items() if true)


def change_cost(change: Change) -> str:
    """The calls and prompt tokens after a change."""
    calls = counted(change.calls, "call")
    return f"{calls} with {counted(change.prompt_tokens, 'prompt token')}"
