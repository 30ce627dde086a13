"""Some cases of one reader, tried in a process of their own."""

import signal
from time import perf_counter
from typing import NamedTuple

from tests.soak.readers import READERS

_PATIENCE = 60  # seconds; a case that takes longer has failed


class Part(NamedTuple):
    """Some cases of one reader: how many were read, those that failed, the slowest in seconds."""

    reader: int
    cases: int
    read: int
    failed: list[str]
    slowest: float


def try_block(number: int, cases: range, seed: int) -> Part:
    """Try these cases of the reader with this number, as far as they belong to this seed."""
    signal.signal(signal.SIGALRM, _give_up)
    read, failed, slowest = 0, [], 0.0
    for case in cases:
        began = perf_counter()
        signal.alarm(_PATIENCE)
        try:
            read += READERS[number].try_one(f"{seed} {case}")
        except Exception as problem:  # any is a finding
            failed.append(f"{READERS[number].name}, seed {seed} {case}: {problem!r:.300}")
        finally:
            signal.alarm(0)
        slowest = max(slowest, perf_counter() - began)
    return Part(number, len(cases), read, failed, slowest)


def _give_up(*_: object) -> None:
    raise RuntimeError(f"it takes more than {_PATIENCE} seconds")
