"""The left column of the Playground: the question, the chunks, the mode and its templates."""

from __future__ import annotations

from ui.controls import chunks, modes, questions, templates
from ui.session import parts


def draw_inputs() -> None:
    """Draw all inputs of the Playground but those in the sidebar."""
    questions.draw()
    chunks.draw()
    modes.draw()
    parts.part("templates", templates.checked_templates, templates.draw)
