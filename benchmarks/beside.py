"""What others see beside one visitor who costs a server as much as a visitor can.

    python -m benchmarks.beside

Twenty sessions over the websocket edit every two seconds. Beside them each session of hostile.py
does what it does, and each file of dropped.py is dropped in Chromium, one after the other. The bar
is for the edits of the others meanwhile: one second at the 95th percentile. The rows are written
into docs/reliability.md.
"""

import asyncio
import statistics
import sys
import time
from collections.abc import Sequence

import psutil

from benchmarks.classroom import Seat, lesson
from benchmarks.dropped import dropped
from benchmarks.hostile import SESSIONS, Hostile
from benchmarks.load import megabytes, taken
from benchmarks.served import Served, served
from tests.tables import table, write

OTHERS, THINK = 20, 2.0
MOST = 1_000  # milliseconds of others' edits, at the 95th percentile
COMING, BETWEEN = 25.0, 5.0  # seconds in which they come; between two hostile sessions
ENOUGH = 15.0  # seconds that others are watched at least
LONGEST = 300.0  # seconds of a hostile session
HEAD = ("input", "size", "what comes of it", "seconds", "memory, MB", "others: p50, p95, max, ms")


def main() -> int:
    with served("server.py") as app:
        rows, missed = asyncio.run(_all(app))
    write("bench-beside", table(HEAD, rows))
    return int(missed)


async def _all(app: Served) -> tuple[list[Sequence[object]], bool]:
    """The rows, and whether a bar was missed."""
    seats = [Seat(app.url, THINK, number) for number in range(OTHERS)]
    rows: list[Sequence[object]] = []
    missed = False
    alone = Hostile("nobody", "", lambda url: asyncio.sleep(ENOUGH))
    async with taken(seats, lesson):
        await asyncio.sleep(COMING)
        for hostile in (alone, *SESSIONS, *dropped()):
            await asyncio.sleep(BETWEEN)
            row, p95 = await _beside(app, hostile, seats)
            missed |= p95 > MOST
            rows.append(row)
            print(*row, sep=" | ", flush=True)
    return rows, missed


async def _beside(
    app: Served, hostile: Hostile, seats: Sequence[Seat]
) -> tuple[Sequence[object], float]:
    """The row of a hostile session, and the 95th percentile of the others' edits."""
    began = time.perf_counter()
    acting = asyncio.create_task(_acted(hostile, app.url))
    server, most = psutil.Process(app.pid), 0.0
    while not acting.done() or time.perf_counter() < began + ENOUGH:
        most = max(most, megabytes(server))
        await asyncio.sleep(0.5)
    outcome, seconds = acting.result()
    times = sorted(
        one.milliseconds
        for seat in seats
        for one in seat.actions
        if one.ended > began and one.kind != "open"
    )
    p95 = times[round(0.95 * (len(times) - 1))]
    others = f"{statistics.median(times):,.0f}, {p95:,.0f}, {times[-1]:,.0f}"
    return (hostile.name, hostile.size, outcome, f"{seconds:.1f}", f"{most:,.0f}", others), p95


async def _acted(hostile: Hostile, url: str) -> tuple[str, float]:
    """What came of a hostile session, and how long it took, in seconds."""
    began = time.perf_counter()
    try:
        outcome = await asyncio.wait_for(hostile.act(url), LONGEST) or "all is answered"
    except Exception as error:  # the table names it
        outcome = f"{type(error).__name__}: {str(error).partition(chr(10))[0]}"
    return outcome, time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
