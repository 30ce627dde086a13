"""Whether the memory of a server levels off while people with long texts come and go.

    python -m benchmarks.memory                 for a quarter of an hour
    python -m benchmarks.memory --minutes 30    for longer

Twenty sessions over the websocket paste 200 kB each, edit, run and leave, and others take their
places. The memory is that of the server and of the processes that it starts for long texts. It is
flat if its mean in the last third is at most 10 % above that in the middle third. The table is
written into docs/reliability.md.
"""

import argparse
import asyncio
import random
import statistics
import sys
from typing import NamedTuple

import psutil

from benchmarks.classroom import Do, Seat, lesson
from benchmarks.load import megabytes, taken
from benchmarks.served import Served, served
from benchmarks.visitor import Visitor
from tests.tables import table, write

SESSIONS, THINK = 20, 4.0
CHUNKS, CHARACTERS = 200, 1_000
MOST = 1.1  # of the middle third
HEAD = ("minute", "all processes, MB", "server, MB", "people so far", "edits", "threads", "files")


class Minute(NamedTuple):
    """What was measured at the end of a minute, in the columns of the table."""

    minute: int
    all: int
    server: int
    came: int
    edits: int
    threads: int
    files: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--minutes", type=int, default=15)
    with served("server.py") as app:
        minutes, errors = asyncio.run(_watched(app, parser.parse_args().minutes))
    verdict, flat = _verdict([one.all for one in minutes])
    said = f"{verdict} {len(errors)} errors."
    print(said, *sorted(set(errors)), sep="\n")
    write("bench-memory", f"{table(HEAD, minutes)}\n{said}\n")
    return int(bool(errors) or not flat)


async def _watched(app: Served, minutes: int) -> tuple[list[Minute], list[str]]:
    """What was measured each minute, and the errors."""
    server = psutil.Process(app.pid)
    seats = [Seat(app.url, THINK, number) for number in range(SESSIONS)]
    found: list[Minute] = []
    print(*HEAD, sep=" | ")
    async with taken(seats, _visit):
        for minute in range(1, minutes + 1):
            await asyncio.sleep(60)
            found.append(_measured(minute, server, seats))
            print(*found[-1], sep=" | ", flush=True)
    return found, [error for seat in seats for error in seat.errors]


def _measured(minute: int, server: psutil.Process, seats: list[Seat]) -> Minute:
    kinds = [action.kind for seat in seats for action in seat.actions]
    return Minute(
        minute,
        round(megabytes(server)),
        round(server.memory_info().rss / 2**20),
        kinds.count("open"),
        len(kinds),
        server.num_threads(),
        server.num_fds(),
    )


async def _visit(visitor: Visitor, dice: random.Random, do: Do) -> None:
    await lesson(visitor, dice, do, CHUNKS, CHARACTERS)


def _verdict(memory: list[int]) -> tuple[str, bool]:
    """Whether the memory is flat in its last third, in words and as a value."""
    third = len(memory) // 3
    middle = statistics.mean(memory[third : 2 * third] or memory)
    last = statistics.mean(memory[-third:])
    flat = last <= MOST * middle
    return (
        f"{'Flat' if flat else 'Not flat'} in its last third: {last:,.0f} MB on average, after"
        f" {middle:,.0f} MB in the middle third.",
        flat,
    )


if __name__ == "__main__":
    sys.exit(main())
