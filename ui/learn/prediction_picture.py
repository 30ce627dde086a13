"""The picture of a prediction as HTML: chunks and calls that are still empty, on one scale.

It is no Plotly figure, since the same picture stands on a printed sheet, and since its words wrap
at every width of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.wording import counted
from ui.figures import BudgetRow
from ui.look.glossary import term_html
from ui.look.html import Html, tag
from ui.look.theme import MEANINGS, SEGMENTS

ROOM = "context"
"""The segment of an empty call that is the room for chunks."""
_LABELS = {"query": "question", ROOM: "room for chunks", "answer": "answer so far"}
_FEW = 4  # calls whose bars are high


def picture_html(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> Html:
    """The tokens of the chunks in a row, and below them a bar for each empty call.

    In `calls` the segment of the chunks is the room for them, which is never told. What a call
    consists of is written under it, unless an earlier call consists of the same parts: their
    sizes then differ by a token or two.
    """
    window = calls[0].budget.window
    end = max(window, sum(chunks), *map(_extent, calls))
    rows = [_row(counted(len(chunks), "chunk"), _chunks(chunks, end), f"{sum(chunks):,} tokens")]
    rows.append(_row("", _window_note(window, end)))
    known = set()
    for call in calls:
        rows.append(_row(call.label, _call(call, end)))
        if (names := tuple(name for name, _ in _parts(call))) not in known:
            rows.append(_row("", _key(call)))
            known.add(names)
    return tag("div.prediction.num" + ".low" * (len(calls) > _FEW), *rows)


def _row(label: str, picture: Html, below: str = "") -> Html:
    more = tag("small", below) if below else ""
    return tag("div.what", label, more) + picture


def _extent(call: BudgetRow) -> int:
    return sum(call.tokens(name) for name in SEGMENTS)


def _parts(call: BudgetRow) -> Iterator[tuple[str, int]]:
    """Each segment of a call and its tokens."""
    return ((name, call.tokens(name)) for name in SEGMENTS if call.tokens(name))


def _label(name: str) -> str:
    return _LABELS.get(name, MEANINGS[name].label)


def _chunks(chunks: Sequence[int], end: int) -> Html:
    boxes = (
        tag(
            "i.k-context",
            tag("b", f"{number}"),
            tag("small", f"{tokens:,}"),
            style=f"width:{_share(tokens, end)}",
            title=f"chunk {number}: {counted(tokens, 'token')}",
        )
        for number, tokens in enumerate(chunks, 1)
    )
    told = f"{counted(len(chunks), 'chunk')} of {sum(chunks):,} tokens in all"
    return tag("div.tokens", *boxes, role="img", aria_label=told)


def _window_note(window: int, end: int) -> Html:
    return tag("div.window", f"window {window:,}", style=f"width:{_share(window, end)}")


def _call(call: BudgetRow, end: int) -> Html:
    boxes = (
        tag(
            _box(name),
            tag("b", "?") if name == ROOM else "",
            style=f"width:{_share(tokens, end)}",
            title=_told(call, name, tokens),
        )
        for name, tokens in _parts(call)
    )
    window = tag("u", style=f"left:{_share(call.budget.window, end)}")
    told = f"{call.label}, which is still empty: {_all_told(call)}"
    return tag("div.tokens", *boxes, window, role="img", aria_label=told)


def _box(name: str) -> str:
    return f"i.k-{'room' if name == ROOM else name}"


def _key(call: BudgetRow) -> Html:
    """The words for the segments, each with its tokens."""
    words = (
        tag(
            "span",
            tag(_box(name)),
            term_html(_label(name)),
            " ",
            tag("b", _amount(call, name, tokens)),
        )
        for name, tokens in _parts(call)
    )
    return tag("div.key", *words)


def _amount(call: BudgetRow, name: str, tokens: int) -> str:
    if name == ROOM:
        return "?"
    return f"≤ {tokens:,}" if name == "answer" and call.bound else f"{tokens:,}"


def _told(call: BudgetRow, name: str, tokens: int) -> str:
    return f"{_label(name)} {_amount(call, name, tokens)}"


def _all_told(call: BudgetRow) -> str:
    return ", ".join(_told(call, *part) for part in _parts(call))


def _share(tokens: int, end: int) -> str:
    return f"{100 * tokens / end:.3f}%"
