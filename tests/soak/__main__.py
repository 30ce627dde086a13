"""How every reader bears damaged files: a table in docs/reliability.md, and what failed."""

import os
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from itertools import groupby
from multiprocessing import get_context

from tests.soak.readers import READERS
from tests.soak.trial import Part, try_block
from tests.tables import table, write

HEAD = ("damaged", "cases", "read all the same", "refused in words", "failed", "slowest, s")
_AT_ONCE = 250  # cases that a process is given


def _cases(total: int) -> list[int]:
    """How many cases each reader gets."""
    shares = sum(reader.share for reader in READERS)
    return [max(1, round(total * reader.share / shares)) for reader in READERS]


def _blocks(total: int) -> Iterator[tuple[int, range]]:
    for number, cases in enumerate(_cases(total)):
        for first in range(0, cases, _AT_ONCE):
            yield number, range(first, min(cases, first + _AT_ONCE))


def _rows(parts: list[Part]) -> Iterator[Sequence[object]]:
    for number, each in groupby(parts, key=lambda part: part.reader):
        own = list(each)
        cases, read = sum(part.cases for part in own), sum(part.read for part in own)
        failed = sum(len(part.failed) for part in own)
        counts = (f"{count:,}" for count in (cases, read, cases - read - failed, failed))
        yield READERS[number].name, *counts, f"{max(part.slowest for part in own):.1f}"


def main(total: int, seed: int) -> bool:
    """Try so many cases, write the table and print what failed; whether nothing did."""
    with tempfile.TemporaryDirectory() as folder:
        os.environ["SYNTH_DATABASE_URL"] = f"sqlite:///{folder}/soak.sqlite3"
        with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
            futures = [pool.submit(try_block, *block, seed) for block in _blocks(total)]
            parts = [future.result() for future in futures]
    write("soak", table(HEAD, list(_rows(parts))))
    failed = [one for part in parts for one in part.failed]
    print(*failed, sep="\n", file=sys.stderr)
    return not failed


if __name__ == "__main__":
    parser = ArgumentParser("tests.soak", description=__doc__)
    parser.add_argument("--cases", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=0)
    given = parser.parse_args()
    sys.exit(not main(given.cases, given.seed))
