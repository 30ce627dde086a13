"""The picture of a prediction as HTML: chunks and calls that are still empty, on one scale.

It is no Plotly figure, since the same picture stands on a printed sheet, and since its words wrap
at every width of a page.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from synth.wording import counted
from ui.figures import BudgetRow
from ui.look.escape import escape
from ui.look.glossary import term_html
from ui.look.theme import MEANINGS, SEGMENTS

ROOM = "context"
"""The segment of an empty call that is the room for chunks."""
_LABELS = {"query": "question", ROOM: "room for chunks", "answer": "answer so far"}
_FEW = 4  # calls whose bars are high


def picture_html(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> str:
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
    low = " low" if len(calls) > _FEW else ""
    return f'<div class="prediction num{low}">{"".join(rows)}</div>'


def _row(label: str, picture: str, below: str = "") -> str:
    more = f"<small>{escape(below)}</small>" if below else ""
    return f'<div class="what">{escape(label)}{more}</div>{picture}'


def _extent(call: BudgetRow) -> int:
    return sum(call.tokens(name) for name in SEGMENTS)


def _parts(call: BudgetRow) -> Iterator[tuple[str, int]]:
    """Each segment of a call and its tokens."""
    return ((name, call.tokens(name)) for name in SEGMENTS if call.tokens(name))


def _label(name: str) -> str:
    return _LABELS.get(name, MEANINGS[name].label)


def _chunks(chunks: Sequence[int], end: int) -> str:
    boxes = "".join(
        f'<i class="k-context" style="width:{_share(tokens, end)}"'
        f' title="chunk {number}: {counted(tokens, "token")}">'
        f"<b>{number}</b><small>{tokens:,}</small></i>"
        for number, tokens in enumerate(chunks, 1)
    )
    told = f"{counted(len(chunks), 'chunk')} of {sum(chunks):,} tokens in all"
    return f'<div class="tokens" role="img" aria-label="{told}">{boxes}</div>'


def _window_note(window: int, end: int) -> str:
    return f'<div class="window" style="width:{_share(window, end)}">window {window:,}</div>'


def _call(call: BudgetRow, end: int) -> str:
    window = _share(call.budget.window, end)
    boxes = "".join(
        f'<i class="k-{"room" if name == ROOM else name}" style="width:{_share(tokens, end)}"'
        f' title="{_told(call, name, tokens)}">{"<b>?</b>" if name == ROOM else ""}</i>'
        for name, tokens in _parts(call)
    )
    told = f"{call.label}, which is still empty: {_all_told(call)}"
    return (
        f'<div class="tokens" role="img" aria-label="{escape(told)}">{boxes}'
        f'<u style="left:{window}"></u></div>'
    )


def _key(call: BudgetRow) -> str:
    """The words for the segments, each with its tokens."""
    words = "".join(
        f'<span><i class="k-{"room" if name == ROOM else name}"></i>{term_html(_label(name))}'
        f" <b>{_amount(call, name, tokens)}</b></span>"
        for name, tokens in _parts(call)
    )
    return f'<div class="key">{words}</div>'


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
