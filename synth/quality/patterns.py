"""Regular expressions for checks: those of JavaScript, of a bounded size."""

import re

import regex

from synth.errors import QuestionSetError, describe

PATIENCE = 1.0
"""Seconds for a search: there are expressions that would take years on one line of text."""

MOST_PATTERN, MOST_WRITTEN_OUT = 10_000, 100_000
"""Characters of a pattern, and with its repetitions: compiling has no other limit."""

_JAVASCRIPT = re.compile(
    r"""
    \\k<(?P<again>\w+)> | \(\?<(?P<group>[^\W\d]\w*)>
  | (?P<same>\\. | \[\^?\]?(?:\\.|[^\]\\])*(?:\]|\Z) | \{\d+(?:,\d*)?\})
  | (?P<end>\$) | (?P<brace>\{)
    """,
    re.VERBOSE | re.DOTALL,
)
_REPETITION = re.compile(r"(?P<of_group>\)?)\{(?P<times>\d{1,9})")


def pattern(value: object) -> regex.Pattern[str]:
    """Read a regular expression of JavaScript where Python reads the same text otherwise.

    There `$` is the very end of the text, \\w, \\d and \\b know ASCII alone, a brace that
    is no quantifier is text, and groups have names without a P.
    """
    if not isinstance(value, str) or not value:
        raise QuestionSetError(f"its value is {describe(value)}: give a regular expression")
    require_modest(value)
    try:
        translated = _JAVASCRIPT.sub(_python, value)
        re.compile(translated)  # regex takes more, \p{L} say, which JavaScript reads as text
        return regex.compile(translated, regex.ASCII)
    except (re.error, regex.error, RecursionError, OverflowError) as problem:
        raise QuestionSetError(f"its pattern {value!r} can't be read: {problem}") from problem


def require_modest(value: str) -> None:
    """Raise QuestionSetError for a pattern that is long, or may repeat long parts many times.

    Repeated groups are taken to stand in one another, since compiling writes them out.
    """
    of_groups = of_one = 1
    for match in _REPETITION.finditer(value[:MOST_PATTERN]):
        times = max(1, int(match["times"]))
        if match["of_group"]:
            of_groups *= times
        else:
            of_one = max(of_one, times)
    size = len(value) * of_groups * of_one
    if len(value) > MOST_PATTERN or size > MOST_WRITTEN_OUT:
        raise QuestionSetError(
            f"its pattern has {len(value):,} characters, with its repetitions written out up to"
            f" {size:,}, and {MOST_PATTERN:,} and {MOST_WRITTEN_OUT:,} are the limits: write a"
            " shorter one"
        )


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
