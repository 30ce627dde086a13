"""How many people one server holds: real sessions over Streamlit's websocket, as in a class.

    python -m benchmarks.load              one session alone, and classes of several sizes
    python -m benchmarks.load --soak 20    a class for 20 minutes, and its memory over time

A class of more than thirty gets a server for each thirty of them, as `scripts/servers.sh` starts
them. Each session has a marker of its own in its texts; one that is sent another's ends the
benchmark. Processor time and memory are those of the servers, of the processes that they start for
long texts, and of the proxy. Processor time hardly depends on what else the machine does; how long
an edit takes does. The floor is as many sessions on a page with one number, one sentence and one
bar. Where it takes more processor time than on the machine of the bars, all goes more slowly: the
seconds between edits and the bars are as many times as long.
"""

import argparse
import asyncio
import math
import random
import statistics
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from contextlib import asynccontextmanager

import psutil

from benchmarks.classroom import Action, Do, Person, Seat, floor, lesson
from benchmarks.served import Served, served
from benchmarks.visitor import Visitor

CLASSES = (30, 60)  # sessions
PER_SERVER = 30  # of them
THINK = 2.0  # seconds between the edits of each
SECONDS = 45.0  # that are measured, from 15 after the last has come
SETTLED = 15.0
COMING = 0.15  # seconds between one who comes and the next
ALONE = 25  # edits of each kind by a session alone
BARS = {30: (250, 800, 250), 60: (250, 800, 800)}  # ms at the 95th: limits, others, all edits
FLOOR = 4.5  # ms of processor time that an edit of the floor takes on the machine of the bars
MEGABYTE = 2**20

Visit = Callable[[Visitor, random.Random, Do], Awaitable[None]]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--soak", type=float, metavar="MINUTES", help="print memory over time")
    parser.add_argument("--sessions", type=int, nargs="+", default=CLASSES)
    parser.add_argument("--servers", type=int, help="for each class; a server for 30 by itself")
    parser.add_argument("--think", type=float, default=THINK, help="seconds between edits")
    given = parser.parse_args()
    if given.soak:
        with served("server.py") as app:
            return asyncio.run(_soak(app, given.sessions[0], given.think, given.soak))
    with served("server.py") as app:
        asyncio.run(_alone(app))
    missed = False
    for sessions in given.sessions:
        servers = given.servers or math.ceil(sessions / PER_SERVER)
        print(f"\n{sessions} sessions, {given.think:g} s between the edits of each")
        print("1 server" if servers == 1 else f"{servers} servers behind HAProxy")
        with served("benchmarks/floor.py", servers=servers) as app:
            cpu, missed_floor = asyncio.run(_class(app, floor, sessions, given.think))
        slow = max(1.0, cpu / FLOOR)
        print(f"{slow:.2f} times as slow as the machine of the bars")
        with served("server.py", servers=servers) as app:
            _, missed_app = asyncio.run(_class(app, lesson, sessions, given.think, slow))
        missed |= missed_floor or missed_app
    return int(missed)


async def _alone(app: Served) -> None:
    """What an edit of each kind costs the server while nobody else is there."""
    server = psutil.Process(app.pid)
    print(f"{'one session':<22} {'CPU ms':>7} {'ms':>5} {'messages':>9} {'kB':>6}")
    async with Visitor(app.url, "marker-000000") as visitor:
        person = Person(visitor, random.Random(1))
        await visitor.open()
        for kind, edit in person.edits.items():
            await edit()
            began, messages, size = _cpu(server), visitor.messages, visitor.size
            took = [await edit() for _ in range(ALONE)]
            cpu = 1_000 * (_cpu(server) - began) / ALONE
            sent = (visitor.messages - messages) / ALONE, (visitor.size - size) / ALONE / 1_000
            print(
                f"{kind:<22} {cpu:>7.1f} {statistics.median(took):>5.0f} {sent[0]:>9.0f}"
                f" {sent[1]:>6.1f}",
                flush=True,
            )


async def _class(
    app: Served, visit: Visit, sessions: int, think: float, slow: float = 1.0
) -> tuple[float, bool]:
    """Print what a class of that many saw, on a machine so many times as slow as that of the bars.

    Returns the milliseconds of processor time of an edit, and whether a bar was missed.
    """
    server = psutil.Process(app.pid)
    comes = sessions * COMING + SETTLED
    began = time.perf_counter() + comes
    seats = [Seat(app.url, slow * think, number) for number in range(sessions)]
    async with taken(seats, visit):
        await asyncio.sleep(comes)
        before, others = _cpu(server), _others(server)
        await asyncio.sleep(SECONDS)
        seconds = time.perf_counter() - began
        cpu, others = _cpu(server) - before, (_others(server) - others) / seconds
        memory = megabytes(server)
    actions = [one for seat in seats for one in seat.actions if 0 < one.ended - began < seconds]
    errors = [error for seat in seats for error in seat.errors]
    what = "floor" if visit is floor else "app"
    each = 1_000 * cpu / len(actions)
    print(
        f"{what}: {len(actions) / seconds:.1f} edits/s, {each:.1f} CPU ms an edit,"
        f" {cpu / seconds:.2f} cores ({others:.2f} taken by others), {memory:,.0f} MB,"
        f" {len(errors)} errors"
    )
    for error in sorted(set(errors)):
        print(f"  {error}")
    bars = BARS.get(sessions) if visit is lesson else None
    missed = [_kind(kind, times, bars, slow) for kind, times in _by_kind(actions)]
    return each, bool(errors) or any(missed)


@asynccontextmanager
async def taken(seats: Sequence[Seat], visit: Visit) -> AsyncIterator[None]:
    """People on all seats, no two of whom come at the same moment; in the end all leave."""
    async with asyncio.TaskGroup() as group:
        people = [
            group.create_task(seat.taken(visit, COMING * number))
            for number, seat in enumerate(seats)
        ]
        yield
        for person in people:
            person.cancel()


def _by_kind(actions: Sequence[Action]) -> Iterator[tuple[str, list[float]]]:
    for kind in dict.fromkeys(action.kind for action in actions):
        yield kind, sorted(one.milliseconds for one in actions if one.kind == kind)
    yield "all", sorted(one.milliseconds for one in actions)


def _kind(kind: str, times: Sequence[float], bars: tuple[int, ...] | None, slow: float) -> bool:
    """Print the times of one kind of edit, in milliseconds; returns whether its bar was missed."""
    p95 = times[round(0.95 * (len(times) - 1))]
    place = 2 if kind == "all" else 0 if kind.startswith("limit") else 1
    most = math.inf if bars is None else slow * bars[place]
    verdict = "" if bars is None else f"≤ {most:,.0f} {'ok' if p95 <= most else 'MISSED'}"
    print(
        f"  {kind:<20} p50 {statistics.median(times):>6,.0f}  p95 {p95:>6,.0f}"
        f"  of {len(times):>5,}  {verdict}",
        flush=True,
    )
    return p95 > most


async def _soak(app: Served, sessions: int, think: float, minutes: float) -> int:
    """Print the server's memory minute by minute, while people come and go."""
    server = psutil.Process(app.pid)
    seats = [Seat(app.url, think, number) for number in range(sessions)]
    print(f"{sessions} sessions, {think:g} s between the edits of each")
    print(f"{'minute':>6} {'MB':>6} {'edits':>7} {'came':>5} {'p95 ms':>7} {'CPU ms':>7}")
    async with taken(seats, lesson):
        done, cpu = 0, _cpu(server)
        for minute in range(1, round(minutes) + 1):
            await asyncio.sleep(60)
            actions = [one for seat in seats for one in seat.actions]
            since = time.perf_counter() - 60
            latest = sorted(one.milliseconds for one in actions if one.ended > since)
            each = 1_000 * (_cpu(server) - cpu) / max(1, len(actions) - done)
            done, cpu = len(actions), _cpu(server)
            came = sum(one.kind == "open" for one in actions)
            p95 = latest[round(0.95 * (len(latest) - 1))]
            memory = megabytes(server)
            print(
                f"{minute:>6} {memory:>6,.0f} {done:>7,} {came:>5,} {p95:>7,.0f} {each:>7.1f}",
                flush=True,
            )
    errors = [error for seat in seats for error in seat.errors]
    print(f"{len(errors)} errors", *sorted(set(errors)), sep="\n")
    return int(bool(errors))


def _processes(server: psutil.Process) -> list[psutil.Process]:
    return [server, *server.children(recursive=True)]


def _cpu(server: psutil.Process) -> float:
    """Seconds of processor time that its processes have used."""
    times = [process.cpu_times() for process in _processes(server)]
    return sum(one.user + one.system for one in times)


def megabytes(server: psutil.Process) -> float:
    """The memory of its processes."""
    return sum(process.memory_info().rss for process in _processes(server)) / MEGABYTE


def _others(server: psutil.Process) -> float:
    """Seconds of processor time that all but the server and this driver have used."""
    machine = psutil.cpu_times()
    own = psutil.Process().cpu_times()
    return sum(machine[:3]) - _cpu(server) - own.user - own.system


if __name__ == "__main__":
    sys.exit(main())
