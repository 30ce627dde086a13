"""The budget of calls as bars of letters or blocks, and what each call reads: a flow in text."""

from collections.abc import Iterator, Sequence

from synth.pictures.budget import BudgetRow, budget_row, legend_kinds
from synth.pictures.meanings import MEANINGS, SEGMENTS
from synth.runs.trace import Plan
from synth.terminal.screen import Screen, width
from synth.text.wording import counted
from synth.words.sentences import reads

_LETTERS = dict(zip(SEGMENTS, "ctqvkarm·", strict=True))
"""The letters of the segments of a budget, where no colour tells them apart."""

_CELLS, _FEWEST = 50, 20  # of a window; in a narrow terminal
_MOST = 20  # calls that are drawn


def bars(plan: Plan, screen: Screen) -> Iterator[str]:
    """The lines of the first calls of a plan, an empty one after each, and of the key."""
    calls = plan.calls[:_MOST]
    rows = [budget_row(plan, call) for call in calls]
    amounts = [f"{'≤ ' * row.bound}{row.needed:,} / {row.budget.window:,}" for row in rows]
    left = max(len(row.label) for row in rows)
    right = max(map(len, amounts))
    cells = max(_FEWEST, min(_CELLS, screen.columns - left - right - 6))
    for row, call, amount in zip(rows, calls, amounts, strict=True):
        shares = shared([tokens for _, tokens in row.segments], cells)
        bar = "".join(
            screen.styled(_sign(kind, screen) * share, kind)
            for (kind, _), share in zip(row.segments, shares, strict=True)
        )
        line = f"  {row.label:<{left}}  {bar}"
        before = left + cells + right + 9
        what, margin = reads(call), " " * (left + 4)
        line += f"│ {screen.styled(amount.rjust(right), 'bold')}"
        if before + width(what) <= screen.columns:
            yield f"{line}   {what}"
        else:
            yield line
            yield margin + what
        yield ""
    if more := len(plan.calls) - len(calls):
        yield f"  {counted(more, 'more call')}; --json has all of them."
        yield ""
    yield from _key(rows, left + 4, screen)


def _sign(kind: str, screen: Screen) -> str:
    """A block, shaded where a page hatches; a letter where there is no colour."""
    if kind == "free" or not screen.colour:
        return _LETTERS[kind]
    return "▒" if MEANINGS[kind].hatched else "█"


def _key(rows: Sequence[BudgetRow], margin: int, screen: Screen) -> Iterator[str]:
    """What the signs mean, on as many lines as it takes."""
    line, columns = "", margin
    for kind in legend_kinds(rows):
        sign, label = _sign(kind, screen), MEANINGS[kind].label
        if line and columns + len(label) + 2 > screen.columns:
            yield " " * margin + line.rstrip()
            line, columns = "", margin
        line += f"{screen.styled(sign, kind)} {label}  "
        columns += len(label) + 4
    yield " " * margin + line.rstrip()


def shared(tokens: Sequence[int], cells: int) -> list[int]:
    """So many cells in proportion to these tokens, at least one each; the largest give way."""
    whole = sum(tokens)
    shares = [max(1, round(cells * part / whole)) for part in tokens]
    while (spare := cells - sum(shares)) != 0:
        shares[shares.index(max(shares))] += 1 if spare > 0 else -1
    return shares
