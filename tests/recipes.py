"""Recipes and requests for tests: what a test doesn't name has the values here."""

from typing import Any

from synth.modes.registry import MODES
from synth.prompts.templates import DEFAULTS
from ui.settings.request import Model, Request


def recipe_values(mode: str) -> dict[str, Any]:
    """The fields of a recipe but for its mode, question, chunks and window, which tests name."""
    templates = ((name, DEFAULTS[name].template) for name in MODES[mode].templates)
    return {
        "behaviour": "documented",
        "num_output": 60,
        "chunk_overlap_ratio": 0.1,
        "chunk_size_limit": None,
        "response_padding_size": None,
        "tokenizer": "cl100k_base",
        "structured_answer_filtering": False,
        "templates": tuple((name, (("user", text),)) for name, text in templates),
        "variables": (),
    }


def make_request(
    mode: str, query_str: str, text_chunks: tuple[str, ...], context_window: int, **changed: Any
) -> Request:
    """A request to the offline model with all of these chunks, in their order."""
    values = recipe_values(mode) | {
        "positions": tuple(range(len(text_chunks))),
        "scores": (None,) * len(text_chunks),
        "model": Model(),
    }
    return Request(
        mode=mode,
        query_str=query_str,
        text_chunks=text_chunks,
        context_window=context_window,
        **values | changed,
    )
