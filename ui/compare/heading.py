"""What all columns are asked, in one line."""

from __future__ import annotations

from synth.wording import counted, ranged
from ui.compare.lineup import Lineup
from ui.look.escape import escape, short
from ui.request.request import Model
from ui.settings import state
from ui.settings.chunk_order import token_counts

_LONGEST = 110  # characters of a question


def heading_html(shown: Lineup) -> str:
    """The question, chunks, tokens, window and model; where columns differ, from least to most."""
    question = shown.questions[0]
    if len(shown.questions) > 1:
        question = counted(len(shown.questions), "question")
    asked = short(question, _LONGEST) or "No question"
    about = " · ".join(_about(shown))
    muted = f'<span class="muted">· {escape(about)}</span>'
    return f'<div class="num"><b>{escape(asked)}</b> {muted}</div>'


def _about(shown: Lineup) -> list[str]:
    requests = list(shown.requests.values())
    each = token_counts(state.get("chunks"), state.get("encoding"))
    tokens = [sum(each[slot] for slot in request.positions) for request in requests]
    models = list(dict.fromkeys(_model(request.model) for request in requests))
    return [
        _span([len(request.chunks) for request in requests], "chunk"),
        _span(tokens, "token"),
        f"window {_span([request.window for request in requests])}",
        models[0] if len(models) == 1 else counted(len(models), "model"),
    ]


def _model(model: Model) -> str:
    if model.free:
        return "offline model"
    return model.name or "no model chosen"


def _span(values: list[int], noun: str = "") -> str:
    return ranged(min(values), max(values), noun)
