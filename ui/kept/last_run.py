"""The settings of a run for a workspace that was saved before the run began.

A server that is killed in the seconds between the two has saved the run, with all that it was
asked, but not the edits that led to it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from ui.controls import handover
from ui.history.saved_run import SavedRun
from ui.request.request import Request
from ui.settings import state


def caught_up(values: Mapping[str, Any], run: SavedRun) -> tuple[dict[str, Any], SavedRun]:
    """The values with the settings that make the run's request, and the run.

    The chunk list is kept if the run was sent chunks of it. Else the run's chunks are the list, in
    the order in which they were sent, and the request of the run says so.
    """
    request = run.request
    settings = handover.settings_of(request, handover.RUN)
    settings |= handover.settings_of_model(request.model)
    if _sends(values, request):
        del settings["chunks"]
        if any(score is not None for score in request.scores):
            settings |= {"selection": "top", "top_k": len(request.chunks)}
    else:
        count = len(request.chunks)
        request = replace(request, positions=tuple(range(count)), scores=(None,) * count)
    return {**values, **settings}, replace(run, request=request)


def _sends(values: Mapping[str, Any], request: Request) -> bool:
    """Whether the chunks of these values are those of the request, in all its places."""
    chunks = values.get("chunks", state.setting("chunks").default)
    on = {position: chunk.text for position, chunk in enumerate(chunks) if chunk.on}
    if tuple(on.get(position) for position in request.positions) != request.chunks:
        return False
    return any(score is not None for score in request.scores) or len(on) == len(request.chunks)
