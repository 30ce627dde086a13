"""Every call of a run, its prompt and its answer, each under a line that opens."""

from __future__ import annotations

from synth.runs.calls import CallRecord
from synth.text.wording import counted, duration
from ui.look.escape import answer_html, prompt_html
from ui.look.html import Html, tag
from ui.report.document import box, fold
from ui.report.reported import ReportedRun, failure
from ui.trace.reads import reads


def calls_html(run: ReportedRun) -> Html:
    """All calls in order, closed; on paper they are open."""
    folds = [_call(run, call) for call in run.trace.calls]
    return tag("div.calls", *folds) if folds else Html()


def _call(run: ReportedRun, call: CallRecord) -> Html:
    name = call.template.removesuffix("_template")
    return fold(
        f"Call {call.number} · {name}",
        " · ".join((f"reads {reads(call)}", *call_facts(run, call))),
        *(tag("div.small.muted", f"Note: {note}") for note in call.notes),
        prompt_html(call.prompt, fold=False),
        _answer(call),
    )


def call_facts(run: ReportedRun, call: CallRecord) -> list[str]:
    """Tokens in and out, seconds if they say something, and what else happened."""
    facts = [f"{counted(call.prompt_tokens, 'token')} in, {call.output_tokens:,} out"]
    if call.number in run.edited:
        facts.append("answer edited by hand")
    elif call.replayed:
        facts.append("answer reused")
    elif run.timed:
        facts.append(duration(call.seconds))
    if call.tries > 1:
        facts.append(f"sent {call.tries:,} times")
    if call.answer is None:
        facts.append("stopped" if call.stopped else "failed")
    elif not call.satisfied:
        facts.append("filtered")
    return facts


def _answer(call: CallRecord) -> Html:
    """The answer, and the reply if it is not the same; or why there is none."""
    if call.answer is None:
        why = "This call was stopped." if call.stopped else failure(call.error, call.error_kind)
        return box(why) + (_titled("What had arrived", call.reply) if call.reply else "")
    reply = Html()
    if call.reply is not None and call.reply != call.answer:
        reply = _titled("What the model wrote", call.reply)
    return _titled("Answer", call.answer) + reply


def _titled(title: str, text: str) -> Html:
    empty = tag("div.small.muted", "The model returned an empty answer.")
    return tag("h3", title) + (answer_html(text) if text else empty)
