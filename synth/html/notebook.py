"""What a notebook shows of a plan, of a run or of a response.

It is the sentence and the picture of the pages, the answer with its sources, and the prompts in
folds, in HTML that runs no script and loads nothing. Plain text stays for terminals. Reports are
made of the same parts.

A notebook that is not trusted loses styles and SVG, but keeps images: it has the picture as one.
"""

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path

from synth.html.escape import (
    answer_html,
    chunk_html,
    legend_html,
    level_html,
    prompt_html,
    sentence_html,
)
from synth.html.markup import COLOURS, TEXT, Html, tag, together
from synth.html.provenance import tagged_answer
from synth.modes.responses import Response
from synth.pictures.bar_parts import CallBar, call_bars
from synth.pictures.run_picture import draw_run
from synth.pictures.scene import MEANINGS, Scene
from synth.pictures.scene_writer import HATCHES, ROOM, STYLES, scene_html
from synth.runs.bounds import Bounds
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.coverage import ChunkCoverage
from synth.runs.trace import Plan, Trace
from synth.schema import MetadataMode
from synth.text.tokenizer import Tokenizer
from synth.text.wording import counted
from synth.words.plan_words import (
    alarm_words,
    counts_words,
    missing_word,
    missing_words,
    paid,
    plan_headline,
    planned_cost,
)
from synth.words.run_words import (
    call_facts,
    ending,
    knows_chunks,
    reads,
    reasoning_words,
    reply_without_reasoning,
    run_headline,
    without_servers_words,
)

_OWN = Path(__file__).with_name("notebook.css").read_text("utf-8")
_MOST = 200_000  # characters of HTML in a fold, beyond which the rest is left out
_WIDE, _KEY_HIGH = 860, 64  # pixels of a picture as an image, and of two lines of its key
_XHTML, _SVG = "http://www.w3.org/1999/xhtml", '<svg xmlns="http://www.w3.org/2000/svg" '
_UNKNOWN = " Which chunks its calls carried is not known."
_outputs = count(1)
"""Numbers outputs: two that are equal have names of their own too, since one may be hidden."""


def notebook_html(shown: Plan | Trace | Response) -> str:
    """Return the HTML of a value, with its styles, for `_repr_html_`.

    Of prompts and chunks of more than 200,000 characters the rest is left out, and it says so.
    """
    inside = together(_parts(shown))
    number = f"{next(_outputs)} {inside}".encode("utf-8", "replace")
    name = f"synth-{hashlib.sha256(number).hexdigest()[:10]}"
    styles = _styles().replace("#hatch", f"#{name}-hatch")
    hatches = HATCHES.replace('id="hatch', f'id="{name}-hatch')
    style = tag("style", Html(f".{name} {{\n{styles}\n}}"))
    return tag(f"div.{name}", style, Html(hatches), inside)


@cache
def _styles() -> str:
    """The rules of pages as rules within a class: what they set for a page is set for that."""
    return "\n".join((COLOURS.replace(":root", "&"), TEXT, STYLES, ROOM, _OWN))


def _parts(shown: Plan | Trace | Response) -> Iterator[Html]:
    match shown:
        case Plan():
            yield from _plan(shown)
        case Trace():
            yield from _trace(shown)
        case Response(source_nodes=sources):
            texts = [source.node.get_content(MetadataMode.NONE) for source in sources]
            given = 0  # sources that are chunks of the run
            if shown.trace is None:
                answer = tagged_answer(str(shown), texts)
                yield tag("div.said", answer)
            else:
                yield from _trace(shown.trace)
                given = len(shown.trace.setup.chunks)
            others = [chunk_html([(text, "context")]) for text in texts[given:]]
            yield _fold("source", "source_nodes", len(others), others)


def _plan(plan: Plan) -> Iterator[Html]:
    prompts = [call.prompt_tokens for call in plan.calls]
    bounds = Bounds.batch(prompts, plan.setup.most_output) if plan.exact else None
    cost = ""
    if (price := plan.setup.price) is not None:
        cost = f", {planned_cost(price, plan, plan, bounds)}"
    yield sentence_html(plan_headline(plan, plan, bounds, cost).sentence)
    yield tag("div.small.muted", plan.setup.tokenizer.counting)
    yield box(plan.problem or "")
    yield _pictures(plan)
    yield _calls(plan)
    yield _chunks(plan)


def _trace(trace: Trace) -> Iterator[Html]:
    trace = without_servers_words(trace)
    known, price = knows_chunks(trace), trace.setup.price
    yield alarm_html(trace) if known else Html()
    cost = "" if price is None else paid(price.of(*trace.sent.tokens), trace.is_billed(price))
    yield sentence_html([*run_headline(trace, cost=cost).sentence, "" if known else _UNKNOWN])
    yield tag("div.small.muted", trace.setup.tokenizer.counting)
    if words := counts_words(trace):
        yield sentence_html(words)
    yield box(ending(trace))
    if known:
        yield _pictures(trace)
    if trace.response is not None:
        yield tag("div.said", tagged_answer(trace.response, trace.setup.chunks))
    yield _calls(trace)
    yield _chunks(trace)


def _pictures(run: Plan | Trace) -> Html:
    """The picture of the run and the key of its colours, and both as an image."""
    if not run.calls:
        return Html()
    scene, key = draw_run(run), bars_key(call_bars(run.calls, run.setup))
    # JupyterLab drops an attribute without a value.
    return tag("div.untrusted", _image(scene, key)) + tag(
        "div.trusted", key, figure(scene), hidden="hidden"
    )


def _image(scene: Scene, key: Html) -> Html:
    """Write a picture and its key as an SVG image, which has its own styles."""
    styles = tag("style", f".page {{\n{_styles()}\n}}")
    page = tag("div.page", styles, Html(HATCHES), figure(scene), key, xmlns=_XHTML)
    drawn = str(tag("foreignObject", page, width="100%", height="100%")).replace("<svg ", _SVG)
    high = f"{scene.height + _KEY_HIGH:.0f}"
    svg = f'{_SVG}width="{_WIDE}" height="{high}">{drawn}</svg>'
    data = b64encode(svg.encode("utf-8", "replace")).decode()
    return Html('<img width="{}" height="{}" alt="{}" src="data:image/svg+xml;base64,{}">').format(
        _WIDE, high, scene.alt, data
    )


def _calls(run: Plan | Trace) -> Html:
    """All calls with their prompts, in folds within a fold."""
    calls = (call_html(call, run.setup.tokenizer, call_facts(call)) for call in run.calls)
    return _fold("call", "calls", run.call_count, calls, " with prompts")


def _chunks(run: Plan | Trace) -> Html:
    """All chunks, with the text that was not sent where that is known."""
    chunks = (chunk_html([(text, "context")]) for text in run.setup.chunks)
    if knows_chunks(run):
        missing = missing_word(run)
        chunks = (covered_chunk(chunk, missing) for chunk in run.coverage)
    return _fold("chunk", "setup.chunks", len(run.setup.chunks), chunks)


def _fold(noun: str, where: str, total: int, parts: Iterable[Html], detail: str = "") -> Html:
    """Things in a fold, as many as there is room for; nothing where there are none."""
    if not total:
        return Html()
    shown: list[Html] = []
    room = _MOST
    for part in parts:
        room -= len(part)
        if room < 0:
            rest = counted(total - len(shown), noun)
            words = f"{rest} of {total:,} are left out here; {where} has all."
            shown.append(tag("div.small.muted", words))
            break
        shown.append(part)
    return fold(f"{counted(total, noun)}{detail}", "", *shown)


def bars_key(bars: Sequence[CallBar]) -> Html:
    """Write the key of the colours and patterns in these bars, in the order of their meanings."""
    drawn = {part.meaning for bar in bars for part in bar.parts}
    meanings = [meaning for meaning in MEANINGS if meaning in drawn]
    if any(bar.cached for bar in bars):
        meanings.append("cached")
    return legend_html(meanings)


def figure(scene: Scene) -> Html:
    """Write a scene, for a document with the styles and the hatches of pictures."""
    return tag("div.pictures", Html(scene_html(scene)))


def alarm_html(trace: Trace) -> Html:
    """Write the box that says what the server read of what was sent; nothing if it read all."""
    head = alarm_words(trace)
    return tag("div.alarm.num", tag("div.alarm-head", head, role="status")) if head else Html()


def fold(title: str, detail: str, *parts: Html) -> Html:
    """Write a line that opens to its parts."""
    more = (" ", tag("span", f"· {detail}")) if detail else ()
    return tag("details", tag("summary.head.num", title, *more), tag("div.inside", *parts))


def box(text: str) -> Html:
    """Write a text in a frame; nothing if it is empty."""
    return tag("div.box", text, dir="auto") if text else Html()


def call_html(call: PlannedCall | CallRecord, tokenizer: Tokenizer, facts: Iterable[str]) -> Html:
    """Write a call in a fold, with its prompt and its answer; `facts` stand in its head.

    Its errors and notes are written as they are, so a server's words must not be in them.
    """
    name = call.template.removesuffix("_template")
    return fold(
        f"Call {call.number} · {name}",
        " · ".join((f"reads {reads(call)}", *facts)),
        *(tag("div.small.muted", f"Note: {note}") for note in call.all_notes),
        prompt_html(call.prompt, tokenizer),
        *(write_reply(call, tokenizer) if isinstance(call, CallRecord) else ()),
    )


def write_reply(call: CallRecord, tokenizer: Tokenizer) -> Iterator[Html]:
    """Write the answer, or why there is none; what the model wrote beside it; its reasoning."""
    if call.stopped:
        yield box("This call was stopped.")
    elif call.answer is None:
        failed = level_html("error", f"Call {call.number} failed.")
        yield tag("div.box", failed, " ", call.error or "", role="status", dir="auto")
    else:
        empty = tag("div.small.muted", "The model returned an empty answer.")
        yield tag("h3", "Answer") + (answer_html(call.answer) if call.answer else empty)
    wrote = reply_without_reasoning(call)
    if wrote and wrote != call.answer:
        yield tag("h3", "What the model wrote") + answer_html(wrote)
    if call.reasoning:
        yield fold(reasoning_words(call, tokenizer), "", answer_html(call.reasoning))


def covered_chunk(chunk: ChunkCoverage, missing: str) -> Html:
    """Write a chunk with the signs of what was not sent and not read; `missing` is its word."""
    words = missing_words(chunk, missing) or counted(chunk.tokens, "token")
    return tag("h3", f"Chunk {chunk.number} · {words}") + chunk_html(chunk.texts)
