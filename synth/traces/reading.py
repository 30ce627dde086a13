"""From the spans of one trace to its runs, also of one whose spans come one by one."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from synth.modes.base import BaseSynthesizer, facts_of
from synth.modes.registry import MODES, mode_class
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate
from synth.runs.calls import CallRecord
from synth.text.wording import counted
from synth.traces import size_limits
from synth.traces.calls import (
    RecordedCall,
    is_streamed,
    make_records,
    model_calls,
    read_calls,
    read_values,
)
from synth.traces.documents import FoundNodes, find_nodes_before, find_texts, make_nodes
from synth.traces.imported_run import IMPORTED, NOTES, ImportedRun, Loss, Said
from synth.traces.likely import find_mode
from synth.traces.message_attributes import Sent, hides_values, read_prompt, read_reply
from synth.traces.spans import SpanTree, TraceSpan, cut_off_after, parse, synthesizer_name
from synth.traces.templates import Filling, recover_template, uncounted_tokens
from synth.traces.vocabularies import ANSWERS, find_question, find_text

MODE_OF = {kind.__name__: mode for mode, kind in MODES.items()}  # the package's names too
_LARGEST = 1_000_000_000  # tokens
# What llama-index-core takes where nothing is said, in tokens and as a share of a chunk. Our
# own defaults (synth/prompts/prompt_helper.py) are a choice of ours, and change no recording.
_CONTEXT_WINDOW, _NUM_OUTPUT, _CHUNK_OVERLAP_RATIO = 3_900, 256, 0.1
_OUTERMOST = "synthesize"
_BASE = "BaseSynthesizer"  # what versions before 0.12 call each; its method is the class's own
_QUESTION = "query_str"


class Limits(BaseModel):
    """What LlamaIndex records of its model's metadata; what is unset there has its default."""

    model_config = ConfigDict(protected_namespaces=())

    context_window: int | None = Field(None, ge=1, le=_LARGEST)
    num_output: int | None = Field(None, ge=-1, le=_LARGEST)  # -1 stands for the default
    model_name: str | None = None


def read_runs(tree: SpanTree) -> Iterator[ImportedRun]:
    """Yield the runs of a trace: its syntheses, or its calls where it has none.

    Of one that lacks spans no mode is claimed.
    """
    syntheses = tree.syntheses()
    pairs = zip(syntheses, find_nodes_before(tree, syntheses), strict=True)
    runs = [(root, _synthesis(tree, root, found)) for root, found in pairs]
    spans = [span for root in tree.roots for span in model_calls(tree, root)]
    question = None
    if spans and not runs:
        runs = list(_read_calls(tree, spans))
        questions = (read_values(span).get(_QUESTION) for span in tree.spans)
        question = next(filter(None, questions), None)
    others = len(spans) - sum(len(run.calls) for _, run in runs)
    left_out = (NOTES["left out"].format(count=others),) if others > 0 else ()
    for root, run in runs:
        is_incomplete = question is not None or bool(syntheses and _lacks_spans(tree, root))
        incomplete = (Loss(NOTES["incomplete"]),) if is_incomplete else ()
        yield replace(
            run,
            mode=IMPORTED if is_incomplete else run.mode,
            query=question or run.query,
            notes=(*run.notes, *left_out, *incomplete),
            failure=_failure(root, run.calls),
            is_incomplete=is_incomplete,
            service=root.service,
        )


def _failure(root: TraceSpan, calls: Sequence[CallRecord]) -> str | None:
    """Say why a run failed, by the call that did if one is known; None for one that did not."""
    errors = [call.error for call in calls if call.error]
    if root.failure is not None:
        reason = root.failure.message or root.failure.kind or "no reason"
        return errors[-1] if errors else reason
    return calls[-1].error if calls else None


def _synthesis(tree: SpanTree, root: TraceSpan, found: FoundNodes) -> ImportedRun:
    methods = [span for span in tree.below(root) if synthesizer_name(span)]
    names = [synthesizer_name(span) for span in methods]
    named = names[1] if names[0] == _BASE and len(names) > 1 else names[0]
    mode = MODE_OF.get(named or "", IMPORTED)
    kind = mode_class(mode)
    query, given = _input(tree, root)
    recorded = read_calls(tree, root, kind, query)
    templates = _templates(kind, recorded)
    texts = given
    # `synthesize` ends at once where a retriever found nothing.
    ended = root.name.endswith("synthesize") and root.failure is None
    was_given_nothing = ended and methods == [root] and not recorded
    if was_given_nothing:
        texts = []
    elif texts is None and kind.filters:
        texts = _cut_texts(tree, root, recorded)
    spans = [call.span for call in recorded]
    limits = limits_of(spans)
    helper = helper_of(limits)
    fillings = {call.template: call.filling for call in recorded}
    uncounted = uncounted_tokens(fillings, templates, helper.tokenizer.count)
    calls = make_records(root, recorded, templates, helper, kind)
    cut_off = cut_off_after(list(tree.below(root)))
    unknown = NOTES["unknown"].format(name=named)
    about = [
        *_note_input(
            texts is not None, found, bool(kind.templates) and facts_of(kind).sends_chunks
        ),
        *([unknown] if named is not None and mode == IMPORTED else []),
        *_note_calls(recorded, list(tree.below(root)), cut_off),
        *_note_settings(recorded, templates, kind, limits.context_window, helper, uncounted),
    ]
    return ImportedRun(
        mode=mode,
        query=query,
        chunks=make_nodes(texts, found),
        templates=templates,
        helper=helper,
        calls=calls,
        notes=(NOTES["nothing given"],) if was_given_nothing else tuple(about),
        response=_response(root, calls),
        started=datetime.fromtimestamp(root.start, UTC),
        seconds=round(max([root.end, *(span.end for span in spans)]) - root.start, 6),
        model=limits.model_name,
        variables=_variables(recorded, templates),
        filtering=any(call.filtered for call in recorded),
        streaming=any(is_streamed(call.span) for call in recorded),
        cut_off=cut_off,
        certain=frozenset(_certain(recorded, given)),
        uncounted=uncounted,
        identity=_identity(root),
    )


def limits_of(spans: Sequence[TraceSpan]) -> Limits:
    """Return what the first of these calls says of its model that can be read."""
    for span in spans:
        parameters = span.table("llm.invocation_parameters")
        try:
            if parameters:
                return Limits.model_validate(parameters)
        except ValidationError:
            continue
    return Limits()


def helper_of(limits: Limits) -> PromptHelper:
    """Return the helper that LlamaIndex makes of these limits."""
    num_output = limits.num_output
    return PromptHelper(
        limits.context_window or _CONTEXT_WINDOW,
        _NUM_OUTPUT if num_output is None or num_output < 0 else num_output,
        _CHUNK_OVERLAP_RATIO,
    )


def _certain(recorded: Sequence[RecordedCall], texts: Sequence[str] | None) -> Iterator[Said]:
    if texts is not None:
        yield "chunks"
    if all(call.filling.text is not None for call in recorded):
        yield "templates"


def _read_calls(
    tree: SpanTree, spans: Sequence[TraceSpan]
) -> Iterator[tuple[TraceSpan, ImportedRun]]:
    """Read calls that no synthesizer made: those after the same texts are a synthesis of these."""
    pairs = list(zip(spans, find_nodes_before(tree, spans), strict=True))
    groups = [list(group) for _, group in groupby(pairs, key=lambda pair: id(pair[1]))]
    with_texts = [group for group in groups if group[0][1].nodes]
    for group in with_texts or [pairs]:
        calls = [span for span, _ in group]
        root = tree.roots[0] if len(with_texts) < 2 else _holder(tree, calls, spans)
        yield root, find_mode(_calls_alone(tree, root, calls, group[-1][1]))


def _holder(tree: SpanTree, calls: Sequence[TraceSpan], spans: Sequence[TraceSpan]) -> TraceSpan:
    """Return the outermost span around these calls in which no other call stands."""
    others = {span.span_id for span in spans} - {span.span_id for span in calls}
    holder = calls[0]
    for parent in tree.above(calls[0]):
        if any(span.span_id in others for span in tree.below(parent)):
            break
        holder = parent
    return holder


def _calls_alone(
    tree: SpanTree, root: TraceSpan, spans: Sequence[TraceSpan], found: FoundNodes
) -> ImportedRun:
    size_limits.require(
        size_limits.MOST_CALLS, len(spans), "A trace has {} calls", "record fewer of them"
    )
    recorded = [
        RecordedCall(span, "", Filling(prompt, {}), read_reply(span))
        for span in spans
        for prompt in [read_prompt(span) or Sent((), chat=False)]
    ]
    limits = limits_of(spans)
    helper = helper_of(limits)
    calls = make_records(root, recorded, {}, helper, BaseSynthesizer)
    nodes = found.nodes or make_nodes(find_texts(recorded[-1].filling.sent.messages), found)
    note = NOTES["texts" if nodes else "no synthesis"].format(count=len(nodes))
    is_call, has_output = root in spans, root.text("output.value") is not None
    return ImportedRun(
        mode=IMPORTED,
        query=_question(tree, root),
        chunks=nodes,
        templates={},
        helper=helper,
        calls=calls,
        notes=(
            note,
            *([NOTES["unended"]] if tree.is_part else []),
            *_note_calls(recorded, tree.spans, cut_off_after(tree.spans)),
        ),
        response=calls[-1].answer if is_call or not has_output else _response(root, calls),
        started=datetime.fromtimestamp(root.start, UTC),
        seconds=round(max([root.end, *(span.end for span in spans)]) - root.start, 6),
        model=limits.model_name or spans[0].text("llm.model_name"),
        identity=_identity(root),
    )


def _question(tree: SpanTree, root: TraceSpan) -> str:
    """Return the question that a span was given, else that of a retriever in its trace."""
    spans = [root, *(span for span in tree.spans if span.kind == "RETRIEVER")]
    given = (find_question(parse(span.text("input.value") or "")) for span in spans)
    return next(filter(None, given), "")


def _identity(root: TraceSpan) -> str:
    """Join the ids of trace and span; the SDK's console exporter writes 0x before them."""
    return "-".join(id.removeprefix("0x") for id in (root.trace_id, root.span_id))


def _input(tree: SpanTree, root: TraceSpan) -> tuple[str, Sequence[str] | None]:
    methods = [span for span in tree.below(root) if synthesizer_name(span)]
    query = ""
    for span in methods:
        text = span.text("input.value") or ""
        given = span.table("input.value")
        if isinstance(given.get("query_str"), str):
            texts = given.get("text_chunks")
            if isinstance(texts, list) and all(isinstance(each, str) for each in texts):
                size_limits.require(
                    size_limits.MOST_TEXTS,
                    len(texts),
                    "A synthesis was given {} texts",
                    "record one with fewer chunks",
                )
                return query or given["query_str"], texts
        elif not query and not text.startswith('{"query_str":'):
            query = find_question(parse(text)) or text
    return query, None


def _cut_texts(
    tree: SpanTree, root: TraceSpan, recorded: Sequence[RecordedCall]
) -> list[str] | None:
    """Return the texts that refine or compact cut, but not the parts that were cut once more.

    All are cut before the first call, or, before 0.14.22, each when its turn comes.
    """
    first = min((call.span.start for call in recorded), default=root.end)
    spans = [span for span in tree.below(root) if span.name.endswith(".split_text")]
    spans.sort(key=lambda span: span.start)
    given: list[Any] = [span.table("input.value").get("text") for span in spans]
    before = sum(span.end <= first for span in spans)
    texts = given[:before]
    if before == 1:
        parts = [span.json("output.value") for span in spans]
        again = [each for each in parts if isinstance(each, list) and len(each) > 1]
        texts += [text for text in given[1:] if not any(text in each for each in again)]
    return None if None in given else texts or None


def _templates(
    kind: type[BaseSynthesizer], recorded: Sequence[RecordedCall]
) -> dict[str, ChatPromptTemplate]:
    found = {
        name: recover_template(
            [call.filling for call in recorded if call.template == name], TEMPLATES[name].context
        )
        for name in kind.templates
    }
    return {name: template for name, template in found.items() if template is not None}


def _variables(
    recorded: Sequence[RecordedCall], templates: Mapping[str, ChatPromptTemplate]
) -> Mapping[str, str]:
    passed = {name for template in TEMPLATES.values() for name in template.passed}
    used = {name for template in templates.values() for name in template.template_vars} - passed
    return {
        name: value
        for call in recorded
        for name, value in call.filling.values.items()
        if name in used and name not in call.filling.stored
    }


def _response(root: TraceSpan, calls: Sequence[CallRecord]) -> str | None:
    """Return what a span gave: a text, or the one in an object; of a stream the last answer."""
    text = root.text("output.value")
    value = parse(text)
    last = calls[-1].answer if calls else None
    if isinstance(value, dict) and "response_gen" not in value:
        is_within = last and json.dumps(last)[1:-1] in str(text)
        return find_text(value, ANSWERS) or (last if is_within else text)
    is_stream = isinstance(value, dict) or (text or "").endswith("generator object>")
    return last if is_stream else text


def _note_input(has_texts: bool, found: FoundNodes, needs_texts: bool) -> Iterator[str]:
    """Yield what is missing of the chunks and documents."""
    if found.lost:
        total = found.lost + len(found.nodes)
        lost = NOTES["lost ids" if has_texts else "lost documents"]
        yield Loss(lost.format(lost=found.lost, total=total))
    elif not has_texts and needs_texts:
        note = NOTES["retrieved" if found.nodes else "no documents"]
        yield note.format(count=len(found.nodes))


def _note_calls(
    recorded: Sequence[RecordedCall], spans: Sequence[TraceSpan], cut_off: int | None
) -> Iterator[str]:
    """Yield what is missing of the calls, with the number of calls."""
    if cut_off is not None:
        yield Loss(NOTES["cut off"].format(count=cut_off))
    if hiding := sum(map(hides_values, spans)):
        yield Loss(NOTES["hidden"].format(count=hiding, total=len(spans)))
    counts = {
        "no prompt": sum(not call.filling.sent.messages for call in recorded),
        "no answer": sum(call.answer is None and call.span.failure is None for call in recorded),
    }
    for name, count in counts.items():
        if count:
            yield Loss(NOTES[name].format(count=count, total=len(recorded)))
    if rebuilt := sum(call.filling.sent.rebuilt for call in recorded):
        yield NOTES["rebuilt"].format(count=rebuilt, total=len(recorded))
    if any(call.makes_object for call in recorded):
        yield NOTES["objects"]


def _note_settings(
    recorded: Sequence[RecordedCall],
    templates: Mapping[str, ChatPromptTemplate],
    kind: type[BaseSynthesizer],
    window: int | None,
    helper: PromptHelper,
    uncounted: int,
) -> Iterator[str]:
    """Yield what the trace doesn't say, or LlamaIndex doesn't count, with what is taken for it."""
    own = helper.context_window
    if uncounted:
        tokens = counted(uncounted, "token")
        yield NOTES["system prompt"].format(tokens=tokens, wider=own + uncounted, window=own)
    used = {call.template for call in recorded}
    for name in kind.templates:
        if name not in templates:
            yield NOTES["lost template" if name in used else "unused template"].format(name=name)
    if window is None and kind.templates:
        yield NOTES["no window"].format(window=own)


def find_syntheses(spans: Sequence[TraceSpan], *, silent: bool) -> list[ImportedRun]:
    """Read the syntheses of one trace, in the order in which they began.

    One that lacks spans, or whose span names no synthesizer, is left out until the trace is
    `silent`.
    """
    tree = SpanTree(spans) if spans else None
    if tree is None or not (silent or tree.syntheses()):
        return []
    runs = [run for run in read_runs(tree) if silent or not run.is_incomplete]
    return [run for run in runs if tree.syntheses() or run.is_incomplete or run.chunks]


def _lacks_spans(tree: SpanTree, root: TraceSpan) -> bool:
    orphans = [span for span in tree.roots if span.parent_id is not None]
    if root in orphans and not root.name.endswith(_OUTERMOST):
        return True
    return any(
        root.start <= orphan.start and orphan.end <= root.end
        for orphan in orphans
        if not orphan.name.endswith(_OUTERMOST)
    )
