"""What a reply means: the model's reasoning apart, the answer in it, or why it is none.

Where reasoning arrives in the text, it is blocks at the very beginning: `<think>…</think>` under
its several names, a pair of marks such as `[THINK]…[/THINK]`, or harmony's channels, of which
`final` is the answer. A block that never ends was cut off in it, unless the reply ended by itself.
Templates that open the block in the prompt leave its end alone. Anything else is an answer, which
may speak of such marks.

This is how the documented behaviour reads. A mode may give its calls another reader, which gets the
reply as it came.
"""

import re
from collections.abc import Iterator
from contextlib import suppress
from io import StringIO
from typing import Any

from pydantic import BaseModel, StrictBool, ValidationError
from pydantic_core import from_json

from synth.errors import BadResponse
from synth.runs.llm import Completion, is_cut, is_whole
from synth.runs.steps import Call, Meaning

_FENCED = re.compile(r"```[a-zA-Z]*\s(.*)```", re.DOTALL)
_OPENED = re.compile(r"```[a-zA-Z]*\s")  # a fence, closed or not
_THOUGHT = "</think>"  # of reasoning that is not at the beginning of a reply


class _Cut(BaseModel):
    query_satisfied: StrictBool
    answer: str = ""


class _Refusal(BaseModel):
    query_satisfied: bool


def read_meaning(call: Call, completion: Completion) -> Meaning:
    """Read a reply; BadResponse for a wrong one, unless it was cut off after its verdict."""
    _, text = split_reasoning(completion.text, completion.finish_reason)
    if not text.strip() and (completion.reasoning or text != completion.text):
        where = ", cut off at the end of its room" if is_cut(completion.finish_reason) else ""
        raise BadResponse(
            f"no answer yet, the reply is reasoning alone{where}: raise the room for reasoning"
            " (reasoning_output), or lower its effort."
        )
    if call.schema is None:
        return Meaning(text)
    try:
        value = _read(call.schema, text)
    except ValidationError as problem:
        found = _as_far_as_it_came(call, completion, text) or _refusal(call, text)
        if found is None:
            raise BadResponse(explain(problem, completion, text)) from problem
        return found
    return meaning_of(call, value)


def meaning_of(call: Call, value: Any) -> Meaning:
    """Return what an object says that is of the form asked for."""
    if not call.filtered:
        return Meaning(value.model_dump_json())
    answer = value.answer if isinstance(value.answer, str) else value.answer.model_dump_json()
    return Meaning(answer, value.query_satisfied)


def find_object(text: str) -> str | None:
    """Return the text from the first brace to the last, as llama-index-core looks for an object."""
    begin, end = text.find("{"), text.rfind("}")
    return text[begin : end + 1] if 0 <= begin < end else None


def _read(schema: type[BaseModel], text: str) -> BaseModel:
    problem: ValidationError | None = None
    for candidate in _candidates(text):
        try:
            return schema.model_validate_json(candidate)
        except ValidationError as error:
            problem = problem or error
    assert problem is not None
    raise problem


def _candidates(text: str) -> Iterator[str]:
    after = text.rpartition(_THOUGHT)[2]
    for part in (text, after, *_FENCED.findall(after)):
        if (found := find_object(part)) is not None:
            yield found
        yield part


def _as_far_as_it_came(call: Call, completion: Completion, text: str) -> Meaning | None:
    if not call.takes_cut or not is_cut(completion.finish_reason):
        return None
    after = text.rpartition(_THOUGHT)[2]
    for start in (after, *_OPENED.split(after, maxsplit=1)[1:]):
        with suppress(ValueError):
            cut = _Cut.model_validate(from_json(start, allow_partial="trailing-strings"))
            if cut.answer.strip() or not cut.query_satisfied:
                note = "The reply was cut off at num_output: its answer is taken as far as it came."
                return Meaning(cut.answer, cut.query_satisfied, (note,))
    return None


def _refusal(call: Call, text: str) -> Meaning | None:
    if not call.filtered:
        return None
    with suppress(ValidationError):
        if not _Refusal.model_validate(_read(_Refusal, text)).query_satisfied:
            return Meaning("", satisfied=False)
    return None


def explain(problem: ValidationError, completion: Completion, text: str) -> str:
    """Say why a reply is not of the form asked for, and what to do."""
    begins = f"It begins {text[:80]!r}."
    if is_cut(completion.finish_reason):
        return (
            f"the reply was cut off after {len(text):,} characters, at the end of the"
            f" room for an answer, so its JSON is incomplete. {begins} Raise the answer length"
            " (num_output). If a reply fills that too, or is no JSON at all, take a model that can"
            " answer in JSON, or switch the form off."
        )
    first = problem.errors()[0]
    where = ".".join(map(str, first["loc"])) or "the whole"
    return (
        f"the reply is not of the form asked for (problems: {problem.error_count()};"
        f" {where}: {first['msg']}). {begins} Try a model that can answer in JSON, or switch the"
        " form off."
    )


_PAIRS = {
    "[think]": "[/think]",  # Magistral
    "◁think▷": "◁/think▷",  # Kimi
    "<|channel>thought": "<channel|>",  # Gemma 4
    "<|inner_prefix|>": "<|inner_suffix|>",  # Apertus
}
_PREFIX = r"(?:\w{1,20}[:|_])?"
_NAMES = rf"{_PREFIX}(?:think|thinking|thoughts?|reason|reasoning)"
_BLOCK = re.compile(
    r"(?:<\|start\|>\w{0,20})?<\|channel\|>(?P<channel>\w{1,20})[^<]{0,200}"
    r"(?:<\|constrain\|>\w{0,20})?<\|message\|>"
    rf"|<{_NAMES}(?:\s[^<>]{{0,60}})?>|{'|'.join(map(re.escape, _PAIRS))}",
    re.IGNORECASE,
)
_ANSWER_END = re.compile(r"<\|(?:end|return)\|>", re.IGNORECASE)
_MESSAGE_END = re.compile(r"<\|(?:end|return|call)\|>|(?=<\|(?:start|channel)\|>)")
_PAIR_END = "|".join(map(re.escape, _PAIRS.values()))
_BLOCK_END = re.compile(rf"</{_NAMES} ?>|{_PAIR_END}", re.IGNORECASE)
_HEADER_BEGUN = re.compile(r"(?:<\|start\|>\w{0,20})?(?:<\|channel\|>\w{0,20})?")
_BEFORE = re.compile(r"[\s\ufeff\u200b]*(?:<s>)?[\s\ufeff\u200b]*")  # the first block
_END_ALONE = rf"(?:</{_PREFIX}think>|{_PAIR_END})"
_LONE_END = re.compile(  # or what is quoted, in which none is
    r"```.*?(?:```|\Z)|`[^`\n]*`|\"[^\"\n]*\"|(?<!\w)'[^'\s]{1,40}'|[“„«][^“„«”»\n]*[”“»]|(?P<end>"
    rf"^[ \t]*(?:{_BLOCK_END.pattern})(?:[ \t]*$|(?=[\w{{*#]))"
    rf"|(?:(?<=\S){_END_ALONE}|{_END_ALONE}(?! (?-i:[a-z])|\s*\Z))(?![,.;:!?)]))",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)
_MOST_BLOCKS, _MOST_BLANKS, _MOST_HEADER = 100, 1_000, 300  # blanks and header in characters
_HELD, _MOST_TAG = 40, 100  # characters in which an end, or a tag, may have begun


class ReasoningStream:
    """Takes the pieces of a reply, and tells the answer from reasoning, also that `before`."""

    def __init__(self, before: str | None = None) -> None:
        self.has_reasoning = before is not None  # if only an empty block
        self._blocks = [] if before is None else [StringIO(before)]
        self._opening = ""  # of the last of them
        self._held = ""
        self._end: re.Pattern[str] | None = None  # of the block that is open
        self._has_begun = False  # whether the answer has
        self._closing: re.Pattern[str] | None = None  # of the mark around the answer

    @property
    def reasoning(self) -> str:
        """Return all that was thought, so far."""
        return "\n\n".join(block.getvalue() for block in self._blocks).strip()

    def take(self, piece: str) -> str:
        """Return what of the answer is certain with this piece."""
        self._held += piece
        while not self._has_begun and self._advances():
            pass
        certain = len(self._held) if self._has_begun else 0
        if self._closing is not None and (mark := self._held.rfind("<", -_HELD)) >= 0:
            certain = min(certain, mark)  # its end may have begun there
        answer, self._held = self._held[:certain], self._held[certain:]
        return self._without_closing(answer)

    def close(self, finish_reason: str | None = None) -> str:
        """Return the rest of the answer, once the reply has ended, which the reason says how."""
        held, self._held = self._held, ""
        if self._end is not None:
            self._blocks[-1].write(held)
            if self._end is _MESSAGE_END or not is_whole(finish_reason):
                return ""
            held = self._opening + self._blocks.pop().getvalue()
            self.has_reasoning = bool(self._blocks)
        elif self.has_reasoning and not self._has_begun:
            held = "" if _HEADER_BEGUN.fullmatch(held.strip()) else held.lstrip()
        return self._without_closing(held)

    def _without_closing(self, answer: str) -> str:
        if self._closing is not None:
            answer, found = self._closing.subn("", answer, count=1)
            self._closing = None if found else self._closing
        return answer

    def _advances(self) -> bool:
        if self._end is not None:
            return self._block_ends(self._end)
        begun = self._held.lstrip() if self.has_reasoning else _BEFORE.sub("", self._held, count=1)
        may_open = self._closing is None and len(self._blocks) < _MOST_BLOCKS
        opening = _BLOCK.match(begun) if may_open else None
        if len(self._held) - len(begun) > _MOST_BLANKS:
            self._has_begun = True
        elif opening is not None:
            self._held = begun[opening.end() :]
            self._open(opening)
        elif not _may_open(begun):
            self._has_begun = True
            self._held = begun if self.has_reasoning else self._held
        else:
            return False
        return True

    def _open(self, opening: re.Match[str]) -> None:
        if (opening["channel"] or "").lower() == "final":
            self._closing = _ANSWER_END
            return
        self.has_reasoning = True
        self._blocks.append(StringIO())
        self._opening = opening[0]
        self._end = _MESSAGE_END if opening["channel"] else _BLOCK_END

    def _block_ends(self, end: re.Pattern[str]) -> bool:
        found = end.search(self._held)
        kept = found.start() if found else max(0, len(self._held) - _HELD)
        self._blocks[-1].write(self._held[:kept])
        self._held = self._held[found.end() if found else kept :]
        self._end = None if found else end
        return found is not None


def _may_open(begun: str) -> bool:
    if begun.startswith(("<|start|>", "<|channel|>")):
        return len(begun) < _MOST_HEADER and "<|message|>" not in begun
    if any(mark.startswith(begun[:_HELD].lower()) for mark in _PAIRS):
        return True
    return begun[0] == "<" and ">" not in begun and len(begun) <= _MOST_TAG


def split_reasoning(text: str, finish_reason: str | None = None) -> tuple[str, str]:
    """Return what a whole reply says of the model's reasoning, and its answer without that."""
    stream = ReasoningStream()
    answer = stream.take(text) + stream.close(finish_reason)
    if stream.has_reasoning or answer != text:
        return stream.reasoning, answer
    end = next((found for found in _LONE_END.finditer(text) if found["end"]), None)
    if end is None or _BLOCK.search(text, 0, end.start()):
        return "", text
    stream = ReasoningStream(text[: end.start()])
    answer = stream.take(text[end.end() :]) + stream.close(finish_reason)
    return stream.reasoning, answer
