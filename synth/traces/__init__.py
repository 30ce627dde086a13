"""Runs of other applications, read from their traces.

`read` takes a file of spans, as OpenInference's instrumentation of LlamaIndex records them
and OpenTelemetry, Phoenix or Langfuse write them down. `RECORDER` is code that records such a
file.

A container gives spans (`containers.py`), `reading.py` makes runs of their tree; a run compares
itself with what synth sends, and `fitting.py` looks for the settings under which it fits.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from synth.errors import ImportedRunError
from synth.traces import size_limits
from synth.traces.containers import read_spans
from synth.traces.fitting import Fit, fits
from synth.traces.imported_run import (
    IMPORTED,
    NOTES,
    Difference,
    ImportedRun,
    Loss,
    Verification,
    trace_of,
)
from synth.traces.reading import read_runs
from synth.traces.spans import SpanTree, count_kinds

if TYPE_CHECKING:
    import pandas as pd

    from synth.documents.records import Contents

__all__ = [
    "EXAMPLE",
    "EXPORTER",
    "IMPORTED",
    "RECORDER",
    "Difference",
    "Fit",
    "ImportedRun",
    "Verification",
    "fits",
    "read",
    "trace_of",
]


_FOLDER = Path(__file__).parent
EXAMPLE = _FOLDER / "example.jsonl.gz"
"""A recording of our own: compact over a sample's chunks, with the offline model's answers."""


def read(data: bytes | str | pd.DataFrame | Contents) -> list[ImportedRun]:
    """Read the runs of a file or a frame of spans, the earliest first; ImportedRunError for none.

    What of the file was left out is a note of each run.
    """
    if isinstance(data, bytes | str) and not data.strip():
        raise ImportedRunError("The file is empty: choose one that holds spans.")
    spans, notice = read_spans(data)
    spans = sorted(spans, key=lambda span: span.trace_id)
    trees = [SpanTree(list(each)) for _, each in groupby(spans, key=lambda span: span.trace_id)]
    runs = list(
        islice((run for tree in trees for run in read_runs(tree)), size_limits.MOST_RUNS + 1)
    )
    if len(runs) > size_limits.MOST_RUNS:
        raise ImportedRunError(
            f"The file has more than {size_limits.MOST_RUNS:,} runs: export fewer traces."
        )
    if not runs:
        reason = f" {NOTES['unended']}" if any(tree.is_part for tree in trees) else ""
        raise ImportedRunError(f"{count_kinds(spans)} {NOTES['no call']}{reason}")
    if notice:
        runs = [replace(run, notes=(*run.notes, Loss(notice))) for run in runs]
    return sorted(runs, key=lambda run: run.started)


RECORDER = _FOLDER.joinpath("recorder.txt").read_text("utf-8")
"""Code that records the runs of an application with LlamaIndex into the file run.jsonl; of the 128
attributes that OpenTelemetry keeps of a span by itself, forty documents have more."""

EXPORTER = _FOLDER.joinpath("exporter.txt").read_text("utf-8")
"""Code that sends the runs of an application with LlamaIndex, as they go on, to the endpoint in
the environment variable OTEL_EXPORTER_OTLP_ENDPOINT."""
