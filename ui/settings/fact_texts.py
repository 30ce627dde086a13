"""The facts that an answer should hold, as a person types them: one text for each question."""

from __future__ import annotations

from functools import cache

from synth.quality import Fact, read_facts, shipped_questions
from ui.session import keys, workspace


def text_of(question: str) -> str:
    """The facts of a question, one a line; those of our own questions until they are edited."""
    typed: dict[str, str] = workspace.current().values.get(keys.FACTS, {})
    return typed.get(question, _shipped().get(question, ""))


def store(question: str, text: str) -> None:
    """Remember the facts of a question in the workspace."""
    values = workspace.current().values
    values[keys.FACTS] = values.get(keys.FACTS, {}) | {question: text}


def facts_of(question: str) -> tuple[tuple[Fact, ...], str]:
    """The facts of a question, and why some of its lines are none; "" if all are."""
    facts: list[Fact] = []
    problems = []
    for line in text_of(question).splitlines():
        try:
            facts += read_facts(line)
        except ValueError as problem:
            problems.append(str(problem))
    return tuple(dict.fromkeys(facts)), " ".join(problems)


@cache
def _shipped() -> dict[str, str]:
    return {
        asked.question: "\n".join(fact.line for fact in asked.facts)
        for asked in shipped_questions()
    }
