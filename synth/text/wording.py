"""Numbers, names and foreign texts as they stand in sentences."""

import math
import re
from collections.abc import Iterable, Sequence
from itertools import groupby

LEAST_DOLLARS = 0.0001
"""The least amount of US dollars that is told; a lesser one is said to be less."""

_NAMED = 3  # names that are told one by one
_NUMBERED = 5  # numbers, or stretches of them
# Controls other than tab and line ends, direction embeddings, overrides and isolates, halves of
# surrogate pairs, which no encoder accepts, and the two that XML does not.
_UNSAFE = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"
)


class Bold(str):
    """A part of a sentence that is set in bold."""

    __slots__ = ()


def embolden(template: str, **fields: str) -> list[str]:
    """Write a whole sentence with its fields in braces; what stands between two ** is bold."""
    parts = [part.format(**fields) for part in template.split("**")]
    return [Bold(part) if number % 2 else part for number, part in enumerate(parts) if part]


def reveal(text: str) -> str:
    """Write the text with unsafe control characters as code points, such as ⟨U+202E⟩."""
    return _UNSAFE.sub(lambda match: f"⟨U+{ord(match.group()):04X}⟩", text)


def make_utf8(text: str) -> str:
    """Write the text as valid UTF-8: each half of a surrogate pair is a question mark."""
    return text.encode("utf-8", "replace").decode()


def short(text: str, limit: int) -> str:
    """Write a text as one line of at most `limit` characters; Chinese is cut anywhere."""
    line = " ".join(text.split())
    return line if len(line) <= limit else line[: limit - 1] + "…"


def counted(count: float, noun: str) -> str:
    """Write a number with its noun: "1 call", "1,200 calls", "2 batches"."""
    ending = "" if count == 1 else "es" if noun.endswith("ch") else "s"
    return f"{count:,} {noun}{ending}"


def agree(verb: str, count: float) -> str:
    """Write a verb, given as of many things, as it is of so many: "was" of one, else "were"."""
    return verb if count != 1 else {"are": "is", "were": "was", "have": "has"}.get(verb, f"{verb}s")


def ranged(one: float, other: float, noun: str = "") -> str:
    """Write the range between two numbers: "3", "3 to 5", "3 to 5 calls", "3 calls or more"."""
    least, most = sorted((one, other))
    if most == math.inf:
        return f"{counted(least, noun) if noun else f'{least:,}'} or more"
    last = counted(most, noun) if noun else f"{most:,}"
    return last if least == most else f"{least:,} to {last}"


def listed(names: Sequence[str], most: int = _NAMED) -> str:
    """Write the names as one subject: "A", "A and B", "A, B and C", "A, B and 4 others"."""
    if len(names) > most:
        names = [*names[: most - 1], f"{len(names) - most + 1:,} others"]
    return " and ".join(filter(None, [", ".join(names[:-1]), *names[-1:]]))


def numbered(noun: str, numbers: Iterable[int]) -> str:
    """Name things by ascending numbers, "chunks 1, 2 and 6", or count them where that is long."""
    runs = [
        [number for _, number in run]
        for _, run in groupby(enumerate(numbers), key=lambda pair: pair[1] - pair[0])
    ]
    parts = [
        part
        for run in runs
        for part in ([f"{run[0]:,} to {run[-1]:,}"] if len(run) > 2 else map("{:,}".format, run))
    ]
    count = sum(map(len, runs))
    if not parts or len(parts) > _NUMBERED:
        return counted(count, noun) if parts else f"no {noun}"
    plural = noun if count == 1 else f"{noun}s"
    return f"{plural} {listed(parts, _NUMBERED)}"


def duration(seconds: float) -> str:
    """Write a time as it is read: "12.3 s", "45 ms", "under 1 ms"."""
    if 0 < seconds < 0.0005:
        return "under 1 ms"
    return f"{seconds:,.1f} s" if seconds >= 0.1 else f"{seconds * 1000:,.0f} ms"


def percent(part: float, whole: float) -> str:
    """Write a share in percent: not nothing is 1 %, less than all 99, more than all 101."""
    share = round(100 * part / whole)
    if part > whole:
        share = max(share, 101)
    elif part not in (0, whole):
        share = min(max(share, 1), 99)
    return f"{share:,}\u00a0%"


def dollars(amount: float) -> str:
    """Write US dollars as they are read: in cents from a dollar on, else with four digits."""
    if not amount:
        return "$0"
    if amount < LEAST_DOLLARS:
        return f"less than ${LEAST_DOLLARS:.4f}"
    return f"${amount:,.{_digits(amount)}f}"


def _digits(amount: float) -> int:
    return 2 if amount >= 1 else 4


def at_most(number: float, noun: str) -> str:
    """Write a bound with its noun: "at most 1,200 calls", "any number of calls"."""
    return f"any number of {noun}s" if number == math.inf else f"at most {counted(number, noun)}"


def round_up(amount: float) -> float:
    """Write a bound in US dollars, with as many digits as are shown: never less than the bound."""
    step = 10.0 ** -_digits(amount)
    return math.ceil(round(amount / step, 6)) * step


def dollars_at_most(amount: float) -> str:
    """Write a bound in US dollars: "at most $0.0012", "any sum"."""
    if amount == math.inf:
        return "any sum"
    return f"at most {dollars(round_up(max(amount, LEAST_DOLLARS)))}" if amount else dollars(amount)


def tell_apart(less: float, more: float) -> tuple[str, str]:
    """Write two amounts of US dollars with all their digits, up to eight after the point."""
    return _all_digits(less), _all_digits(more)


def _all_digits(amount: float) -> str:
    whole, _, part = f"{amount:,.8f}".partition(".")
    return f"${whole}.{part.rstrip('0').ljust(2, '0')}"
