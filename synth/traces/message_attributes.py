"""What a span says was sent to a model and what came back.

Where the messages themselves were not recorded, they stand in `input.value` as Python shows
them: `ChatMessage(role=<MessageRole.USER: 'user'>, ..., text='...')`. Their texts are Python
literals, and are read as such.
"""

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from synth.traces.spans import REDACTED, TraceSpan, parse
from synth.traces.vocabularies import read_messages

_CALLS = re.compile(r"(?:.+\.)?a?(?:stream_)?(?:chat|complete)")
_AROUND_CALLS = re.compile(
    r".+\.(?:_\w+|\w*(?:predict|stream)\w*)"
)  # methods of LlamaIndex's models
_LITERAL = r"'(?:[^'\\]++|\\.)*+'|\"(?:[^\"\\]++|\\.)*+\""
_MESSAGE = re.compile(
    r"ChatMessage\(role=<MessageRole\.\w+: '(?P<role>\w+)'>,"
    r"(?: additional_kwargs=\{[^{}]*\}, blocks=\[TextBlock\(block_type='text', text=| content=)"
    rf"(?P<text>{_LITERAL})(?:\)\]|, additional_kwargs=\{{[^{{}}]*\}})\)"  # before 0.12: content
)
_TEMPLATE = re.compile(r"message_templates=\[")
_DEFAULT = re.compile(rf"\btemplate=({_LITERAL})\), conditionals=\[")
_MAPPINGS = re.compile(r"template_var_mappings=(\{[^{}]*\})")


@dataclass(frozen=True)
class Sent:
    """The (role, text) pairs of a prompt; `rebuilt` if they were in the span's input alone.

    `by_kind` is said of a prompt where the kind of its span alone says that it is a call.
    """

    messages: tuple[tuple[str, str], ...]
    chat: bool
    rebuilt: bool = False
    by_kind: bool = False


def read_prompt(span: TraceSpan) -> Sent | None:
    """Return the prompt of a call of a model; None for a span that is none."""
    if messages := _numbered(span, "llm.input_messages"):
        return Sent(messages, chat=True)
    prompts = _prompts(span)
    if prompts:
        return Sent((("user", prompts[0]),), chat=False)
    if span.kind != "LLM":
        return None
    if _CALLS.fullmatch(span.name):
        messages, is_chat = _shown_messages(span)
        return Sent(messages, is_chat, rebuilt=bool(messages))
    if _AROUND_CALLS.fullmatch(span.name):
        return None
    messages = tuple(read_messages(parse(span.text("input.value"))))
    is_chat = [role for role, _ in messages] != ["user"]
    return Sent(messages, is_chat, rebuilt=bool(messages), by_kind=True)


def _shown_messages(span: TraceSpan) -> tuple[tuple[tuple[str, str], ...], bool]:
    """Return the messages that LlamaIndex shows in a span's input, and whether they are a chat."""
    given = span.table("input.value")
    shown = given.get("messages")
    if isinstance(shown, list) and (messages := tuple(_read_messages("".join(map(str, shown))))):
        return messages, True
    arguments = given.get("args") or [given.get("prompt")]
    if isinstance(arguments, list) and arguments and isinstance(arguments[0], str):
        return (("user", arguments[0]),), False
    return (), False


def hides_values(span: TraceSpan) -> bool:
    """Return whether some of the span's values were hidden when it was recorded."""
    return any(REDACTED in str(value) for value in span.attributes.values())


def read_reply(span: TraceSpan) -> str | None:
    """Return the text that the model answered with; None where it was not recorded."""
    messages = _numbered(span, "llm.output_messages")
    if messages:
        return messages[0][1]
    output = span.text("output.value")
    whole = span.table("output.value")
    if isinstance(whole.get("text"), str):  # a CompletionResponse, where a model sends no events
        return str(whole["text"])
    return None if output is None else output.removeprefix("assistant: ")


def read_templates(text: str) -> Iterator[tuple[tuple[str, str], ...]]:
    """Yield the messages of each chat template that Python shows in this text."""
    for start in _TEMPLATE.finditer(text):
        messages = tuple(_read_messages(text, start.end()))
        if messages:
            yield messages


def read_default(text: str) -> str | None:
    """Read the text of a selector's default template that Python shows; None for no selector."""
    found = _DEFAULT.search(text)
    default = _literal(found[1]) if found else None
    return default if isinstance(default, str) else None


def read_mappings(text: str) -> dict[str, str]:
    """Read the first template_var_mappings that Python shows in this text; none without any."""
    found = _MAPPINGS.search(text)
    mappings = _literal(found[1]) if found else None
    if not isinstance(mappings, dict):  # the text of a template or of a value looks like it
        return {}
    return {str(name): str(value) for name, value in mappings.items()}


def _read_messages(text: str, at: int = 0) -> Iterator[tuple[str, str]]:
    while found := _MESSAGE.match(text, at):
        content = _literal(found["text"])
        if not isinstance(content, str):
            return
        yield found["role"], content
        at = found.end() + len(", ") * text.startswith(", ", found.end())


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None


def _prompts(span: TraceSpan) -> list[str]:
    prompts = span.attributes.get("llm.prompts")
    if isinstance(prompts, str):  # Langfuse has all attributes as text
        prompts = span.json("llm.prompts")
    first = span.text("llm.prompts.0.prompt.text")
    listed = prompts if isinstance(prompts, list) else [first]
    return [str(each) for each in listed if each is not None and each != REDACTED]


def _numbered(span: TraceSpan, name: str) -> tuple[tuple[str, str], ...]:
    found: dict[int, dict[str, Any]] = {}
    for key, value in span.attributes.items():
        if key.startswith(f"{name}."):
            number, _, field = key.removeprefix(f"{name}.").partition(".message.")
            found.setdefault(int(number), {})[field] = value
    if sorted(found) != list(range(len(found))):
        return ()
    messages = tuple(
        (str(message.get("role", "user")), _content(message))
        for _, message in sorted(found.items())
    )
    return () if any(REDACTED in text for _, text in messages) else messages


def _content(message: Mapping[str, Any]) -> str:
    if "content" in message:
        return str(message["content"])
    parts = sorted(
        (int(key.split(".")[1]), str(value))
        for key, value in message.items()
        if key.startswith("contents.")
    )
    return "\n".join(text for _, text in parts)
