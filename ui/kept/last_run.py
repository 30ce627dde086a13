"""The settings of a run for a workspace that was saved before the run began.

A server that is killed in the seconds between the two has saved the run, with all that it was
asked, but not the edits that led to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ui.controls import handover
from ui.request.request import Request
from ui.settings import state
from ui.settings.chunk_order import order

_CHUNKS = ("chunks", "selection")


def settings_of(request: Request, values: Mapping[str, Any]) -> dict[str, Any]:
    """The settings that make this request; chunks that give the same texts are left as they are."""
    settings = handover.settings_of(request, handover.RUN)
    settings |= handover.settings_of_model(request.model)
    if _sent({**values, "question": request.query}) == request.chunks:
        settings = {name: value for name, value in settings.items() if name not in _CHUNKS}
    return settings


def _sent(values: Mapping[str, Any]) -> tuple[str, ...]:
    def get(name: str) -> Any:
        return values.get(name, state.setting(name).default)

    chunks = get("chunks")
    ranked = order(get("question"), chunks, get)
    return tuple(chunks[position].text for position in ranked.positions[: ranked.sent])
