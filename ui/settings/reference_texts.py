"""The reference answers that a person types, one for each question; none are shipped."""

from __future__ import annotations

from ui.session import keys, workspace


def text_of(question: str) -> str:
    """The reference answer of a question; "" if it has none."""
    typed: dict[str, str] = workspace.current().values.get(keys.REFERENCES, {})
    return typed.get(question, "")


def store(question: str, text: str) -> None:
    """Remember the reference answer of a question in the workspace; a blank one is forgotten."""
    values = workspace.current().values
    typed = values.get(keys.REFERENCES, {}) | {question: text}
    values[keys.REFERENCES] = {one: answer for one, answer in typed.items() if answer.strip()}
