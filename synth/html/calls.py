"""Calls and chunks of plans and runs as HTML: prompts in folds, chunks with what is missing."""

from collections.abc import Iterable

from synth.html.escape import answer_html, chunk_html, prompt_html
from synth.html.markup import Html, tag
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.coverage import ChunkCoverage
from synth.text.tokenizer import Tokenizer
from synth.text.wording import counted
from synth.words.call_words import call_in_own_words, failure
from synth.words.coverage_words import missing_words
from synth.words.sentences import hidden_frame, reads


def fold(title: str, detail: str, *parts: Html) -> Html:
    """A line that opens to its parts."""
    more = (" ", tag("span", f"· {detail}")) if detail else ()
    return tag("details", tag("summary.head.num", title, *more), tag("div.inside", *parts))


def box(text: str) -> Html:
    """A text in a frame; nothing if it is empty."""
    return tag("div.box", text, dir="auto") if text else Html()


def call_html(call: PlannedCall | CallRecord, tokenizer: Tokenizer, facts: Iterable[str]) -> Html:
    """A call in a fold, with its prompt and its answer; `facts` stand in its head."""
    name = call.template.removesuffix("_template")
    hidden = hidden_frame(call.prompt, tokenizer)
    own = call_in_own_words(call) if isinstance(call, CallRecord) else call
    return fold(
        f"Call {call.number} · {name}",
        " · ".join((f"reads {reads(call)}", *facts)),
        *(tag("div.small.muted", f"Note: {note}") for note in own.all_notes),
        *([tag("div.small.muted", hidden)] if hidden else []),
        prompt_html(call.prompt, fold=False, tokenizer=tokenizer),
        *([_answer(call)] if isinstance(call, CallRecord) else []),
    )


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


def covered_chunk(chunk: ChunkCoverage, missing: str, score: str = "") -> Html:
    """A chunk with the signs of what was not sent and not read; `missing` is the word for it.

    `score` stands in its head.
    """
    words = missing_words(chunk, missing) or counted(chunk.tokens, "token")
    return tag("h3", f"Chunk {chunk.number}{score} · {words}") + chunk_html(chunk.texts)
