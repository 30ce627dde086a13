"""What is expected of answers: the set of questions that Compare asks, and facts that are typed."""

from collections.abc import Sequence
from functools import cache, lru_cache

import streamlit as st

from synth.errors import QuestionSetError
from synth.quality import (
    Check,
    Fact,
    Question,
    read_facts,
    read_questions,
    shipped_questions,
    write_questions,
)
from synth.quality.facts import MOST_FACTS
from ui.session import keys, workspace
from ui.settings import state


def questions() -> tuple[Question, ...]:
    """Return the questions of the set; none without a set, or if it can't be read."""
    text: str | None = workspace.value(keys.QUESTION_SET, None)
    try:
        return _read(text) if text else ()
    except QuestionSetError as problem:
        st.session_state[keys.SET_PROBLEM] = str(problem)
        return ()


def take(name: str, data: bytes | str) -> None:
    """Keep the set of this file, in the place of another; QuestionSetError if it can't be asked."""
    keep(_require_one_list(read_questions(name, data)))


def find_shipped() -> tuple[Question, ...]:
    """Return our own questions on the chunks of the page; none if these are not a sample's."""
    chunks = tuple(chunk.text for chunk in state.current().chunks)
    return tuple(
        Question(one.question, facts=one.facts)
        for one in shipped_questions()
        if one.chunks == chunks
    )


def keep(found: Sequence[Question]) -> None:
    """Keep a set; facts that were typed for one of its questions go, so that its own count."""
    state.set_workspace_value(keys.QUESTION_SET, write_questions(found))
    asked = {question.query for question in found}
    workspace.current().values[keys.FACTS] = {
        query: text for query, text in _typed().items() if query not in asked
    }


def check_set(text: str) -> str:
    """Return the JSON lines of a saved set, from outside; ValueError if they are none."""
    try:
        return write_questions(_require_one_list(_read(text)))
    except QuestionSetError as problem:
        raise ValueError(str(problem)) from problem


def _require_one_list(found: tuple[Question, ...]) -> tuple[Question, ...]:
    """Return the set; QuestionSetError for a question with two lists of facts."""
    facts: dict[str, tuple[Fact, ...]] = {}
    for question in found:
        if facts.setdefault(question.query, question.facts) != question.facts:
            raise QuestionSetError(
                f"The question {question.query!r} stands in it twice, with different facts: give"
                " both the same facts."
            )
    return found


@lru_cache(maxsize=8)
def _read(text: str) -> tuple[Question, ...]:
    return read_questions("the saved set.jsonl", text)


def facts_text_of(question: str) -> str:
    """Return the facts of a question, one a line: until some are typed, the set's or our own."""
    return _typed().get(question, _given_text(question))


def _given_text(question: str) -> str:
    lines = "\n".join(fact.line for fact in _facts_in_set(question))
    return lines or _shipped_facts().get(question, "")


def first_typed(question: str) -> str:
    """Return the first fact that was typed for a question; "" without one."""
    lines = (line.lstrip(" *") for line in _typed().get(question, "").splitlines())
    return next((line for line in lines if line and not _is_rubric(line)), "")


def follow_fact(question: str, typed: str) -> None:
    """Keep the fact that is followed, among those of its question, in the place of the one before.

    It is a must where others are. One that stands there already stays as it is.
    """
    values = workspace.current().values
    before = values.get(keys.EXPECTED) if values.get(keys.EXPECTED_OF) == question else None
    text, given = facts_text_of(question), _given_text(question).splitlines()
    lines = [line for line in text.splitlines() if line in given or line.lstrip("* ") != before]
    wordings = {part.strip(" *") for line in lines for part in line.split("|")}
    if typed.strip() not in wordings | {""}:
        is_must = any(line.startswith("*") for line in lines)
        lines.append(f"* {typed}" if is_must else typed)
    if lines != text.splitlines():
        store_facts(question, "\n".join(lines))
    state.set_workspace_value(keys.EXPECTED_OF, question)
    state.set_workspace_value(keys.EXPECTED, typed)


def store_facts(question: str, text: str) -> None:
    """Remember the facts of a question in the workspace."""
    workspace.current().values[keys.FACTS] = _typed() | {question: text}


def facts_of(question: str) -> tuple[tuple[Fact, ...], str]:
    """Return the facts of a question, and why some of its lines are none; "" if all are."""
    if question not in _typed() and (given := _facts_in_set(question)):
        return given, ""  # a line could not hold every fact of a file
    facts: list[Fact] = []
    problems = []
    lines = [line for line in facts_text_of(question).splitlines() if not _is_rubric(line)]
    if len(lines) > MOST_FACTS:
        problems.append(f"There are {len(lines):,} lines, and the first {MOST_FACTS} are read.")
    for line in lines[:MOST_FACTS]:
        try:
            facts += read_facts(line)
        except ValueError as problem:
            problems.append(str(problem))
    return tuple(dict.fromkeys(facts)), " ".join(problems)


def rubrics_of(question: str) -> list[Check]:
    """Return the rubrics that were typed among the facts of a question, each after its name."""
    lines = filter(_is_rubric, _typed().get(question, "").splitlines()[:MOST_FACTS])
    return [Check("rubric", text) for line in lines if (text := line.partition(":")[2].strip())]


def _is_rubric(line: str) -> bool:
    return line.strip().startswith("rubric:")


def _facts_in_set(query: str) -> tuple[Fact, ...]:
    return next((asked.facts for asked in questions() if asked.query == query), ())


def _typed() -> dict[str, str]:
    return workspace.value(keys.FACTS, {})


@cache
def _shipped_facts() -> dict[str, str]:
    return {
        asked.question: "\n".join(fact.line for fact in asked.facts)
        for asked in shipped_questions()
    }
