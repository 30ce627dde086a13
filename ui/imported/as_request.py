"""A recorded run as settings and as a request, with which all pages can go on."""

import re
from typing import Any

from synth.documents.decoding import MOST_CHUNKS
from synth.export.recipe import Messages
from synth.prompts.defaults import DEFAULTS
from synth.prompts.templates import ChatPromptTemplate
from synth.text.spans import Text
from synth.traces import ImportedRun, Verification
from synth.traces.verification import verify
from ui.controls.handover import TRACE, settings_of
from ui.settings import schema, template_texts
from ui.settings.model import answered_by
from ui.settings.model_kinds import RECORDED
from ui.settings.request import Model, Request
from ui.settings.schema import DEFAULT

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_ROLES = (("user",), ("system", "user"))


def request_of(run: ImportedRun) -> Request:
    """Make the request of a run; ImportedRunError where its mode isn't known."""
    helper = run.packing
    names = run.synthesizer().templates
    templates = {name: run.templates.get(name, DEFAULTS[name]) for name in names}
    texts = {
        name: _messages(beside)[0][1]
        for name, template in templates.items()
        if (beside := _text_beside(template)) is not None
    }
    return Request(
        mode=run.mode,
        behaviour="llama_index",
        query_str=run.query,
        text_chunks=tuple(run.texts),
        positions=tuple(range(len(run.chunks))),
        scores=(None,) * len(run.chunks),
        context_window=helper.context_window,
        num_output=helper.num_output,
        chunk_overlap_ratio=helper.chunk_overlap_ratio,
        chunk_size_limit=helper.chunk_size_limit,
        response_padding_size=run.padding,
        tokenizer=helper.tokenizer.name,
        structured_answer_filtering=run.filtering,
        templates=tuple((name, _messages(template)) for name, template in templates.items()),
        variables=tuple(run.variables.items()),
        model=Model(RECORDED.value, answered_by(run.model or "")),
        measured=tuple(texts.items()),
    )


def _text_beside(template: ChatPromptTemplate) -> ChatPromptTemplate | None:
    beside = template.default_template
    return None if beside is None else beside.partial_format(**template.kwargs)


def _messages(template: ChatPromptTemplate) -> Messages:
    """Return the messages with the values that came with the template, in the modes' names."""
    names = {own: name for name, own in template.template_var_mappings.items()}

    def filled(found: re.Match[str]) -> str:
        name = names.get(found[1], found[1])
        return str(template.kwargs[name]) if name in template.kwargs else f"{{{name}}}"

    messages = template.message_templates
    if template.is_chat and len(messages) == 1:
        messages = (("user", template.get_template()),)
    return tuple((role, _PLACEHOLDER.sub(filled, text)) for role, text in messages)


def settings_beside(run: ImportedRun, request: Request) -> dict[str, Any]:
    """The settings that the request of a trace does not say: other templates, and who answers."""
    others = [name for name in DEFAULTS if name not in dict(request.templates)]
    defaults = [template_texts.defaults(name) for name in others]
    model = {"model": RECORDED.value, "recorded_model": run.model or ""}
    return {path: value for values in defaults for path, value in values.items()} | model


def why_not_held(run: ImportedRun) -> str | None:
    """Why the pages can't hold this run, whose prompts are equal to ours; None if they can."""
    if len(run.chunks) > MOST_CHUNKS:
        return f"It has {len(run.chunks):,} chunks, and the pages hold up to {MOST_CHUNKS:,}."
    request = request_of(run)
    if request.context_window > schema.MOST_TOKENS or not request.num_output:
        return (
            f"Its window of {request.context_window:,} and num_output of {request.num_output:,}"
            f" tokens are outside of what the pages hold: 1 to {schema.MOST_TOKENS:,}."
        )
    for name, messages in request.templates:
        roles = tuple(role for role, _ in messages)
        if roles not in _ROLES:
            return (
                f"Its {name} has messages of {', '.join(roles)}; the pages hold a system message"
                " and a text."
            )
    outcome = verify_settings(run, request)
    if outcome.equal:
        return None
    streamed = " It was streamed, which the pages don't do." if run.streaming else ""
    return f"With the settings that the pages hold, call {outcome.calls + 1:,} differs.{streamed}"


def held_request(run: ImportedRun, request: Request, **more: Any) -> Request:
    """What the pages ask with the settings that make this request of the run, and `more`."""
    settings = settings_of(request, TRACE) | settings_beside(run, request) | more
    return Request.of(DEFAULT.with_(settings))


def verify_settings(run: ImportedRun, request: Request) -> Verification:
    """Whether the settings that make this request send the prompts of the run."""
    held = held_request(run, request)
    texts = [Text.of(text, "chunk", number) for number, text in enumerate(held.text_chunks, 1)]
    steps = held.synthesizer().steps(held.query_str, texts, **dict(held.variables))
    return verify(steps, run.calls)
