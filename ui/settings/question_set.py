"""The set of questions that the columns of Compare are asked, kept as its JSON lines."""

from __future__ import annotations

from functools import lru_cache

from synth.errors import QuestionSetError
from synth.quality import Fact, Question, QuestionSet, read_questions, write_questions
from synth.wording import counted
from ui.session import keys, workspace


def questions() -> tuple[Question, ...]:
    """The questions of the set; none without a set."""
    text: str | None = workspace.current().values.get(keys.QUESTION_SET)
    return _read(text).questions if text else ()


def facts_of(query: str) -> tuple[Fact, ...]:
    """The facts that the set wants in the answer to a question; none if it has no such question."""
    return next((asked.facts for asked in questions() if asked.query == query), ())


def take(name: str, data: bytes | str) -> None:
    """Keep the set of this file in the workspace, in the place of another one.

    Facts that were typed for one of its questions go, so that those of the file count.
    QuestionSetError for a file that can't be read, and for a set that the columns can't be asked.
    """
    found = read_questions(name, data)
    require_shared_chunks(found)
    values = workspace.current().values
    values[keys.QUESTION_SET] = write_questions(found)
    asked = {question.query for question in found.questions}
    typed: dict[str, str] = values.get(keys.FACTS, {})
    values[keys.FACTS] = {query: text for query, text in typed.items() if query not in asked}


def remove() -> None:
    """Forget the set."""
    workspace.current().values.pop(keys.QUESTION_SET, None)


def checked(text: str) -> str:
    """The JSON lines of a saved set, which come from outside; ValueError if they are none."""
    try:
        require_shared_chunks(_read(text))
    except QuestionSetError as problem:
        raise ValueError(str(problem)) from problem
    return text


def require_shared_chunks(found: QuestionSet) -> None:
    """QuestionSetError for a set whose questions can't be told apart by what they ask of the page.

    All columns read the chunks of the page, and the facts of a question are found by its text.
    """
    own = sum(question.chunks is not None for question in found.questions)
    if own:
        raise QuestionSetError(
            f"{own:,} of its {counted(len(found.questions), 'question')} come with chunks of their"
            " own, and the columns of Compare all read the chunks of the Playground. Take the"
            " chunks (in promptfoo's files: context) out of the file, and put them there."
        )
    facts: dict[str, tuple[Fact, ...]] = {}
    for question in found.questions:
        if facts.setdefault(question.query, question.facts) != question.facts:
            raise QuestionSetError(
                f"The question {question.query!r} stands in it twice, with different facts: give"
                " both the same facts."
            )


@lru_cache(maxsize=32)
def _read(text: str) -> QuestionSet:
    return read_questions("the saved set.jsonl", text)
