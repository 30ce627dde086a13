"""The templates of a recorded run, recovered from its prompts.

A trace has a template's text, and that is not always what was sent: of a selector it is the
text for models without chat, though the messages for chat went out. So a template counts
as recovered only where it gives every prompt that was sent with it.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice

from synth.prompts.prompt import Span
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.traces.message_attributes import Sent, read_mappings, read_templates

_SCHEMA = re.compile(
    r"\n\n\nHere's a JSON schema to follow:\n.*\n\nOutput a valid JSON object but do not repeat the"
    r" schema\.\n\Z"
)
_TRIED = 10  # prompts, from which a template may be recovered
_CANDIDATES = 20  # templates that one prompt may be of
_FIRST_MARK = 0x10_0000  # the private use area of the last plane
_ROLE = 4  # tokens that LlamaIndex counts for a message beside its content
_BRACES = 200  # of a template; one with more is none of a prompt


@dataclass(frozen=True)
class Filling:
    """A prompt, its values by variable, and what the trace has of its template."""

    sent: Sent
    values: Mapping[str, str]
    text: str | None = None
    shown: str = ""
    stored: frozenset[str] = frozenset()

    def is_of(self, template: ChatPromptTemplate) -> bool:
        """Return whether the template gives this prompt."""
        prompt = template.fill(**self.values)
        if not self.sent.chat:
            return _reads(prompt.spans, self.sent.messages[0][1])
        roles = [role for role, _ in self.sent.messages]
        return [message.role for message in prompt.messages] == roles and all(
            _reads(message.spans, text)
            for message, (_, text) in zip(prompt.messages, self.sent.messages, strict=True)
        )


def _reads(spans: Sequence[Span], text: str) -> bool:
    """Whether the spans read as the text; their length comes first, which may be gigabytes."""
    same_length = sum(len(span.text) for span in spans) == len(text)
    return same_length and "".join(str(span.text) for span in spans) == text


def without_schema(sent: Sent) -> Sent:
    """Return the prompt without the JSON schema that LlamaIndex adds to one of its messages."""
    messages = tuple((role, _SCHEMA.sub("", text)) for role, text in sent.messages)
    return Sent(messages, sent.chat, sent.rebuilt)


def recover_template(fillings: Sequence[Filling], context: str | None) -> ChatPromptTemplate | None:
    """Find the template that gives all these prompts; `context` is its variable of chunk text."""
    usable = [filling for filling in fillings if filling.sent.messages]
    for candidate in chain.from_iterable(
        islice(_candidates(one, context), _CANDIDATES) for one in usable[:_TRIED]
    ):
        braces = sum(text.count("{") for _, text in candidate.message_templates)
        if braces <= _BRACES and all(filling.is_of(candidate) for filling in usable):
            first = usable[0]
            return candidate.partial_format(**{name: first.values[name] for name in first.stored})
    return None


def _candidates(filling: Filling, context: str | None) -> Iterator[ChatPromptTemplate]:
    mappings = read_mappings(filling.shown)
    text = (
        None
        if filling.text is None
        else PromptTemplate(filling.text, template_var_mappings=mappings)
    )
    selected = text if filling.shown.startswith("SelectorPromptTemplate(") else None
    for messages in read_templates(filling.shown):
        starts = [[], [filling.sent.messages[0]]]  # the second is a system prompt of the model's
        for start in starts if filling.sent.chat else starts[:1]:
            chat = ChatPromptTemplate(
                [*start, *messages], template_var_mappings=mappings, default_template=selected
            )
            yield of_chat_model(chat) if filling.sent.chat and selected is None else chat
    if text is not None:
        yield text
        yield from _below_system_prompt(text, filling)
    yield from (each for each in _put_back(filling) if context is None or each.uses(context))


def of_chat_model(template: ChatPromptTemplate) -> ChatPromptTemplate:
    """Make the template of a chat model, which LlamaIndex compares by its messages' lines."""
    lines = ChatPromptTemplate(template.message_templates).get_template()
    return with_text_beside(template, PromptTemplate(lines))


def with_text_beside(template: ChatPromptTemplate, beside: PromptTemplate) -> ChatPromptTemplate:
    """Return the messages of the template, which LlamaIndex compares by the text beside them."""
    return ChatPromptTemplate(
        template.message_templates,
        template_var_mappings=template.template_var_mappings,
        default_template=beside,
    ).partial_format(**template.kwargs)


def _below_system_prompt(text: PromptTemplate, filling: Filling) -> Iterator[ChatPromptTemplate]:
    first = filling.sent.messages[0]
    if filling.sent.chat:
        yield ChatPromptTemplate(
            [first, ("user", text.template)], template_var_mappings=text.template_var_mappings
        )
        return
    own = text.fill(**filling.values).text
    if first[1].endswith(f"\n\n{own}"):
        yield PromptTemplate(
            f"{first[1].removesuffix(own)}{text.template}",
            template_var_mappings=text.template_var_mappings,
        )


def _put_back(filling: Filling) -> Iterator[ChatPromptTemplate]:
    """Put names of variables where their values stand; a chat without a name may be a selector."""
    names = {value: name for name, value in filling.values.items() if value}
    if not names:
        return
    messages = [(role, _with_names(text, names)) for role, text in filling.sent.messages]
    text = "\n".join(text for role, text in messages if role != "system")
    if filling.sent.chat and filling.text is None:
        yield ChatPromptTemplate(messages, default_template=PromptTemplate(text))
    elif len(messages) > 1:
        yield ChatPromptTemplate(messages)
    else:
        yield PromptTemplate(text)


def _with_names(text: str, names: Mapping[str, str]) -> str:
    """Write names in braces for the values, the longest first, by way of marks that are no text."""
    marks = {chr(_FIRST_MARK + number): value for number, value in enumerate(names)}
    if any(mark in text for mark in marks):
        return text
    places = 0
    for mark, value in sorted(marks.items(), key=lambda pair: len(pair[1]), reverse=True):
        places += text.count(value)
        if places > _BRACES:
            return text
        text = text.replace(value, mark)
    return text.translate({ord(mark): f"{{{names[value]}}}" for mark, value in marks.items()})


def uncounted_tokens(
    recorded: Mapping[str, Filling],
    templates: Mapping[str, ChatPromptTemplate],
    count: Callable[[str], int],
) -> int:
    """Count what LlamaIndex leaves out where the system prompt is the model's own: the roles."""
    known = {name: filling for name, filling in recorded.items() if name in templates}
    name = max(known, key=lambda name: len(known[name].text or ""), default=None)
    if name is None or known[name].text is None:
        return 0
    template, filling = templates[name], known[name]
    messages, text = template.message_templates, str(filling.text)
    if not filling.sent.chat:
        system, joint, _ = messages[0][1].rpartition(f"\n\n{text}")
        return max(count(f"{system}{joint}") - count(system) - count(text), 0) if joint else 0
    if messages[1:] in read_templates(filling.shown):
        return _ROLE
    is_text = filling.shown.startswith("PromptTemplate(")
    return 2 * _ROLE if messages[0][0] == "system" and is_text else 0
