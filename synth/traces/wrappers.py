"""Text that a model for text puts around each prompt, such as `[INST]`: LlamaIndex counts none.

A model has it from `completion_to_prompt`, `messages_to_prompt` or `query_wrapper_prompt`. What
a template gives is looked for in what was sent; what stands around it is the model's. A system
prompt is left where it is: LlamaIndex counts it.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.traces.calls import RecordedCall
from synth.traces.messages import Sent, shown_mappings, shown_templates
from synth.traces.templates import Filling

Wrapper = tuple[str, ...]
"""What stands before, between and after the messages of a prompt."""


def unwrapped(recorded: Sequence[RecordedCall]) -> tuple[list[RecordedCall], Wrapper]:
    """The calls with prompts as their templates give them, and what stood around one of these."""
    calls, around = list(recorded), Wrapper()
    for name in sorted({call.template for call in recorded}):
        places = [
            at
            for at, call in enumerate(calls)
            if call.template == name and call.filling.sent.messages and not call.filling.sent.chat
        ]
        wrapper, texts = _common([calls[at].filling for at in places])
        around = around or wrapper
        for at, text in zip(places, texts, strict=bool(texts)):
            filling = calls[at].filling
            sent = Sent((("user", text),), chat=False, rebuilt=filling.sent.rebuilt)
            calls[at] = replace(calls[at], filling=replace(filling, sent=sent))
    return calls, around


def _common(fillings: Sequence[Filling]) -> tuple[Wrapper, list[str]]:
    """The wrapper that stands around all these prompts, and their texts; empty if none does."""
    for row in zip(*map(_readings, fillings), strict=False):
        wrappers, texts = zip(*row, strict=True)
        if None in wrappers or len(set(wrappers)) > 1:
            continue
        wrapper = wrappers[0]
        is_system_prompt = len(wrapper) == 2 and not wrapper[1] and wrapper[0].endswith("\n\n")
        if not any(wrapper) or is_system_prompt:
            break
        return wrapper, list(texts)
    return (), []


def _readings(filling: Filling) -> Iterator[tuple[Wrapper | None, str]]:
    """For each template that may be this prompt's, what stands around it, and its own text."""
    whole = filling.sent.messages[0][1]
    for template in _templates(filling):
        prompt = template.fill(**filling.values)
        if sum(len(span.text) for span in prompt.spans) > 2 * len(whole):
            yield None, ""  # it may be gigabytes
            continue
        yield _around(whole, [prompt.text]), prompt.text
        contents = [message.content for message in prompt.messages]
        yield _around(whole, contents), prompt.text


def _templates(filling: Filling) -> Iterator[ChatPromptTemplate]:
    mappings = shown_mappings(filling.shown)
    if filling.text is not None:
        yield PromptTemplate(filling.text, template_var_mappings=mappings)
    for messages in shown_templates(filling.shown):
        yield ChatPromptTemplate(messages, template_var_mappings=mappings)


def _around(whole: str, texts: Sequence[str]) -> Wrapper | None:
    """What stands before, between and after the texts; None where they don't stand in it so."""
    parts, at = [], 0
    for text in texts:
        start = whole.find(text, at)
        if start < 0:
            return None
        parts.append(whole[at:start])
        at = start + len(text)
    return (*parts, whole[at:])
