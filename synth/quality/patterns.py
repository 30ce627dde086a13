"""Regular expressions for checks: those of JavaScript, of a bounded size."""

import re

import regex

from synth.errors import QuestionSetError, shown

PATIENCE = 1.0
"""Seconds for a search: there are expressions that would take years on one line of text."""

MOST_PATTERN = 10_000
"""Characters of a pattern, that of x{9} counted nine times: compiling has no other limit."""

_JAVASCRIPT = re.compile(
    r"""
    \\k<(?P<again>\w+)> | \(\?<(?P<group>[^\W\d]\w*)>
  | (?P<same>\\. | \[\^?\]?(?:\\.|[^\]\\])*(?:\]|\Z) | \{\d+(?:,\d*)?\})
  | (?P<end>\$) | (?P<brace>\{)
    """,
    re.VERBOSE | re.DOTALL,
)
_PART = re.compile(
    r"""
    (?P<opens>\() | (?P<closes>\)) | \{(?P<times>\d{1,9})(?:,\d*)?\}
  | (?:\\. | \[\^?\]?(?:\\.|[^\]\\])*(?:\]|\Z) | .)
    """,
    re.VERBOSE | re.DOTALL,
)


def pattern(value: object) -> regex.Pattern[str]:
    """A regular expression of JavaScript, where Python reads the same text otherwise.

    There `$` is the very end of the text, \\w, \\d and \\b know ASCII alone, a brace that
    is no quantifier is text, and groups have names without a P.
    """
    if not isinstance(value, str) or not value:
        raise QuestionSetError(f"its value is {shown(value)}: give a regular expression")
    require_modest(value)
    try:
        translated = _JAVASCRIPT.sub(_python, value)
        re.compile(translated)  # regex takes more, \p{L} say, which JavaScript reads as text
        return regex.compile(translated, regex.ASCII)
    except (re.error, regex.error, RecursionError, OverflowError) as problem:
        raise QuestionSetError(f"its pattern {value!r} can't be read: {problem}") from problem


def require_modest(value: str) -> None:
    """QuestionSetError for a pattern that is long, or that repeats long parts many times."""
    size = len(value) if len(value) > MOST_PATTERN else _size(value)
    if size > MOST_PATTERN:
        raise QuestionSetError(
            f"its pattern has {size:,} characters, with its repetitions written out, and"
            f" {MOST_PATTERN:,} is the limit: write a shorter one"
        )


def _size(value: str) -> int:
    """The characters of a pattern, each part as often as its quantifier repeats it at least."""
    sizes, last = [0], 0
    for found in _PART.finditer(value):
        if found["opens"]:
            sizes.append(1)
            continue
        if found["times"]:
            more = last * (int(found["times"]) - 1)
            last, sizes[-1] = last + more, sizes[-1] + max(more, 0)
            continue
        last = len(found.group())
        if found["closes"] and len(sizes) > 1:
            last += sizes.pop()
        sizes[-1] += last
    return sum(sizes)


def _python(found: re.Match[str]) -> str:
    match found.lastgroup:
        case "again":
            return f"(?P={found['again']})"
        case "group":
            return f"(?P<{found['group']}>"
        case "end":
            return r"\Z"
        case "brace":
            return r"\{"
    return found.group()
