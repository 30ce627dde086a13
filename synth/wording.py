"""Numbers and names as sentences have them."""

from __future__ import annotations

from collections.abc import Sequence

_NAMED = 3  # names that are told one by one


def counted(count: int, noun: str) -> str:
    """A number with its noun: "1 call", "1,200 calls", "2 batches"."""
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{ending}"


def ranged(one: int, other: int, noun: str = "") -> str:
    """From the lesser to the greater: "3", "3 to 5", "3 to 5 calls"."""
    least, most = sorted((one, other))
    last = counted(most, noun) if noun else f"{most:,}"
    return last if least == most else f"{least:,} to {last}"


def listed(names: Sequence[str]) -> str:
    """Names as one subject: "A", "A and B", "A, B and C", "A, B and 4 others"."""
    if len(names) > _NAMED:
        names = [*names[: _NAMED - 1], f"{len(names) - _NAMED + 1:,} others"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def dollars(amount: float) -> str:
    """An amount of US dollars as it is read; what costs next to nothing is not nothing."""
    return f"${amount:,.4f}" if amount >= 0.0001 or not amount else "less than $0.0001"
