"""Sentences about a run: as a whole, a step of it, a call."""

from collections.abc import Collection, Iterator, Sequence

from synth.errors import INTERRUPTED, CapReached
from synth.pictures.walk import ChunkPiece, Step
from synth.prompts.prompt import Prompt
from synth.quality import FactPath
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from synth.text.spans import SourceKind
from synth.text.tokenizer import Tokenizer
from synth.text.wording import (
    Bold,
    agree,
    counted,
    duration,
    embolden,
    listed,
    numbered,
    percent,
    spell,
)
from synth.traces.imported_run import IMPORTED
from synth.words.coverage_words import chunk_tokens, sends_chunks, why_no_call
from synth.words.fact_words import FACT_HEADS, fact_headline
from synth.words.plan_sentence import Headline

RUN_HEADS = {
    "made": "**{mode}** made **{calls}**{rest}.",
    "ended early": "{end}. {kept}.",
    **FACT_HEADS,
}
"""The forms of a run's headline, which a test walks."""


def run_headline(
    trace: Trace,
    by_person: bool = False,
    edited: Collection[int] = (),
    cost: str = "",
    path: FactPath | None = None,
    is_cause: bool = False,
) -> Headline:
    """Say what a run sent and got, and its troubles; answers `by_person` or `edited` are named.

    Of a run that has an answer, and of which a fact is followed, the `path` of that is said.
    """
    if path is not None and trace.response is not None:
        said = fact_headline(path, trace, is_cause)
        return said._replace(line=[*said.line, *(f" {each}" for each in answer_troubles(trace))])
    made, reused = made_calls(trace), reused_words(trace, edited)
    without = [call.number for call in trace.calls if not call.received]
    line = " ".join(_troubles(trace, made, without, by_person))
    if made:
        prompts = counted(sum(call.prompt_tokens for call in made), "prompt token")
        outputs = counted(sum(call.output_tokens for call in made), "output token")
        again = f"; {reused}" if reused else ""
        line = f"{prompts}, {outputs}{cost}{again}. {line}".rstrip()
    ended_early = trace.response is None and (trace.error_kind or trace.error or trace.stopped)
    head = _say_ended(trace) if ended_early else _say_made(trace, made, reused)
    return Headline(head, [line] if line else [])


def _say_made(trace: Trace, made: Sequence[CallRecord], reused: str) -> list[str]:
    """How many calls a run made, and what it cut off."""
    calls = numbered("call", ()) if not made else counted(len(made), "call")
    lost = trace.lost_tokens if sends_chunks(trace) and trace.response is not None else 0
    rest = f" in {duration(trace.seconds)}"
    if not made:
        rest = f": {reused}" if reused else why_no_call(trace)
    elif lost:
        rest = f" and cut off **{percent(lost, chunk_tokens(trace))} of the text**"
    return embolden(RUN_HEADS["made"].replace("{rest}", rest), mode=trace.setup.mode, calls=calls)


def _say_ended(trace: Trace) -> list[str]:
    """What ended a run before its answer, and how many answers of calls are kept."""
    failed = [call.number for call in trace.calls if call.answer is None and not call.stopped]
    end = f"{numbered('call', failed).capitalize()} failed" if failed else "The run failed"
    if trace.error_kind == CapReached.__name__:
        end = "Your cap stopped the run"
    elif trace.error_kind == INTERRUPTED:
        end = "The run was interrupted"
    elif trace.stopped:
        end = "The run was stopped"
    kept = len(trace.log())
    words = f"{spell(kept, 'answer').capitalize()} {'are' if kept > 1 else 'is'} kept"
    return embolden(RUN_HEADS["ended early"], end=end, kept=words)


def _troubles(
    trace: Trace, made: Sequence[CallRecord], without: Sequence[int], by_person: bool
) -> Iterator[str]:
    """What else is to be said of a run: other counts, calls without an answer, what was lost."""
    if words := _say_counts(made):
        yield words
    if without and trace.response is not None:
        yield f"{numbered('call', without).capitalize()} got no answer."
    yield from answer_troubles(trace)
    if made:
        yield from _losses(trace)
    again = sum(call.tries - 1 for call in trace.calls if not call.replayed)
    if by_person:
        yield "You were the model."
    elif again:
        yield f"{counted(again, 'request')} had to be sent again."


def recorded_sentence(trace: Trace) -> list[str]:
    """Say what another application's run made, by its trace; no mode where none is known."""
    words = embolden(
        "**{mode}** made **{calls}** in {time}: {prompts}, {outputs}.",
        mode=trace.setup.mode,
        calls=counted(trace.call_count, "call"),
        time=duration(trace.seconds),
        prompts=counted(sum(call.sent_tokens for call in trace.calls), "prompt token"),
        outputs=counted(trace.output_tokens, "output token"),
    )
    return words[2:] if trace.setup.mode == IMPORTED else words


def knows_chunks(run: Plan | Trace) -> bool:
    """Return whether it is known which text of chunks calls carried: not in a mere recording."""
    if not (run.calls and run.setup.chunks and sends_chunks(run)):
        return run.setup.mode != IMPORTED
    return any(call.origins for call in run.calls)


def made_calls(trace: Trace) -> list[CallRecord]:
    """List the calls that were sent and got a reply; reused answers were not asked for."""
    return [call for call in trace.calls if call.received and not call.replayed]


def reused_words(trace: Trace, edited: Collection[int] = ()) -> str:
    """Write how many answers were reused, and which a person wrote; "" if all were asked for."""
    written = [call.number for call in trace.calls if call.number in edited]
    reused = [call for call in trace.calls if call.replayed and call.number not in edited]
    words = [f"{len(reused):,} of {counted(trace.call_count, 'answer')} reused"] if reused else []
    if written:
        words.append(f"the answer of {numbered('call', written)} edited by hand")
    return ", ".join(words)


def _say_counts(made: Sequence[CallRecord]) -> str:
    theirs = [call.reported_prompt_tokens for call in made]
    if not made or None in theirs:
        return ""
    total = sum(call.sent_tokens for call in made)
    if theirs == [call.prompt_tokens for call in made]:
        return "The server counted the same."
    return f"The server counted {counted(total, 'prompt token')}."


def answer_troubles(trace: Trace) -> list[str]:
    """Say which answers are longer than asked for, and which were cut off, a sentence each."""
    return [words for words in (_say_too_long(trace), _say_cut_short(trace)) if words]


def _say_too_long(trace: Trace) -> str:
    if not trace.too_long:
        return ""
    calls = numbered("call", [call.number for call in trace.too_long]).capitalize()
    asked = counted(trace.setup.num_output, "token")
    return (
        f"{calls} gave more than the {asked} asked for: the model or its server ignores the"
        " answer length."
    )


def _say_cut_short(trace: Trace) -> str:
    short = [call.number for call in trace.calls if call.is_cut]
    if not short:
        return ""
    answers = "answer of {} was" if len(short) == 1 else "answers of {} were"
    calls = numbered("call", short)
    return f"The {answers.format(calls)} cut off: raise the answer length."


def _losses(trace: Trace) -> Iterator[str]:
    """What of the chunks was not sent and not read, or that nothing was lost."""
    lost = trace.lost_tokens if sends_chunks(trace) else 0
    unread, ended = trace.cut_by_server_tokens, trace.response is not None
    if lost:
        verb, what = ("were", "cut off") if ended else ("are", "not sent yet")
        yield f"{counted(lost, 'token')} of the chunks {agree(verb, lost)} {what}."
    if unread:
        were = agree("were", unread)
        yield f"About {counted(unread, 'token')} of the chunks {were} cut by the server."
    if lost or unread or not ended or trace.counts.cut is not None:
        return
    if not sends_chunks(trace):
        yield "No chunk was sent."
    else:
        yield "No chunk was cut off." if _say_cut_short(trace) else "Nothing was cut off."


def step_sentence(step: Step) -> list[str]:
    """Write the sentence of a step, for `sentence_html`."""
    outcome = {"chain": _say_chain, "list": _say_list, "levels": _say_level}[step.shape](step)
    return [Bold(f"Step {step.number:,} of {step.total:,}"), f": {outcome}."]


def _say_chain(step: Step) -> str:
    diff = step.diff
    if trouble := _trouble(step):
        stays = step.before and not (diff.dropped or diff.added)
        outcome = trouble + (", so the answer stays as it was" if stays else "")
    elif not step.before:
        outcome = f"the first answer has {counted(diff.added, 'word')}"
    elif diff.added or diff.dropped:
        outcome = diff.in_words
    else:
        outcome = "the answer stays as it was"
    return f"{_goes_in(step.pieces)}; {outcome}"


def _trouble(step: Step) -> str:
    if step.failed:
        return _say_failed(step)
    if step.filtered:
        return "the model said that this does not answer the question"
    if step.lost == "empty":
        return "the reply was empty"
    if step.lost == "refers":
        return "the answer was lost: the reply only refers to it"
    if step.lost == "shorter":
        left, before = step.diff.kept + step.diff.added, step.diff.kept + step.diff.dropped
        return f"most of the answer was lost: {counted(before, 'word')} became {left:,}"
    return ""


def _say_failed(step: Step) -> str:
    stopped = any(call.stopped for call in step.calls)
    return "the run was stopped before its answer" if stopped else "the call failed"


def _say_list(step: Step) -> str:
    outcome = f"the list has {counted(len(step.after), 'answer')}"
    return f"{_goes_in(step.pieces)}; {_say_failed(step) if step.failed else outcome}"


def _say_level(step: Step) -> str:
    calls, level = len(step.calls), step.calls[0].depth
    read = [counted(len(step.before), "answer")] if step.before else []
    read += [_names(step.pieces)] if step.pieces else []
    stopped = sum(call.stopped for call in step.calls)
    failed = f"; {step.failed - stopped:,} of them failed" if step.failed > stopped else ""
    failed += f"; {stopped:,} of them stopped" if stopped else ""
    reads = "reads" if calls == 1 else "read"
    return f"{counted(calls, 'call')} at level {level} {reads} {listed(read)}{failed}"


def _goes_in(pieces: Sequence[ChunkPiece]) -> str:
    if not pieces:
        return "no chunk goes in"
    if len(pieces) == 1 and pieces[0].part:
        return f"{pieces[0].label}, goes in"
    several = len({piece.chunk for piece in pieces}) > 1
    return f"{_names(pieces)} {'go' if several else 'goes'} in"


def _names(pieces: Sequence[ChunkPiece]) -> str:
    if len(pieces) == 1:
        return pieces[0].label
    return numbered("chunk", list(dict.fromkeys(piece.chunk for piece in pieces)))


def reads(call: PlannedCall | CallRecord, brief: bool = False) -> str:
    """Write the chunks and answers in the prompt of a call, in words; `brief` is for a table."""
    chunks, answers = list_carried(call, "chunk"), list_carried(call, "answer")
    words = [numbered("chunk", chunks)] if chunks or not answers else []
    if answers:
        prefix = "the answer of " if len(answers) == 1 else "the answers of "
        words.append(("" if brief else prefix) + numbered("call", answers))
    return listed(words)


def list_carried(call: PlannedCall | CallRecord, kind: SourceKind) -> list[int]:
    """Return the numbers of the chunks in a call's prompt, or in those of the answers it reads."""
    return sorted({origin.number for origin in call.origins if origin.kind == kind})


def hidden_frame(prompt: Prompt, tokenizer: Tokenizer) -> str:
    """Say what of the chat template stands in no text, such as all of OpenAI's; "" for nothing."""
    frame = tokenizer.frame(tuple(message.role for message in prompt.messages))
    if frame is None or not frame.extra_tokens:
        return ""
    tokens = counted(frame.extra_tokens, "token")
    whole = "The chat template adds" if not any(frame.texts) else "The chat template also adds"
    return f"{whole} {tokens} around the messages, which no text shows."
