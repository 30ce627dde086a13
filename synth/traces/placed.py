"""The trace of a verified run: the recorded calls, which know the text that they carry."""

from collections.abc import Iterator
from dataclasses import replace

from synth.errors import ModelError
from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.traces.imported_run import ImportedRun


def trace_of(run: ImportedRun) -> Trace:
    """The recorded calls, whose prompts know the chunks that they carry.

    The run must be verified.
    """
    recorded, values = run.trace(), run.variables
    ours = run.synthesizer().replay(run.query, run.texts, recorded.log(), **values)
    calls = tuple(_placed(recorded.calls, {call.number: call for call in ours.calls}))
    response = ours.response if run.response is None else run.response
    error = next((call.error for call in calls if call.error), None)
    if response is None and error is None:
        error = "The trace ends before the last call was answered"
    return replace(
        ours,
        calls=calls,
        response=response,
        error=None if response is not None else error,
        error_kind=None if response is not None else ModelError.__name__,
        stopped=False,
        seconds=run.seconds,
    )


def _placed(recorded: tuple[CallRecord, ...], ours: dict[int, CallRecord]) -> Iterator[CallRecord]:
    for call in recorded:
        if (own := ours.get(call.number)) is None:
            yield call
        else:
            yield replace(call, prompt=own.prompt, depth=own.depth, padding=own.padding)
