"""The mode of a run of which no span says it, from its prompts alone.

The texts are looked for in the prompts, templates are what is left of these, and a mode is claimed
only where it sends the very prompts.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from synth.modes.base import BaseSynthesizer, facts_of
from synth.modes.registry import MODES, ResponseMode
from synth.prompts.prompt_helper import PARAGRAPH
from synth.prompts.templates import TEMPLATES
from synth.runs.calls import CallRecord
from synth.traces.fitting import with_metadata
from synth.traces.imported_run import NOTES, ImportedRun
from synth.traces.message_attributes import Sent
from synth.traces.templates import Filling, recover_template

_MOST_CALLS, _MOST_CHARACTERS = 100, 200_000  # that are looked through
_ANCHOR = 16  # characters by which a passage is found
_NO_LIMIT = 1_000_000  # tokens of a window that cuts nothing


def find_mode(run: ImportedRun) -> ImportedRun:
    """Return the run in the first mode that sends its prompts, the default one before others."""
    calls = len(run.calls)
    characters = sum(map(len, run.texts))
    for call in run.calls:
        characters += len(call.prompt.text)
    if not run.chunks or calls > _MOST_CALLS or characters > _MOST_CHARACTERS:
        return run
    for candidate in _candidates(run):
        if candidate.verify().equal:
            likely = NOTES["likely"].format(mode=candidate.mode, count=calls)
            return replace(candidate, notes=(likely, *run.notes[1:]))
    return run


def _candidates(run: ImportedRun) -> Iterator[ImportedRun]:
    kinds = [kind for kind in MODES.values() if kind.templates and facts_of(kind).sends_chunks]
    kinds.sort(key=lambda kind: kind.mode != ResponseMode.COMPACT)
    for shown in (True, False):
        texts = with_metadata(run, shown=shown)
        chunks = PARAGRAPH.join(text.strip() for text in texts.texts)
        contexts = [_find_context(call, chunks) for call in run.calls]
        for kind in kinds:
            candidate = _in_mode(texts, kind, contexts)
            if candidate is not None:
                yield candidate
                yield candidate.with_helper(context_window=_NO_LIMIT)


def _in_mode(
    run: ImportedRun, kind: type[BaseSynthesizer], contexts: Sequence[str]
) -> ImportedRun | None:
    """Recover the templates of a mode, each with its texts and the answer that it refines."""
    answers: list[str] = []
    calls = []
    fillings: dict[str, list[Filling]] = {}
    for call, passage in zip(run.calls, contexts, strict=True):
        name = kind.templates[-1 if answers else 0]
        values = {"query_str": run.query}
        if kind.filters and answers:
            values["existing_answer"] = answers[-1]
        of_answers = ""
        if not kind.filters:  # a level above others reads their answers
            of_answers = _find_context(call, PARAGRAPH.join(answers))
        values[TEMPLATES[name].context or ""] = max(passage, of_answers, key=len)
        prompt = call.prompt
        messages = tuple((message.role, message.content) for message in prompt.messages)
        filling = Filling(Sent(messages, prompt.is_chat), values)
        fillings.setdefault(name, []).append(filling)
        calls.append(replace(call, template=name))
        answers.append((call.answer or "").strip())
    templates = {}
    for name, filled in fillings.items():
        template = recover_template(filled, TEMPLATES[name].context)
        refines = "existing_answer" in filled[0].values
        if template is None or (refines and not template.uses("existing_answer")):
            return None
        templates[name] = template
    return replace(run, mode=kind.mode, templates=templates, calls=tuple(calls))


def _find_context(call: CallRecord, source: str) -> str:
    passages = [_shared(message.content, source) for message in call.prompt.messages]
    return max(passages, key=len).strip()


def _shared(text: str, source: str) -> str:
    """Return the longest passage of the text that stands in the source, found by its anchors."""
    longest = ""
    at = 0
    while at + _ANCHOR <= len(text):
        place = source.find(text[at : at + _ANCHOR])
        if place < 0:
            at += _ANCHOR // 2
            continue
        start = at
        end = at + _ANCHOR
        while start and place and text[start - 1] == source[place - 1]:
            start -= 1
            place -= 1
        while end < len(text) and text[start : end + 1] == source[place : place + end + 1 - start]:
            end += 1
        longest = max(longest, text[start:end], key=len)
        at = end
    return longest
