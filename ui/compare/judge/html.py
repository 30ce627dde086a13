"""What the judge said as HTML: a table of the columns, and the claims of one answer."""

from __future__ import annotations

from collections.abc import Sequence

from ui.compare.analysis.judge_words import Cell, Row, agreement_words
from ui.compare.analysis.judgements import FoundClaim
from ui.look.escape import escape, name_html

_KIND, _COLUMN = 96, 96  # pixels that the names of kinds and the cells of a column need
_SIGNS = {"supported": "✓", "unsupported": "✕", "no verdict": "?"}


def rows_html(head: str, labels: Sequence[str], rows: Sequence[Row]) -> str:
    """The rows, with a cell for each column."""
    names = "".join(f'<th scope="col">{name_html(label)}</th>' for label in labels)
    lines = "".join(
        f'<tr><th scope="row">{escape(row.name)}</th>{"".join(map(_cell_html, row.cells))}</tr>'
        for row in rows
    )
    width = _KIND + _COLUMN * len(labels)
    return (
        '<div class="grid num" tabindex="0" role="region" aria-label="What the judge said">'
        f'<table class="judged" style="min-width: {width}px"><thead><tr>'
        f'<th scope="col" class="muted">{escape(head)}</th>{names}'
        f"</tr></thead><tbody>{lines}</tbody></table></div>"
    )


def _cell_html(cell: Cell) -> str:
    note = f'<div class="muted">{escape(cell.note)}</div>' if cell.note else ""
    return f'<td dir="auto"><b>{escape(cell.text)}</b>{note}</td>'


def claims_html(claims: Sequence[FoundClaim]) -> str:
    """The claims of an answer: a sign, the verdict, the claim, and what it rests on."""
    rows = "".join(
        f'<tr><td class="sign">{_SIGNS[str(claim.finding.verdict)]}</td>'
        f"<td>{escape(str(claim.finding.verdict))}</td>"
        f'<td dir="auto">{escape(claim.shown.claim)}</td>'
        f'<td class="muted" dir="auto">{escape(_grounds(claim))}</td></tr>'
        for claim in claims
    )
    return f'<table class="outcomes num">{rows}</table>'


def _grounds(claim: FoundClaim) -> str:
    """Where the quote stands, or why there is none; and how many repeats say the same."""
    shown, found = claim.shown, claim.finding
    words = shown.reason if shown.verdict == found.verdict else "The repeats disagree."
    chunks = dict.fromkeys(f"chunk {origin.number:,}" for origin in shown.evidence)
    if chunks and shown.verdict == found.verdict:
        words += f" It stands in {' and '.join(chunks)}."
    agreeing = agreement_words(found.agreeing, len(found.said))
    return f"{words} {agreeing} say so." if agreeing and shown.verdict == found.verdict else words
