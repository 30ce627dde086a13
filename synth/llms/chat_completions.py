"""OpenAI's chat completions, which most servers speak, each with words and gaps of its own.

The answer length goes out under one name, since some refuse both at once. OpenAI's newer models
refuse `max_tokens`, so its own host gets `max_completion_tokens`. Mistral's API refuses that one
(HTTP 422, extra_forbidden), and these ignore it without a word: Ollama (ollama/ollama#7125),
llama-cpp-python (#1907), llamafile (#701), Ray Serve (ray#53922), llama.cpp before February 2026
(ggml-org/llama.cpp#19831). All of them read `max_tokens`, as do vLLM and LM Studio, so every other
host gets that; one that refuses it, as Azure does for OpenAI's newer models, gets the other name.

Reasoning comes in `reasoning_content` (DeepSeek, vLLM, llama.cpp), in `reasoning` (OpenRouter,
Groq), or as a part of the content (Mistral). Each server has a name of its own for cached tokens.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from io import StringIO
from typing import Any

from pydantic import BaseModel

from synth.errors import BadResponse, extra
from synth.llms.complaints import CODES, NO_ANSWER, PHRASES, Complaint, RequestFacts, value_at
from synth.prompts.prompt import Message
from synth.runs.llm import Completion, is_cut, is_known
from synth.text.wording import make_utf8

PATH = "/chat/completions"
DEFAULT_MODEL = "gpt-4.1-mini"
DONE = "[DONE]"
"""The data of the event that ends a stream."""

_LENGTHS = ["max_tokens", "max_completion_tokens"]
_SCHEMA, _JSON = "json_schema", "json_object"
_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
_NOTES = {
    "temperature": "{model} takes no temperature: sent without.",
    "seed": "{model} takes no seed: sent without.",
    "reasoning_effort": "{model} takes no reasoning_effort: sent without.",
    _SCHEMA: "{model} takes no JSON schema: asked for JSON of any form.",
    _JSON: "{model} has no JSON mode: only the prompt says what to answer.",
}
_DISPENSABLE = {*_LENGTHS, "temperature", "seed", "reasoning_effort", "stream_options", "stream"}
_SENTENCE = re.compile(r"(?<=[.!?])\s")
# As OpenAI, vLLM and Moonshot, DeepSeek, Anthropic, and llama.cpp say it.
_CACHED = ("cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens", "cache_n")
_WRITTEN = ("cache_write_tokens", "cache_creation_input_tokens")
_TEXTS = ("text", "output_text")
_THOUGHTS = ("thinking", "reasoning")
_INNER = ("text", "thinking", "summary", "reasoning", "content")
_UNCOUNTED = "The server gave no usable count of its tokens: those here are counted here."
_MOST_TOKENS = 10**12  # the largest token count that a server may report


@dataclass(frozen=True)
class CallRequest:
    """What a call asks; `arguments` are further ones by the names that the API has for them."""

    facts: RequestFacts
    messages: tuple[Message, ...]
    arguments: Mapping[str, Any]
    schema: type[BaseModel] | None
    streamed: bool


@dataclass(frozen=True)
class Usage:
    """What a server counted, in tokens; None where it did not say, or said what can't be so.

    `cached` is the part of the prompt that it had read before, `written` that which it remembers at
    a price, `reasoning` the part of the output which is no answer.
    """

    prompt: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None
    written: int | None = None


@dataclass(frozen=True)
class Piece:
    """What a reply, or an event of a streamed one, says.

    `is_answer` is false where it holds no part of an answer, as in the event that brings the
    usage. `other` names what came in place of a text, such as "a call of a tool", and `error` is
    what is wrong there.
    """

    is_answer: bool = True
    text: str = ""
    reasoning: str = ""
    refusal: str = ""
    other: str = ""
    finish_reason: str | None = None
    usage: Usage | None = None
    error: object = None


FIXED_FIELDS = frozenset(("model", "messages", "stream", *_LENGTHS))
"""What a request says by itself: no further argument takes its place."""


def write_body(request: CallRequest, refused: Set[str]) -> dict[str, Any]:
    """Return what is posted for a call, without the arguments that this server refused."""
    facts = request.facts
    names = _LENGTHS[::-1] if facts.endpoint.host.endswith(".openai.com") else _LENGTHS
    body: dict[str, Any] = {
        "model": facts.model,
        "messages": [
            {"role": message.role, "content": make_utf8(message.content)}
            for message in request.messages
        ],
        next(name for name in names if name not in refused): facts.num_output,
    }
    further = dict(request.arguments) | (_STREAMED if request.streamed else {})
    left_out = refused | ({"stream_options"} if "stream" in refused else set())
    body |= {name: value for name, value in further.items() if name not in left_out}
    if request.schema is not None and _JSON not in refused:
        is_plain = _SCHEMA in refused
        body["response_format"] = {"type": _JSON} if is_plain else _form(request.schema)
    return body


def find_refused(complaint: Complaint, sent: Mapping[str, Any], refused: Set[str]) -> str | None:
    """Return the further argument that a server refused, if a request can do without it."""
    if complaint.kind != "refused":
        return None
    form: str | None = sent.get("response_format", {}).get("type")
    if form and PHRASES["form"].search(f"{complaint.parameter} {complaint.message}"):
        return form
    sentences = [complaint.message]
    if complaint.codes.isdisjoint(CODES["unknown"]):
        if PHRASES["range"].search(complaint.message):
            return None
        every = _SENTENCE.split(complaint.message)
        sentences = [text for text in every if PHRASES["unknown"].search(text)]
    names = _names(complaint.parameter, *sentences) if sentences else ()
    name = next((name for name in names if name in _DISPENSABLE and name in sent), None)
    is_needed = name in _LENGTHS and not refused.isdisjoint(_LENGTHS)  # the other went first
    return None if is_needed else name


def note_refused(request: CallRequest, refused: Set[str]) -> tuple[str, ...]:
    """Return what the reader of an answer should know about arguments that were not sent."""
    asked = {*request.arguments, *((_SCHEMA, _JSON) if request.schema else ())}
    left_out = [note for name, note in _NOTES.items() if name in refused & asked]
    return tuple(note.format(model=request.facts.model) for note in left_out)


def read_piece(data: Any) -> Piece | None:
    """Return what a reply or an event of this JSON says; None for what is none."""
    if not isinstance(data, dict):
        return None
    usage = _usage(data)
    choices = data.get("choices")
    if not isinstance(choices, list):
        return None if usage is None else Piece(is_answer=False, usage=usage)
    # One is asked for; a hostile server may send a million.
    choice = choices[0] if choices else None
    error = value_at(data, "x_groq", "error")
    if not isinstance(choice, dict):
        return Piece(is_answer=False, usage=usage, error=error)
    # Perplexity sends beside each delta the message so far.
    delta, whole = choice.get("delta"), choice.get("message")
    message = delta if isinstance(delta, dict) else whole if isinstance(whole, dict) else {}
    reason = choice.get("finish_reason")
    reason = reason.get("type") if isinstance(reason, dict) else reason
    text, reasoning, other = _content(message.get("content"))
    return Piece(
        text=text,
        reasoning=_text(message, "reasoning_content", "reasoning", "thinking") or reasoning,
        refusal=_text(message, "refusal"),
        other=other or ("a call of a tool" if message.get("tool_calls") else ""),
        finish_reason=None if reason in (None, "", "null", "None") else str(reason),
        usage=usage,
        error=choice.get("error") or error,
    )


def _names(*texts: str) -> Iterator[str]:
    """Yield the words as names of arguments: xAI writes reasoningEffort, Ollama thinking."""
    for word in re.findall(r"\w+", " ".join(texts)):
        name = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", word).lower()
        yield "reasoning_effort" if name in ("think", "thinking") else name


def _form(schema: type[BaseModel]) -> dict[str, Any]:
    with extra("openai"):
        from openai import pydantic_function_tool  # noqa: PLC0415  slow to import

    name = re.sub(r"\W", "_", schema.__name__, flags=re.ASCII)[:64]
    strict = pydantic_function_tool(schema)["function"]["parameters"]
    return {"type": _SCHEMA, _SCHEMA: {"name": name, "schema": strict, "strict": True}}


def _text(values: Mapping[str, Any], *names: str) -> str:
    texts = (values.get(name) for name in names)
    return next((text for text in texts if isinstance(text, str) and text), "")


def _content(content: Any) -> tuple[str, str, str]:
    """Return the text of a content, the reasoning in it, and what it is where it is no text."""
    if not content:
        return "", "", ""
    if isinstance(content, str):
        return content, "", ""
    text, reasoning = _join(content, _TEXTS), _join(content, _THOUGHTS)
    other = "" if text or reasoning else f"what is no text ({content!r:.40})"
    return text, reasoning, other


def _join(parts: Any, kinds: Sequence[str]) -> str:
    """Return the texts of the parts of these kinds, which may have parts of text of their own."""
    if isinstance(parts, str):
        return parts
    every = parts if isinstance(parts, list) else [parts]
    texts = []
    for part in every:
        if isinstance(part, str) and "text" in kinds:
            texts.append(part)
        elif isinstance(part, dict) and part.get("type", "text") in kinds:
            inner = next((part[name] for name in _INNER if part.get(name)), "")
            texts.append(_join(inner, _TEXTS))
    return "".join(texts)


def _usage(data: Mapping[str, Any]) -> Usage | None:
    usage = data.get("usage") or value_at(data, "x_groq", "usage")
    if not usage or not isinstance(usage, dict):
        return None
    places = usage.get("prompt_tokens_details"), usage, data.get("timings")
    cached = _find_largest(_count(place, name) for place in places for name in _CACHED)
    written = _find_largest(_count(place, name) for place in places for name in _WRITTEN)
    details = usage.get("completion_tokens_details")
    reasoning = _find_largest(_count(place, "reasoning_tokens") for place in (details, usage))
    prompt = _find_largest(_count(usage, name) for name in ("prompt_tokens", "input_tokens"))
    output = _find_largest(_count(usage, name) for name in ("completion_tokens", "output_tokens"))
    if prompt:
        beside = (cached or 0) + (written or 0)
        if beside > prompt or "prompt_tokens" not in usage:  # Anthropic counts them beside it
            prompt += beside
        # xAI and Gemini count reasoning in the total alone.
        output = _find_largest([output, (_count(usage, "total_tokens") or 0) - prompt])
        output = output if output and output > 0 else None
    return Usage(prompt, _find_largest([output, reasoning]), cached, reasoning, written)


def _count(place: Any, name: str) -> int | None:
    """Return a number of tokens; an invalid one is None: the answer beside it was paid for."""
    value = value_at(place, name)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return value if type(value) is int and 0 <= value <= _MOST_TOKENS else None


def _find_largest(counts: Iterable[int | None]) -> int | None:
    return max((count for count in counts if count is not None), default=None)


class Reading:
    """Gathers one answer from pieces; `hide` takes the key out of messages, which name `source`."""

    def __init__(self, source: str, hide: Callable[[str], str]) -> None:
        self._source = source
        self._hide = hide
        self._is_chosen = False
        self._is_complete = False
        self._reason: str | None = None
        self._is_counted = False
        self._usage = Usage()
        self._text = StringIO()
        self._reasoning = StringIO()
        self._refusal = StringIO()
        self._other = ""

    @property
    def has_begun(self) -> bool:
        """Return whether anything has arrived that was paid for."""
        parts = (self._text, self._reasoning, self._refusal)
        return self._is_counted or any(part.tell() > 0 for part in parts)

    @property
    def has_ended(self) -> bool:
        """Return whether the server has said that the answer is all there."""
        return self._is_complete or (self._reason is not None and is_known(self._reason))

    def explain_garbled(self) -> BadResponse:
        """Return the error for a reply that can't be read, from its start or after some text."""
        if not self._text.tell():
            return BadResponse(
                f"{self._source} sent no answer of a model: check the base URL, which often ends"
                " in /v1."
            )
        return BadResponse(
            f"{self._source} sent something after {self._text.tell():,} characters that is no"
            " piece of an answer: try again, or check the server."
        )

    def add(self, piece: Piece) -> str:
        """Add a piece, and return its text."""
        if piece.usage is not None:
            self._is_counted = True
            self._usage = _take_larger(self._usage, piece.usage)
        # A usage ends a stream if nothing comes after it: it may be the first piece, or in each.
        self._is_complete = piece.usage is not None and not piece.is_answer
        if not piece.is_answer:
            return ""
        self._is_chosen = True
        # LiteLLM sends the usage with one more choice, which has no reason.
        self._reason = piece.finish_reason or self._reason
        self._other = piece.other or self._other
        self._refusal.write(piece.refusal)
        self._reasoning.write(piece.reasoning)
        self._text.write(piece.text)
        return piece.text

    def end(self) -> None:
        """Take the reply for complete: it came as a whole, or its stream said that it ends."""
        self._is_complete = True

    def reply(self, notes: tuple[str, ...] = ()) -> Completion:
        """Return what has come so far, with the notes."""
        text, reasoning, usage = self._text.getvalue(), self._reasoning.getvalue(), self._usage
        prompt, output = usage.prompt or None, usage.output
        if text or reasoning:  # which took tokens: a count of 0 is none
            output = output or None
        if self._is_counted and (prompt is None or output is None):
            notes = (*notes, _UNCOUNTED)
        return Completion(
            text,
            prompt,
            output,
            self._reason,
            notes,
            reasoning,
            usage.reasoning,
            usage.cached,
            usage.written,
        )

    def completion(self, notes: tuple[str, ...]) -> Completion:
        """Return the whole answer; BadResponse with it as its reply where it is none."""
        reply = self.reply(notes)
        if problem := self._problem(reply):
            error = BadResponse(f"{self._source} {problem}")
            error.reply = reply
            raise error
        return reply

    def _problem(self, reply: Completion) -> str | None:
        """Return why the reply is no answer, in words that follow the name of its source."""
        refusal, other = self._hide(self._refusal.getvalue()), self._hide(self._other)
        has_text = bool(reply.text.strip())
        causes: dict[str, object] = {
            "no answer": not self._is_chosen,
            "refusal": refusal,
            "other": other and not has_text,
            "odd end": not is_known(self._reason),
            "broken off": self._reason is None and not self._is_complete,
            "spent": is_cut(self._reason) and not has_text,
            "reasoning": reply.reasoning and not has_text,
            "empty": not has_text,
        }
        cause = next((cause for cause, applies in causes.items() if applies), None)
        if cause is None:
            return None
        reason, size = self._hide(self._reason or ""), f"{len(reply.text):,} characters"
        return NO_ANSWER[cause].format(refusal=refusal, other=other, reason=reason, size=size)


def _take_larger(before: Usage, after: Usage) -> Usage:
    """Return the larger of each count: a last piece may take an earlier one back."""
    pairs = zip(vars(before).values(), vars(after).values(), strict=True)
    return Usage(*map(_find_largest, pairs))
