"""Both counts of a run's prompts: in words, and in a table with bars."""

import re
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import streamlit as st

from synth.html.escape import counting_tag, legend_html, sentence_html, tags_html
from synth.html.markup import Html, tag
from synth.pictures.budget import BARS, legend_kinds, reach
from synth.runs.calls import CallRecord
from synth.runs.counts import Counts
from synth.runs.trace import Trace
from synth.text.wording import Tag, counted, duration
from synth.words import count_words
from synth.words.sentences import reads
from ui.look.scripts import clicks
from ui.views.call_detail import select, selected
from ui.views.run_views import RunView


def headline(trace: Trace) -> bool:
    """Draw how the server's counts stand to ours; False where there is nothing to say."""
    words = count_words.counts_sentence(trace)
    if not words:
        return False
    calls = f"{trace.setup.mode} · {counted(trace.call_count, 'call')} · {duration(trace.seconds)}"
    tags: list[Tag] = [
        counting_tag(trace.setup.tokenizer),
        *count_words.difference_tags(trace.counts),
        (calls, "exact"),
    ]
    st.html(sentence_html(words) + tags_html(tags))
    return True


_WORDS = 0.06  # of the scale of a bar, from which on a part has room for its number
_SAME = "✓ same"
_CALL = re.compile(r"call (\d{1,4})")


class _Column(NamedTuple):
    """Its `style` is its classes: "n" for numbers, "bar", "wide" where it needs a wide page."""

    name: str
    cells: Sequence[str]
    total: str = ""
    style: str = ""


def fits(view: RunView) -> bool:
    """Whether the server counted prompts of this run, and its calls are few enough for bars."""
    run = view.run
    if view.recorded or not isinstance(run, Trace):
        return False
    return bool(run.counts.calls) and len(run.calls) <= BARS


def draw(view: RunView, trace: Trace, calls: Sequence[CallRecord], outcomes: Sequence[str]) -> None:
    """Draw these calls with their outcomes, if any is told; a press on a number opens its call."""
    columns = _columns(view, trace, calls)
    if outcomes:
        columns.append(_Column("", outcomes))
    legend = tag("div.wide", _legend(view, trace, calls))  # where there are bars
    st.html(tag("div.counts", legend, _table(columns, calls, selected(view))))

    def open_call(what: str) -> None:
        found = _CALL.fullmatch(what)
        if found and int(found[1]) <= len(trace.calls):
            select(int(found[1]))

    clicks(open_call)


def _legend(view: RunView, trace: Trace, calls: Sequence[CallRecord]) -> Html:
    if trace.counts.equal:
        return legend_html(legend_kinds([view.row(call) for call in calls]))
    counts = trace.counts
    kinds = [("k-template", _whose(counts))]
    if any(call.theirs > call.ours for call in counts.calls):
        kinds.append(("k-free", "counted more by the server"))
    if any(call.theirs < call.ours for call in counts.calls):
        kinds.append(("less", "counted less by the server"))
    return tag("div.key", *(tag("span", tag(f"i.{kind}"), words) for kind, words in kinds))


def _whose(counts: Counts) -> str:
    return "ours" if counts.sure or counts.equal else "estimate"


def _table(columns: Sequence[_Column], calls: Sequence[CallRecord], opened: int) -> Html:
    head = tag("tr", *(_cell("th", column, column.name) for column in columns))
    rows = (
        tag(
            "tr.open" if call.number == opened else "tr",
            *(_cell("td", column, column.cells[at]) for column in columns),
        )
        for at, call in enumerate(calls)
    )
    total = tag("tr", *(_cell("td", column, column.total) for column in columns))
    return tag("table.num", tag("thead", head), tag("tbody", *rows), tag("tfoot", total))


def _cell(name: str, column: _Column, text: str) -> Html:
    return tag(f"{name}.{column.style}".rstrip("."), text)


def _columns(view: RunView, trace: Trace, calls: Sequence[CallRecord]) -> list[_Column]:
    """The columns of these calls; those that their server didn't count are in no sum."""
    counts = trace.counts
    server = {call.number: call.theirs for call in counts.calls}
    theirs = [server.get(call.number) for call in calls]
    ours = [call.prompt_tokens for call in calls]
    summed = [one for one, other in zip(ours, theirs, strict=True) if other is not None]
    equal = counts.equal
    columns = [
        _Column("call", [_opener(call) for call in calls]),
        _Column(
            "reads",
            [reads(call, brief=True) for call in calls],
            f"sum of {counted(len(summed), 'call')}",
        ),
        _budget_bars(view, calls) if equal else _count_bars(ours, theirs),
        _Column(_whose(counts), _numbers(ours), f"{sum(summed):,}", "n.equal" if equal else "n"),
        _Column("server", _numbers(theirs), f"{sum(filter(None, theirs)):,}", "n.equal"),
    ]
    if equal:
        answers = [call.output_tokens for call in calls]
        seconds = [call.seconds for call in calls]
        return [
            *columns,
            _Column("", ["" if other is None else _SAME for other in theirs], _SAME),
            _Column("answer", _numbers(answers), f"{sum(answers):,}", "n.wide"),
            _Column("s", [f"{one:.1f}" for one in seconds], f"{sum(seconds):.1f}", "n.wide"),
        ]
    return [*columns, _difference(ours, theirs)]


def _opener(call: CallRecord) -> Html:
    """The number of a call, as a button that opens it."""
    unseen = tag("span.unseen", "Open call ")
    return tag(
        "button",
        unseen,
        f"{call.number}",
        type="button",
        data_click=f"call {call.number}",
    )


def _budget_bars(view: RunView, calls: Sequence[CallRecord]) -> _Column:
    rows = [view.row(call) for call in calls]
    end = reach(rows)
    window = rows[0].budget.window
    bars = [
        _bar([(f"k-{kind}", tokens) for kind, tokens in row.segments], end, window) for row in rows
    ]
    return _Column(f"window {window:,}", bars, style="bars.wide")


def _count_bars(ours: Sequence[int], theirs: Sequence[int | None]) -> _Column:
    read = [one if other is None else other for one, other in zip(ours, theirs, strict=True)]
    end = max(*ours, *read)
    bars = []
    for one, other in zip(ours, read, strict=True):
        kind = "k-free" if other > one else "less"
        bars.append(_bar([("k-template", min(one, other)), (kind, abs(other - one))], end))
    return _Column("prompt, tokens", bars, style="bars.wide")


def _bar(parts: Sequence[tuple[str, int]], end: int, window: int = 0) -> Html:
    """Parts by their class and tokens, on a scale to `end` tokens; of a window with its line."""
    boxes = [
        tag(
            f"i.{kind}",
            tag("b", f"{tokens:,}") if window and tokens > _WORDS * end else "",
            style=f"width: {100 * tokens / end:.2f}%",
        )
        for kind, tokens in parts
        if tokens
    ]
    if window:
        boxes.append(tag("i.line", style=f"left: {100 * window / end:.2f}%"))
    return tag("div.bar", *boxes, aria_hidden="true")


def _numbers(tokens: Iterable[int | None]) -> list[str]:
    return ["–" if one is None else f"{one:,}" for one in tokens]


def _difference(ours: Sequence[int], theirs: Sequence[int | None]) -> _Column:
    """How much more the server counted of each prompt, and of all of them."""
    pairs = zip(ours, theirs, strict=True)
    more = [None if other is None else other - one for one, other in pairs]
    return _Column("more", [_signed(one) for one in more], _signed(sum(filter(None, more))), "n")


def _signed(tokens: int | None) -> str:
    if not tokens:
        return "–" if tokens is None else "0"
    return f"{tokens:+,}".replace("-", "−")
