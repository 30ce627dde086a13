"""The plan of a request: from short answers to long ones, made once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from synth.bounds import Bounds
from synth.errors import SynthError
from synth.trace import Plan
from ui.request.request import Request
from ui.session import workspace


@dataclass(frozen=True)
class Outlook:
    """What a run would be with short answers and with answers of num_output tokens.

    `bounds` hold for every answer, also between the two and of other words. `refused` says
    why there is no plan at all.
    """

    low: Plan | None = None
    high: Plan | None = None
    bounds: Bounds | None = None
    refused: str | None = None


def outlook(request: Request, answer_tokens: int | None = None) -> Outlook:
    """The outlook of a request, from memory where nothing that it depends on has changed.

    With `answer_tokens` every answer has that many, and both plans are one.
    """
    least, most = request.answers if answer_tokens is None else (answer_tokens, answer_tokens)
    key = (request, least, most)
    return workspace.current().remembered("outlook", key, lambda: _look_ahead(request, least, most))


def _look_ahead(request: Request, least: int, most: int) -> Outlook:
    try:
        synthesizer = request.synthesizer()
        if not synthesizer.plannable:
            return Outlook()
        values: dict[str, Any] = dict(request.variables)
        low, high = (
            synthesizer.plan(request.query, request.chunks, answer_tokens=tokens, **values)
            for tokens in (least, most)
        )
        bounds = synthesizer.bounds(request.query, request.chunks, **values)
    except SynthError as error:
        return Outlook(refused=str(error))
    return Outlook(low, high, bounds)
