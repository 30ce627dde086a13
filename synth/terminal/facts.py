"""`synth facts`: how far facts came in recorded runs, and what would have sent the lost ones."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator, Sequence
from dataclasses import asdict, replace
from functools import partial
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.quality import Change, Choice, Fact, FactPath, Follower, read_facts, smallest_changes
from synth.quality.smallest_change import MOST_SEARCHED
from synth.runs.trace import Plan
from synth.terminal.reading import read_runs
from synth.terminal.screen import Screen, foreign, show
from synth.terminal.verify import Verdict, verdict, verdict_data
from synth.text.wording import Bold, visible
from synth.traces import ImportedRun
from synth.traces.imported_run import trace_of
from synth.words.change_words import (
    TOO_LONG,
    change_cost,
    change_price,
    change_words,
    modes_like,
)
from synth.words.fact_words import path_sentence

_QUESTION = 90  # characters that are shown
_MARKS = {"answered": "✓", "absent": "–"}  # any other is a ✕


class _Fate(NamedTuple):
    """How far a fact came, in a sentence as well, and the changes that would send it.

    None where the chunks are too long to search for changes.
    """

    path: FactPath
    sentence: list[str]
    changes: tuple[Change, ...] | None


class _Followed(NamedTuple):
    """The facts in one run; none where its prompts can't be verified."""

    verdict: Verdict
    fates: tuple[_Fate, ...] = ()


def run(arguments: Namespace) -> int:
    """Print how far each fact came in each run of a file.

    0 where each fact is in the answer of a run and no run lost one; else 1. A run whose chunks and
    answers don't speak of a fact has not lost it.
    """
    facts = _facts(arguments.fact)
    followed = [_follow(verdict(each), facts) for each in read_runs(arguments.file)]
    if arguments.json:
        data = [
            verdict_data(each.verdict) | {"facts": [*map(_fate_data, each.fates)]}
            for each in followed
        ]
        show(json.dumps(data, indent=2))
    else:
        screen = Screen.of(sys.stdout)
        show(*(line for each in followed for line in _lines(each, screen)))
    stages = {(fate.path.fact, fate.path.stage) for each in followed for fate in each.fates}
    arrived = {fact for fact, stage in stages if stage == "answered"}
    lost = {fact for fact, stage in stages if stage not in ("answered", "absent")}
    return int(arrived != set(facts) or bool(lost))


def _facts(lines: Sequence[str]) -> tuple[Fact, ...]:
    if not all(map(str.strip, lines)):  # such as a variable of CI that is not set
        raise SynthError("A --fact is empty: write what the answer should hold.")
    try:
        return read_facts("\n".join(lines))
    except ValueError as problem:
        raise SynthError(str(problem)) from None


def _follow(found: Verdict, facts: Sequence[Fact]) -> _Followed:
    """The facts in a run that is verified, or is so with settings that explain its prompts."""
    if found.state == "same":
        recorded = found.run
    elif found.fits:
        recorded = found.fits[0].run
    else:
        return _Followed(found)
    trace = trace_of(recorded)
    paths = map(Follower(trace).path, facts)
    return _Followed(
        found,
        tuple(_Fate(path, path_sentence(path, trace), _changes(path, recorded)) for path in paths),
    )


def _changes(path: FactPath, run: ImportedRun) -> tuple[Change, ...] | None:
    """The changes of one setting under which a fact is sent that was not, the smallest first.

    None for chunks that take too long to plan often.
    """
    if path.stage != "not_sent" or path.why == "unfinished":
        return ()
    if sum(map(len, run.texts)) > MOST_SEARCHED:
        return None
    limits = run.helper
    choice = Choice(run.mode, limits.context_window, limits.num_output, limits.chunk_overlap_ratio)
    plans_of = partial(_plans, run)
    return smallest_changes(path.fact, choice, plans_of, modes_like(run.mode), len(run.chunks))


def _plans(run: ImportedRun, choice: Choice) -> Sequence[Plan]:
    """The plans of the run's input, with the shortest and with the longest answers.

    None in another order of the chunks: the retriever of the application is not here.
    """
    if choice.similarity_top_k is not None:
        return ()
    changed = replace(run, mode=choice.mode).with_helper(
        context_window=choice.context_window,
        num_output=choice.num_output,
        chunk_overlap_ratio=choice.chunk_overlap_ratio,
    )
    plan, values = changed.synthesizer().plan, dict[str, Any](run.variables)
    return [plan(run.query, run.texts, tokens, **values) for tokens in (0, choice.num_output)]


def _lines(each: _Followed, screen: Screen) -> Iterator[str]:
    recorded = each.verdict.run
    mode = recorded.mode if recorded.mode in MODES else "no synthesis"
    yield screen.sentence([Bold(foreign(recorded.query, _QUESTION) or "(no question)"), f" {mode}"])
    if not each.fates:
        yield f"  – not followed, since it can't be verified: {each.verdict.words}"
    for fate in each.fates:
        words = [type(part)(visible(part)) for part in fate.sentence]
        yield f"  {_MARKS.get(fate.path.stage, '✕')} {screen.sentence(words)}"
        if fate.changes is None:
            yield f"    {TOO_LONG}"
        elif fate.changes:
            smallest = fate.changes[0]
            cost = "; ".join(filter(None, (change_cost(smallest), change_price(smallest))))
            change = ["Smallest change: ", Bold(change_words(smallest)), f" ({cost})"]
            yield "    " + screen.sentence(change)
    yield ""


def _fate_data(fate: _Fate) -> dict[str, Any]:
    path = fate.path
    return {
        "fact": path.fact.line,
        "stage": path.stage,
        "why": path.why,
        "call": path.call,
        "chunks": path.chunks,
        "sent_in": path.sent,
        "answers": path.answers,
        "words": "".join(fate.sentence),
        "changes": None if fate.changes is None else [*map(_change_data, fate.changes)],
    }


def _change_data(change: Change) -> dict[str, Any]:
    after = asdict(change.after)
    return {"change": change_words(change), "after": after, "calls": change.calls}
