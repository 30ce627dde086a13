"""The measures of an answer in words: a line for each with its formula, and a short summary."""

from collections.abc import Iterator
from typing import NamedTuple

from synth.quality import Citation, Measures, Support, Unfounded
from synth.quality.flags import FORMULA as FLAGS_FORMULA
from synth.text.wording import counted, listed, percent

_NAMED = 12  # mentions that are listed
_NOT_THE_HEADING = (
    " The heading of the answer counts words of any chunk; this counts what calls carried."
)
_KINDS = {"abstained": "says that it can't answer", "cut off": "answer cut off"}


class MeasureLine(NamedTuple):
    """A measure: what it found, how it is computed, and what it does not see."""

    name: str
    value: str
    formula: str


def measure_lines(found: Measures) -> Iterator[MeasureLine]:
    """A line for each measure; citations only where there are any."""
    yield MeasureLine(
        "Words from the chunks", _supported(found.support), Support.formula + _NOT_THE_HEADING
    )
    yield MeasureLine("Numbers, dates, names", _founded(found.unfounded), Unfounded.formula)
    reasons = " ".join(f"{flag.kind.capitalize()}: {flag.reason}" for flag in found.flags)
    yield MeasureLine("Flags", reasons or "none", FLAGS_FORMULA)
    if found.citations:
        yield MeasureLine("Citations", _cited(found.citations), Citation.formula)


def summary(found: Measures) -> str:
    """What is most telling of the measures, in a few words; flags come first."""
    parts = flag_words(found)
    if found.support.words:
        share = percent(found.support.supported, found.support.words)
        parts.append(f"{share} of its words from the chunks")
    if missing := found.unfounded.missing:
        kinds = dict.fromkeys(mention.kind for mention in missing)
        parts.append(f"{counted(len(missing), 's or '.join(kinds))} in no chunk")
    if problems := _problems(found.citations):
        parts.append(f"{counted(len(problems), 'citation')} to check")
    return " · ".join(parts)


def flag_words(found: Measures) -> list[str]:
    """The flags of an answer, in a few words each."""
    return [_KINDS.get(flag.kind, flag.kind) for flag in found.flags]


def _supported(support: Support) -> str:
    if not support.words:
        return "the answer has no words"
    share = percent(support.supported, support.words)
    return f"{support.supported:,} of {counted(support.words, 'word')}, {share}"


def _founded(unfounded: Unfounded) -> str:
    """Which mentions stand nowhere, each once."""
    total = len(unfounded.mentions)
    if not total:
        return "the answer has none"
    if not unfounded.missing:
        return f"{total:,} found, and each stands in a chunk or in the question"
    names = list(dict.fromkeys(f"“{one.text}” ({one.kind})" for one in unfounded.missing))
    more = [f"{len(names) - _NAMED:,} more"] if len(names) > _NAMED else []
    stand = "stands" if len(unfounded.missing) == 1 else "stand"
    return (
        f"{len(unfounded.missing):,} of {total:,} {stand} in no chunk and not in the question:"
        f" {', '.join(names[:_NAMED] + more)}"
    )


def _cited(citations: tuple[Citation, ...]) -> str:
    problems = _problems(citations)
    if not problems:
        each = "it was" if len(citations) == 1 else "each was"
        return (
            f"{counted(len(citations), 'citation')}: {each} in its call, and shares words with"
            " what it is cited for"
        )
    to_check = f"{len(problems):,} of {counted(len(citations), 'citation')} to check"
    return f"{to_check}: {listed(problems)}."


def _problems(citations: tuple[Citation, ...]) -> list[str]:
    """What is wrong with citations, one clause for each that has something."""
    return list(filter(None, map(_problem, citations)))


def _problem(citation: Citation) -> str:
    if citation.problem is not None:
        return citation.problem
    if citation.in_its_call is False:
        return f"[{citation.number}] was not in the prompt of the call that cites it"
    if not citation.shared:
        return f"[{citation.number}] shares no telling word with its sentence"
    return ""
