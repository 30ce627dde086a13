"""The smallest change of the settings of a page under which a fact is sent."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from synth.quality import Change, Choice, Fact, smallest_changes
from synth.quality.smallest_change import MOST_SEARCHED
from synth.runs.trace import Plan
from synth.words.change_words import modes_like
from ui.session import workspace
from ui.settings.request import Request
from ui.settings.schema import Settings


def changes_for(fact: Fact, settings: Settings) -> tuple[Change, ...] | None:
    """The changes of these settings under which the fact is sent, the smallest first.

    From memory if they were searched before; None for chunks that take too long to plan often.
    """
    request = Request.of(settings)
    chunks = [chunk for chunk in settings.chunks if chunk.on]
    if sum(len(chunk.text) for chunk in chunks) > MOST_SEARCHED:
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
        return smallest_changes(fact, choice, plans_of, modes_like(request.mode), len(chunks))

    key = (fact, request, settings.chunks)
    return workspace.current().remembered("smallest changes", key, search)


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
