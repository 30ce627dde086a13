"""Recipes and requests for tests: what a test doesn't name has the values here."""

from typing import Any

from synth.default_prompts import DEFAULTS
from synth.response_synthesizers.registry import MODES
from ui.request.request import Model, Request


def recipe_values(mode: str) -> dict[str, Any]:
    """The fields of a recipe but for its mode, question, chunks and window, which tests name."""
    templates = ((name, DEFAULTS[name].template) for name in MODES[mode].templates)
    return {
        "behaviour": "documented",
        "num_output": 60,
        "overlap": 0.1,
        "chunk_limit": None,
        "padding": None,
        "encoding": "cl100k_base",
        "filtering": False,
        "templates": tuple((name, (("user", text),)) for name, text in templates),
        "variables": (),
    }


def make_request(
    mode: str, query: str, chunks: tuple[str, ...], window: int, **changed: Any
) -> Request:
    """A request to the offline model with all of these chunks, in their order."""
    values = recipe_values(mode) | {
        "positions": tuple(range(len(chunks))),
        "scores": (None,) * len(chunks),
        "model": Model(),
    }
    return Request(mode=mode, query=query, chunks=chunks, window=window, **values | changed)
