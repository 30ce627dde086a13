"""The text of the chunks that a plan or a run sends, loses or repeats, and the sentence on it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from synth.response_synthesizers.registry import mode_class
from synth.trace import Plan, Trace
from synth.wording import counted, listed, percent
from ui.look.escape import Bold

_VISIBLE = re.compile(r"\S+")
_ONE_CALL = ", since what does not fit into its one call is cut"


def lost_tokens(run: Plan | Trace) -> int:
    """Tokens of the chunks that no call carries, and that the response can't come from."""
    gives_chunks = mode_class(run.setup.mode).response_source == "chunks"
    return 0 if gives_chunks else run.lost_tokens


def repeated_tokens(run: Plan | Trace) -> int:
    """Tokens of the parts of chunks that several calls carry."""
    return sum(chunk.repeated_tokens for chunk in run.coverage)


def sends_no_text(run: Plan | Trace) -> bool:
    """Whether the chunks have text and none of it is sent."""
    sent = any(
        part.calls and _VISIBLE.search(chunk.text, part.start, part.end)
        for chunk in run.coverage
        for part in chunk.stretches
    )
    return not sent and any(map(_VISIBLE.search, run.setup.chunks))


def send_the_same_text(first: Plan | Trace, second: Plan | Trace) -> bool:
    """Whether both send the same characters of the same chunks, apart from white space."""
    if first.setup.chunks != second.setup.chunks or sends_no_text(first):
        return False
    return any(map(_VISIBLE.search, first.setup.chunks)) and _unsent(first) == _unsent(second)


def _unsent(run: Plan | Trace) -> tuple[tuple[int, int, int], ...]:
    """The visible text that is not sent: number of the chunk, first and last character."""
    return tuple(
        (chunk.number, *match.span())
        for chunk in run.coverage
        for part in chunk.stretches
        if not part.calls
        for match in _VISIBLE.finditer(chunk.text, part.start, part.end)
    )


@dataclass(frozen=True)
class _Losses:
    """The names of the columns that lose `some` of the text, and of those that send `none`.

    `complete` columns send all of it. `most` are the tokens that the worst of `some` loses,
    `share` is their part of its chunks, and `reason` the end of a clause.
    """

    some: tuple[str, ...]
    none: tuple[str, ...]
    complete: int
    most: str = ""
    share: str = ""
    reason: str = ""


def planned_loss(plans: Mapping[str, Plan], every_column: bool) -> list[str]:
    """The sentence before a run, of plans by name; `every_column`: all columns are planned."""
    losses = _losses(plans)
    verb = "sends" if len(losses.none) == 1 else "send"
    if len(losses.some) == 1:
        only = "Only " if every_column and len(plans) > 1 else ""
        head = Bold(f"{only}{losses.some[0]} loses text")
        return [head, f" ({losses.most}, {losses.share}){losses.reason}", _sends_none(losses, verb)]
    rest_verb = "sends" if losses.complete == 1 else "send"
    return _loss_of_several(losses, every_column, "lose", verb, rest_verb)


def actual_loss(traces: Mapping[str, Trace], every_column: bool) -> list[str]:
    """The sentence after a run, of runs by name; `every_column`: all columns were run."""
    losses = _losses(traces)
    if len(losses.some) == 1:
        head = Bold(f"{losses.some[0]} lost {losses.most}")
        return [head, f" ({losses.share}){losses.reason}", _sends_none(losses, "sent")]
    return _loss_of_several(losses, every_column, "lost", "sent", "sent")


def _losses(runs: Mapping[str, Plan] | Mapping[str, Trace]) -> _Losses:
    none = tuple(name for name, run in runs.items() if sends_no_text(run))
    amounts = {name: run.lost_tokens for name, run in runs.items() if name not in none}
    some = tuple(name for name, tokens in amounts.items() if tokens)
    complete = len(amounts) - len(some)
    if not some:
        return _Losses((), none, complete)
    worst = max(some, key=amounts.__getitem__)
    most = counted(amounts[worst], "token")
    share = percent(amounts[worst], sum(chunk.tokens for chunk in runs[worst].coverage))
    reason = _ONE_CALL if mode_class(runs[worst].setup.mode).drops_excess else ""
    return _Losses(some, none, complete, most, share, reason)


def _loss_of_several(
    losses: _Losses, every_column: bool, lose: str, send: str, rest_send: str
) -> list[str]:
    """The sentence where several columns lose text, or none does; the verbs are in one tense."""
    if losses.some:
        head = Bold(f"{listed(losses.some)} {lose} text")
        return [head, f", up to {losses.most} ({losses.share})", _sends_none(losses, send)]
    if not (losses.none and losses.complete and every_column):
        return []
    rest = "the other" if losses.complete == 1 else "the others"
    return [f"{listed(losses.none)} {send} none of the text, {rest} {rest_send} all of it."]


def _sends_none(losses: _Losses, send: str) -> str:
    """The columns that send no text, as the end of a sentence."""
    return f"; {listed(losses.none)} {send} none." if losses.none else "."
