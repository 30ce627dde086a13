"""What is said of a call that was made, and of what went wrong with it or with its run."""

from collections.abc import Collection
from dataclasses import replace

from synth import errors
from synth.errors import ModelError, SynthError
from synth.runs.budget import reasoning_count
from synth.runs.calls import CallRecord
from synth.runs.reasoning import split_reasoning
from synth.runs.trace import Trace
from synth.text.tokenizer import Tokenizer
from synth.text.wording import counted, duration


def call_facts(call: CallRecord, timed: bool = True, edited: Collection[int] = ()) -> list[str]:
    """Name tokens, seconds if `timed`, and what else happened; a person wrote `edited` answers."""
    facts = [f"{counted(call.prompt_tokens, 'token')} in, {call.output_tokens:,} out"]
    if call.cached_tokens:
        facts.append(f"{call.cached_tokens:,} cached")
    if call.reasoning_tokens:
        facts.append(f"{call.reasoning_tokens:,} reasoning")
    if call.number in edited:
        facts.append("answer edited by hand")
    elif call.replayed:
        facts.append("answer reused")
    elif timed:
        facts.append(duration(call.seconds))
    if call.tries > 1:
        facts.append(f"sent {call.tries:,} times")
    if call.answer is None:
        facts.append("stopped" if call.stopped else "failed")
    elif not call.satisfied:
        facts.append("filtered")
    return facts


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
    """Return the run in words of ours alone: why it failed, and what is noted of its calls."""
    calls = tuple(map(call_in_own_words, trace.calls))
    return replace(trace, calls=calls, error=_own_words(trace))


def call_in_own_words(call: CallRecord) -> CallRecord:
    """Return the same of a call; that a request was sent again is told, and not why."""
    return replace(call, error=_own_words(call), retried=("",) * len(call.retried))


def _own_words(failed: Trace | CallRecord) -> str | None:
    return None if failed.error is None else failure(failed.error, failed.error_kind)
