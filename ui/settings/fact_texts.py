"""What is expected of an answer, as typed: facts that it holds, an answer known to be right."""

from functools import cache

from synth.quality import Fact, read_facts, shipped_questions
from synth.quality.facts import MOST_FACTS
from ui.session import keys, workspace
from ui.settings import question_set


def text_of(question: str) -> str:
    """The facts of a question, one a line: until they are typed, those of the set or our own."""
    if question in (typed := _typed()):
        return typed[question]
    given = "\n".join(fact.line for fact in question_set.facts_of(question))
    return given or _shipped().get(question, "")


def store(question: str, text: str) -> None:
    """Remember the facts of a question in the workspace."""
    workspace.current().values[keys.FACTS] = _typed() | {question: text}


def facts_of(question: str) -> tuple[tuple[Fact, ...], str]:
    """The facts of a question, and why some of its lines are none; "" if all are."""
    if question not in _typed() and (given := question_set.facts_of(question)):
        return given, ""  # a line could not hold every fact of a file
    facts: list[Fact] = []
    problems = []
    lines = text_of(question).splitlines()
    if len(lines) > MOST_FACTS:
        problems.append(f"There are {len(lines):,} lines, and the first {MOST_FACTS} are read.")
    for line in lines[:MOST_FACTS]:
        try:
            facts += read_facts(line)
        except ValueError as problem:
            problems.append(str(problem))
    return tuple(dict.fromkeys(facts)), " ".join(problems)


def _typed() -> dict[str, str]:
    return workspace.value(keys.FACTS, {})


@cache
def _shipped() -> dict[str, str]:
    return {
        asked.question: "\n".join(fact.line for fact in asked.facts)
        for asked in shipped_questions()
    }


def reference_text_of(question: str) -> str:
    """The reference answer of a question; "" if it has none."""
    typed: dict[str, str] = workspace.value(keys.REFERENCES, {})
    return typed.get(question, "")


def store_reference(question: str, text: str) -> None:
    """Remember the reference answer of a question in the workspace; a blank one is forgotten."""
    values = workspace.current().values
    typed = values.get(keys.REFERENCES, {}) | {question: text}
    values[keys.REFERENCES] = {one: answer for one, answer in typed.items() if answer.strip()}
