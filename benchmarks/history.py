"""What saving runs and finding them costs: as ratios, in processor time.

    python -m benchmarks.history [runs]

A run: its thread with a writer beside the same thread without one, for the offline model.
Lists: each query of the page of runs over 10,000 runs beside reading the bare table once.
"""

import os
import sys
import tempfile
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from statistics import median
from time import process_time
from typing import Any

from sqlalchemy import delete, insert, select

from synth.llms import ExtractiveLLM
from synth.quality.samples import SAMPLES
from ui.runs.job import Job
from ui.settings.request import Request
from ui.settings.schema import DEFAULT
from ui.store import runs as saved_runs
from ui.store.rows import RUN, RunInfo
from ui.store.runs import Every, load_run
from ui.store.store import ADDRESS, Store, current_store

_WORKSPACE = "benchmark"
_TIMES = 7
_SAVING_BAR, _QUERY_BAR = 3.0, 0.5
"""Times the run without a writer; times a read of the whole table."""


def seconds(work: Callable[[], object]) -> float:
    """Processor seconds, the median of seven times."""
    taken = []
    for _ in range(_TIMES):
        began = process_time()
        work()
        taken.append(process_time() - began)
    return median(taken)


def sample(mode: str) -> Request:
    """The first sample in a mode, as the Playground asks it."""
    return Request.of(DEFAULT.with_({"mode": mode}))


def ran(request: Request, *, saved: bool) -> Job:
    """A run of the request that has ended."""
    llm = ExtractiveLLM(request.context_window, request.num_output, request.tokenizer)
    synthesizer = request.synthesizer(llm)
    setup = synthesizer.setup(request.query_str, request.text_chunks)
    info = RunInfo(workspace=_WORKSPACE, page="Playground")
    job = Job(request, setup, info, is_saved=saved)
    job.events = partial(synthesizer.stream, request.query_str, request.text_chunks, {})
    job.begin().wait()
    return job


def filled(store: Store, count: int) -> None:
    """Copies of one run, spread over a year, with words of the samples as their answers."""
    job = ran(sample("compact"), saved=True)
    words = " ".join(SAMPLES[0].chunks).split()
    now = datetime.now(UTC)
    with store.write() as connection:
        row = dict(connection.execute(select(RUN)).mappings().one())
        rows: list[dict[str, Any]] = []
        for number in range(count):
            answer = " ".join([*words[number % 400 :][:120], f"number {number}"])
            then = now - timedelta(seconds=number * 3_000)
            moments = {"started": then, "moment": then.timestamp()}
            more = {"id": f"{number}", "answer": answer} | moments
            mode, model = ("compact", "refine")[number % 2], f"model {number % 7}"
            rows.append(row | more | {"mode": mode, "model": model})
        connection.execute(insert(RUN), rows)
    assert job.run is not None


def queries(store: Store) -> dict[str, Callable[[], object]]:
    """The queries of the page of runs."""

    def found(**wanted: Any) -> Callable[[], object]:
        return lambda: saved_runs.find(store, _WORKSPACE, **wanted)

    return {
        "first page": found(),
        "first page of every workspace": lambda: saved_runs.find(store, Every.WORKSPACE),
        "words": found(words="pool number 77"),
        "of traces": found(kind="from a file"),
        "rename": lambda: saved_runs.change(store, _WORKSPACE, ["77"], name="a name"),
    }


def main(count: int = 10_000) -> int:
    """Print both tables; 1 where a bar is missed."""
    store = current_store()
    missed = 0
    print("| run | calls | without, with, ms | times | ms a call |\n|---|---|---|---|---|")
    for mode in ("compact", "refine", "accumulate"):
        request = sample(mode)
        calls = len(ran(request, saved=False).answered)
        bare = seconds(lambda request=request: ran(request, saved=False))  # type: ignore[misc]
        full = seconds(lambda request=request: ran(request, saved=True))  # type: ignore[misc]
        each = (full - bare) * 1_000 / calls
        missed += full / bare > _SAVING_BAR
        print(
            f"| {mode} | {calls} | {bare * 1e3:.1f}, {full * 1e3:.1f} | {full / bare:.2f} |"
            f" {each:.2f} |"
        )
    with store.write() as connection:
        connection.execute(delete(RUN))
    filled(store, count)

    def bare_read() -> None:
        with store.read() as connection:
            connection.execute(select(RUN)).all()

    whole = seconds(bare_read)
    print(f"\n{count:,} runs; the bare table is read in {whole * 1e3:.0f} ms")
    print("| query | ms | times the bare read |\n|---|---|---|")
    for name, query in queries(store).items():
        took = seconds(query)
        missed += took / whole > _QUERY_BAR
        print(f"| {name} | {took * 1e3:.1f} | {took / whole:.2f} |")
    took = seconds(lambda: load_run(store, _WORKSPACE, "77"))
    print(f"| open a run | {took * 1e3:.1f} | {took / whole:.2f} |")
    store.close()
    return int(missed > 0)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        os.environ[ADDRESS] = f"sqlite:///{folder}/history.sqlite3"
        sys.exit(main(*map(int, sys.argv[1:2])))
