"""What is said of a run, of its steps and calls, and of what went wrong with them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from synth import errors
from synth.errors import INTERRUPTED, CapReached, ModelError, SynthError
from synth.prompts.prompt import SpanKind
from synth.quality import FactPath
from synth.runs.calls import CallRecord, PlannedCall, reasoning_count
from synth.runs.meaning import split_reasoning
from synth.runs.trace import Plan, Trace
from synth.text.spans import SourceKind
from synth.text.tokenizer import Tokenizer
from synth.text.wording import agree, counted, duration, embolden, listed, numbered, percent
from synth.traces.imported_run import IMPORTED
from synth.words.fact_words import FACT_HEADS, fact_headline
from synth.words.plan_words import Headline, chunk_tokens, sends_chunks, why_no_call

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
    made = [call for call in trace.calls if call.received and not call.replayed]
    reused = reused_words(trace, edited)
    line = " ".join(_troubles(trace, made, by_person))
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
    lost = trace.lost_tokens if knows_chunks(trace) and sends_chunks(trace) else 0
    rest = f" in {duration(trace.seconds)}"
    if not made:
        rest = f": {reused}" if reused else why_no_call(trace)
    elif lost and trace.response is not None:
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
    words = f"{counted(kept, 'answer')} {agree('are', kept)} kept"
    return embolden(RUN_HEADS["ended early"], end=end, kept=words)


def _troubles(trace: Trace, made: Sequence[CallRecord], by_person: bool) -> Iterator[str]:
    """What else is to be said of a run: calls without an answer, what was lost."""
    without = [call.number for call in trace.calls if not call.received]
    if without and trace.response is not None:
        yield f"{numbered('call', without).capitalize()} got no answer."
    yield from answer_troubles(trace)
    if made and knows_chunks(trace) and sends_chunks(trace):
        yield from _say_lost(trace)
    if by_person:
        yield "You were the model."


def _say_lost(trace: Trace) -> Iterator[str]:
    """How much of the chunks was not sent; what a server cut has an alarm of its own."""
    lost, ended = trace.lost_tokens, trace.response is not None
    if lost:
        verb, what = ("were", "cut off") if ended else ("are", "not sent yet")
        yield f"{counted(lost, 'token')} of the chunks {agree(verb, lost)} {what}."
    elif ended and trace.counts.cut is None:
        yield "No chunk was cut off."


def knows_chunks(run: Plan | Trace) -> bool:
    """Return whether it is known which text of chunks calls carried: not in a mere recording."""
    if not (run.calls and run.setup.chunks and sends_chunks(run)):
        return run.setup.mode != IMPORTED
    return any(call.origins for call in run.calls)


def reused_words(trace: Trace, edited: Collection[int] = ()) -> str:
    """Write how many answers were reused, and which a person wrote; "" if all were asked for."""
    written = [call.number for call in trace.calls if call.number in edited]
    reused = [call for call in trace.calls if call.replayed and call.number not in edited]
    words = [f"{len(reused):,} of {counted(trace.call_count, 'answer')} reused"] if reused else []
    if written:
        words.append(f"the answer of {numbered('call', written)} edited by hand")
    return ", ".join(words)


def answer_troubles(trace: Trace) -> list[str]:
    """Say which answers are longer than asked for, and which were cut off, a sentence each."""
    long, short = trace.too_long, [call.number for call in trace.calls if call.is_cut]
    words = []
    if long:
        calls = numbered("call", [call.number for call in long]).capitalize()
        asked = counted(trace.setup.num_output, "token")
        words.append(f"{calls} gave more than the {asked} asked for.")
    if short:
        answers = "answer of {} was" if len(short) == 1 else "answers of {} were"
        calls = numbered("call", short)
        words.append(f"The {answers.format(calls)} cut off: raise the answer length.")
    return words


def reads(call: PlannedCall | CallRecord) -> str:
    """Write the chunks and answers in the prompt of a call, in words."""
    chunks, answers = list_carried(call, "chunk"), list_carried(call, "answer")
    values = [span for span in call.prompt.spans if span.kind == SpanKind.CONTEXT]
    if not call.origins and any(len(span.text) for span in values):
        return "chunks that are not known"  # of a recording that is not verified
    words = [numbered("chunk", chunks)] if chunks or not answers else []
    if answers:
        the = "the answer of" if len(answers) == 1 else "the answers of"
        words.append(f"{the} {numbered('call', answers)}")
    return listed(words)


def list_carried(call: PlannedCall | CallRecord, kind: SourceKind) -> list[int]:
    """Return the numbers of the chunks in a call's prompt, or in those of the answers it reads."""
    return sorted({origin.number for origin in call.origins if origin.kind == kind})


def call_facts(
    call: PlannedCall | CallRecord, timed: bool = True, edited: Collection[int] = ()
) -> list[str]:
    """Name its tokens, and how its answer came, as `answer_facts` does."""
    if isinstance(call, PlannedCall):
        return [f"{counted(call.prompt_tokens, 'token')} in"]
    facts = [f"{counted(call.prompt_tokens, 'token')} in, {call.output_tokens:,} out"]
    if call.cached_tokens:
        facts.append(f"{call.cached_tokens:,} cached")
    if call.reasoning_tokens:
        facts.append(f"{call.reasoning_tokens:,} reasoning")
    return [*facts, *answer_facts(call, timed, edited)]


def answer_facts(
    call: CallRecord, timed: bool = True, edited: Collection[int] = ()
) -> Iterator[str]:
    """Name seconds if `timed`, and what else happened; a person wrote `edited` answers."""
    if call.number in edited:
        yield "answer edited by hand"
    elif call.replayed:
        yield "answer reused"
    elif timed:
        yield duration(call.seconds)
    if call.tries > 1:
        yield f"sent {call.tries:,} times"
    if call.answer is None:
        yield "stopped" if call.stopped else "failed"
    elif not call.satisfied:
        yield "filtered"


def reasoning_words(call: CallRecord, tokenizer: Tokenizer) -> str:
    """Name its reasoning with the tokens, which are about so many where the server gave none."""
    about = "" if call.reasoning_tokens else "about "
    return f"Reasoning, {about}{counted(reasoning_count(call, tokenizer), 'token')}"


def reply_without_reasoning(call: CallRecord) -> str:
    """Write what arrived of a reply, without the reasoning in it, which is shown apart."""
    reply = call.reply or ""
    return split_reasoning(reply, call.finish_reason)[1] if call.reasoning else reply


def ending(trace: Trace) -> str:
    """Write why there is no response; "" if there is one."""
    if trace.response is not None:
        return ""
    if trace.stopped:
        return "The run was stopped before its end."
    return f"The run failed. {failure(trace.error, trace.error_kind)}"


def failure(message: str | None, kind: str | None) -> str:
    """Say why a call or run failed, never in a server's words: they may hold an address or key."""
    found = getattr(errors, kind or "", None)
    if not (isinstance(found, type) and issubclass(found, SynthError)):
        return kind or "No reason is known."
    if issubclass(found, ModelError):
        return (found.__doc__ or "").split("\n")[0]
    return message or kind or ""


def without_servers_words(trace: Trace) -> Trace:
    """Return the run in words of ours alone: why it failed, that requests were sent again."""

    def own_words(failed: Trace | CallRecord) -> str | None:
        return None if failed.error is None else failure(failed.error, failed.error_kind)

    calls = (
        replace(call, error=own_words(call), retried=("",) * len(call.retried))
        for call in trace.calls
    )
    return replace(trace, calls=tuple(calls), error=own_words(trace))
