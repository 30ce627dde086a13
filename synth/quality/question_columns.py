"""What the columns of a question mean, by the names that they have in products of the field.

Case, spaces and signs of a name count for nothing: "Expected Answer", expectedAnswer and
expected_answer are one.
"""

import json
from ast import literal_eval
from collections.abc import Collection, Iterable, Mapping
from typing import Any

from synth.documents.json_documents import plain
from synth.errors import QuestionSetError
from synth.quality.checks import Check
from synth.quality.facts import BETWEEN_WORDINGS, MOST_WORDINGS, Fact
from synth.quality.plain_values import quote_json
from synth.quality.words import Words

QUERIES = ("query", "question", "querystr", "input", "userinput", "prompt")
CONTEXTS = (
    *("chunks", "retrievedcontexts", "retrievalcontext", "contexts", "referencecontexts"),
    "context",
)
TRUTHS = (
    *("groundtruth", "groundtruths", "reference", "referenceanswer", "expectedanswer"),
    *("expectedoutput", "expectedresponse", "expected", "ideal", "correctanswer", "answers"),
    "answer",
)
"""The first is taken: an `answer` beside another of these is what a model said."""

FILE = "file://"
_LONGEST, _MOST_WORDS = 200, 5  # of an answer that is found by its words, as in Natural Questions


def find_column(columns: Iterable[str], names: Collection[str]) -> str | None:
    """Find the column with the first of these plain names."""
    by_name = {plain(column): column for column in columns}
    return next((by_name[name] for name in names if name in by_name), None)


def take_query(columns: dict[str, Any]) -> str:
    """Take the question out of the columns; QuestionSetError where none is one.

    It is named as in `QUERIES`, or is the only one whose name ends like these, or the only one
    beside those that hold chunks and answers. It may be the last of several messages.
    """
    rest = [name for name in columns if plain(name) not in (*CONTEXTS, *TRUTHS)]
    alike = [name for name in rest if plain(name).endswith(("question", "query"))] or rest
    name = find_column(columns, QUERIES) or (alike[0] if len(alike) == 1 else None)
    if name is None:
        names = ", ".join(columns) or "(there are none)"
        raise QuestionSetError(f"None of the columns {names} is the question: name it query.")
    match value := columns.pop(name):
        case [*_, {"role": "user", "content": str(query)}]:
            return query
        case str() if value.startswith(FILE):
            raise QuestionSetError(f"{name} names a file: put its text there.")
        case str() | int() | float():
            return str(value)
    raise QuestionSetError(f"{name}: give a string, and not {quote_json(value)}.")


def read_texts(value: object) -> tuple[str, ...]:
    """Read one text or several: a list, also as a cell has it, or objects with a text each."""
    match value:
        case str() if value.lstrip().startswith("["):
            return read_texts(_read_cell(value)) or (value,)
        case str():
            return (value,) if value.strip() else ()
        case list():
            several = ((each,) if isinstance(each, str) else read_texts(each) for each in value)
            return tuple(text for texts in several for text in texts)
        case Mapping():
            return read_texts(value.get("text"))
        case int() | float():
            return (str(value),)
        case _:
            return ()


def _read_cell(cell: str) -> object:
    """Read a list as JSON or Python writes it; None for a text that only begins like one."""
    for read in (json.loads, literal_eval):
        try:
            return read(cell)
        except (ValueError, SyntaxError, RecursionError, MemoryError):
            continue
    return None


def compare_with(truths: tuple[str, ...]) -> Fact | Check | None:
    """Make what an answer is compared with of its ground truth, in one or several wordings.

    Short ones are a fact, found by their words; of longer ones a model judges whether an answer
    says the same. None where there is no word in them.
    """
    truths = tuple(dict.fromkeys(text for text in truths if any(map(str.isalnum, text))))
    if not truths:
        return None
    if len(truths) <= MOST_WORDINGS and all(map(_is_short, truths)):
        first, *others = (" ".join(text.split()) for text in truths)
        return Fact(first, tuple(others))
    if len(truths) == 1:
        return Check("rubric", f"It says what this reference answer says: {truths[0]}")
    answers = "\n".join(f"- {text}" for text in truths)
    return Check("rubric", f"It says what one of these reference answers says:\n{answers}")


def _is_short(text: str) -> bool:
    count = len(Words(text).words)
    is_sentence = count > 1 and text.rstrip().endswith((".", "!", "。"))
    is_line = len(text) <= _LONGEST and BETWEEN_WORDINGS not in text
    return is_line and not is_sentence and count <= _MOST_WORDS
