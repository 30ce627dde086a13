"""Work on a trace: here where it is surely quick, else in a process that can be ended."""

from __future__ import annotations

from collections.abc import Callable
from typing import Concatenate, ParamSpec, TypeVar

from synth.imports import ImportedRun, read
from ui.session.apart import TookTooMuch, apart, apart_if_long

P = ParamSpec("P")
T = TypeVar("T")

_QUICK_TEXTS, _QUICK_FRAME, _QUICK_CALLS = 30_000, 10_000, 200
"""Characters of a run's texts, of what stands around them, and calls; each token may be a call."""


def read_in_time(name: str, data: bytes | str) -> list[ImportedRun]:
    """The runs of a file; ImportedRunError as in `read`, TookTooMuch that names the file."""
    size = len(data.encode("utf-8", "surrogatepass")) if isinstance(data, str) else len(data)
    try:
        return apart_if_long(size, read, data)
    except TookTooMuch as problem:
        raise TookTooMuch(
            f"Reading the {size:,} bytes of {name} {problem}: export fewer traces."
        ) from problem


def in_time(
    function: Callable[Concatenate[ImportedRun, P], T],
    run: ImportedRun,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """What the function gives for this run; TookTooMuch that says how long the run is."""
    if _is_quick(run):
        return function(run, *args, **kwargs)
    return in_a_process(function, run, *args, **kwargs)


def in_a_process(
    function: Callable[Concatenate[ImportedRun, P], T],
    run: ImportedRun,
    *args: P.args,
    **kwargs: P.kwargs,
) -> T:
    """The same, never here: for work of which the run's length says little."""
    try:
        return apart(function, run, *args, **kwargs)
    except TookTooMuch as problem:
        raise TookTooMuch(
            f"This {problem}, with {_characters(run):,} characters of chunks and"
            f" {len(run.calls):,} calls: record a shorter run."
        ) from problem


def _characters(run: ImportedRun) -> int:
    return sum(map(len, run.texts))


def _is_quick(run: ImportedRun) -> bool:
    frame = [run.query, *run.variables.values()]
    for template in run.templates.values():
        frame += [text for _, text in template.message_templates]
    return (
        _characters(run) <= _QUICK_TEXTS
        and sum(map(len, frame)) <= _QUICK_FRAME
        and len(run.calls) <= _QUICK_CALLS
    )
