"""The templates of a recorded run, recovered from its prompts.

A trace has a template's text, and that is not always what was sent: of a selector it is the
text for models without chat, though the messages for chat went out. So a template counts
as recovered only where it gives every prompt that was sent with it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from synth.imports.messages import Sent, shown_mappings, shown_templates
from synth.prompts import ChatPromptTemplate, PromptTemplate

_SCHEMA = re.compile(
    r"\n\n\nHere's a JSON schema to follow:\n.*\n\nOutput a valid JSON object but do not repeat the"
    r" schema\.\n\Z"
)
_TRIED = 10  # prompts, from which a template may be recovered


@dataclass(frozen=True)
class Filling:
    """A prompt, the values in it by variable, and what the trace has of its template.

    Those of the values that are `stored` came with the template (`partial_format`).
    """

    sent: Sent
    values: Mapping[str, str]
    text: str | None = None
    shown: str = ""
    stored: frozenset[str] = frozenset()

    def is_of(self, template: ChatPromptTemplate) -> bool:
        """Whether the template gives this prompt."""
        prompt = template.fill(**self.values)
        if not self.sent.chat:
            return prompt.text == self.sent.messages[0][1]
        return tuple((one.role, one.content) for one in prompt.messages) == self.sent.messages


def without_schema(sent: Sent) -> Sent:
    """The prompt without the JSON schema that LlamaIndex adds to one of its messages."""
    messages = tuple((role, _SCHEMA.sub("", text)) for role, text in sent.messages)
    return Sent(messages, sent.chat, sent.rebuilt)


def recovered(fillings: Sequence[Filling], context: str | None) -> ChatPromptTemplate | None:
    """The template that gives all these prompts; None where none is found.

    `context` is the variable that the chunk text has in it.
    """
    usable = [filling for filling in fillings if filling.sent.messages]
    for candidate in (each for one in usable[:_TRIED] for each in _candidates(one, context)):
        if all(filling.is_of(candidate) for filling in usable):
            first = usable[0]
            return candidate.partial_format(**{name: first.values[name] for name in first.stored})
    return None


def _candidates(filling: Filling, context: str | None) -> Iterator[ChatPromptTemplate]:
    mappings = shown_mappings(filling.shown)
    text = (
        None
        if filling.text is None
        else PromptTemplate(filling.text, template_var_mappings=mappings)
    )
    selected = text if filling.shown.startswith("SelectorPromptTemplate(") else None
    for messages in shown_templates(filling.shown):
        starts = [[], [filling.sent.messages[0]]]  # the second is a system prompt of the model's
        for start in starts if filling.sent.chat else starts[:1]:
            yield ChatPromptTemplate(
                [*start, *messages], template_var_mappings=mappings, default_template=selected
            )
    if text is not None:
        yield text
        yield from _below_system_prompt(text, filling)
    yield from (each for each in _put_back(filling) if context is None or each.uses(context))


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
    """The messages with the names of variables where their values stand.

    Of a chat whose template the trace doesn't name, this takes LlamaIndex's default for chat
    models: a selector, whose text is like the messages without the system's.
    """
    names = {value: name for name, value in filling.values.items() if value}
    if not names:
        return
    values = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True))))
    messages = [
        (role, values.sub(lambda found: f"{{{names[found[0]]}}}", text))
        for role, text in filling.sent.messages
    ]
    text = "\n".join(text for role, text in messages if role != "system")
    if filling.sent.chat and filling.text is None:
        yield ChatPromptTemplate(messages, default_template=PromptTemplate(text))
    elif len(messages) > 1:
        yield ChatPromptTemplate(messages)
    else:
        yield PromptTemplate(text)
