"""The pictures, the calls and the alarm of plans and runs, as reports and notebooks have them."""

from collections.abc import Iterable, Iterator, Sequence

from synth.html.escape import answer_html, chunk_html, legend_html, prompt_html, tags_html
from synth.html.markup import Html, tag
from synth.pictures.call_bars import CallBar
from synth.pictures.page import scene_html
from synth.pictures.scene import MEANINGS, Scene
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Trace
from synth.text.tokenizer import Tokenizer
from synth.text.wording import Tag, counted
from synth.words.plan_words import alarm_words, missing_words
from synth.words.run_words import (
    call_in_own_words,
    failure,
    reads,
    reasoning_words,
    reply_without_reasoning,
)

_FROM_THE_START: Tag = "which part: from the start, as Ollama cuts", "estimate"


def bars_key(bars: Sequence[CallBar]) -> Html:
    """Write the key of the colours and patterns in these bars, in the order of their meanings."""
    drawn = {part.meaning for bar in bars for part in bar.parts}
    meanings = [meaning for meaning in MEANINGS if meaning in drawn]
    if any(bar.cached for bar in bars):
        meanings.append("cached")
    estimated = any(bar.planned and bar.budget.tokens("answer") for bar in bars)
    return legend_html(meanings, estimated)


def figure(scene: Scene) -> Html:
    """Write a scene, for a document with the styles and the hatches of pictures."""
    return tag("div.pictures", Html(scene_html(scene)))


def alarm_html(trace: Trace, consequence: str = "") -> Html:
    """Write the box that says what the server read of what was sent; nothing if it read all."""
    cut = trace.counts.cut
    if cut is None:
        return Html()
    head, did = alarm_words(trace)
    sent = f"{max(cut.sent_tokens):,}: {trace.setup.tokenizer.counting}"
    return tag(
        "div.alarm.num",
        tag("div.alarm-head", head, role="status"),
        tag("div.small.muted", f"{did} {consequence}".strip()),
        tags_html([(sent, "exact" if trace.counts.sure else "estimate"), _FROM_THE_START]),
    )


def fold(title: str, detail: str, *parts: Html) -> Html:
    """Write a line that opens to its parts."""
    more = (" ", tag("span", f"· {detail}")) if detail else ()
    return tag("details", tag("summary.head.num", title, *more), tag("div.inside", *parts))


def box(text: str) -> Html:
    """Write a text in a frame; nothing if it is empty."""
    return tag("div.box", text, dir="auto") if text else Html()


def call_html(call: PlannedCall | CallRecord, tokenizer: Tokenizer, facts: Iterable[str]) -> Html:
    """Write a call in a fold, with its prompt and its answer; `facts` stand in its head."""
    name = call.template.removesuffix("_template")
    own = call_in_own_words(call) if isinstance(call, CallRecord) else call
    return fold(
        f"Call {call.number} · {name}",
        " · ".join((f"reads {reads(call)}", *facts)),
        *(tag("div.small.muted", f"Note: {note}") for note in own.all_notes),
        prompt_html(call.prompt, fold=False, tokenizer=tokenizer),
        *(_answer(call, tokenizer) if isinstance(call, CallRecord) else ()),
    )


def _answer(call: CallRecord, tokenizer: Tokenizer) -> Iterator[Html]:
    """The answer, and the reply if it is not the same; or why there is none; the reasoning."""
    wrote = reply_without_reasoning(call)
    texts = {"Answer": call.answer or "", "What the model wrote": wrote}
    if call.answer is None:
        yield box(
            "This call was stopped." if call.stopped else failure(call.error, call.error_kind)
        )
        texts = {"What had arrived": wrote} if wrote else {}
    elif call.reply is None or wrote == call.answer:
        texts = {"Answer": call.answer}
    for title, text in texts.items():
        empty = tag("div.small.muted", "The model returned an empty answer.")
        yield tag("h3", title) + (answer_html(text) if text else empty)
    if call.reasoning:
        yield fold(reasoning_words(call, tokenizer), "", answer_html(call.reasoning))


def covered_chunk(chunk: ChunkCoverage, missing: str) -> Html:
    """Write a chunk with the signs of what was not sent and not read; `missing` is its word."""
    words = missing_words(chunk, missing) or counted(chunk.tokens, "token")
    return tag("h3", f"Chunk {chunk.number} · {words}") + chunk_html(chunk.texts)
