"""What packing costs: ours, llama-index-core and one pass of tiktoken, in one table.

    python -m benchmarks.packing

Every measurement is the best of three, each in a fresh process, since counts are cached;
ours and the others take turns, so that a busy machine slows all of them alike.
"""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from benchmarks import overlap, texts
from synth import get_response_synthesizer
from synth.llms import FunctionLLM
from synth.modes.registry import Behaviour

ROUNDS = 3
LETTERS = "a" * 50_000
TEXTS = {
    "english": texts.english(2_000_000),
    "with stops": texts.chinese(1_000_000),
    "without stops": texts.han(1_000_000),
    "word 250k": texts.word(250_000),
    "word 1M": texts.word(1_000_000),
}


BARS = {"compact": 40, "tree_summarize": 40, "refine": 6, "accumulate": 6}
"""How many times faster than llama-index-core each mode should be."""


class Figure(NamedTuple):
    """A measured ratio and the bar that it should reach: at least, or at most."""

    what: str
    seconds: str
    name: str
    value: float
    least: float | None = None
    most: float | None = None

    @property
    def reached(self) -> bool:
        return (self.least is None or self.value >= self.least) and (
            self.most is None or self.value <= self.most
        )

    def row(self) -> str:
        bar = f"≥ {self.least:g}" if self.least is not None else f"≤ {self.most:g}"
        verdict = "ok" if self.reached else "MISSED"
        return (
            f"| {self.what:<31} | {self.seconds:<17} | {self.name:<36}"
            f" | {self.value:>6.2f} | {bar:<6} | {verdict:<6} |"
        )


def child(module: str, *arguments: str) -> list[float]:
    """What a benchmark module prints when it runs in a process of its own."""
    command = [sys.executable, "-m", f"benchmarks.{module}", *arguments]
    root = Path(__file__).parents[1]
    done = subprocess.run(command, cwd=root, check=True, capture_output=True, text=True)
    seconds: list[float] = json.loads(done.stdout.splitlines()[-1])
    return seconds


def calls(behaviour: Behaviour) -> int:
    """The calls that an unbroken word of one letter takes."""
    model = FunctionLLM(str, context_window=4_000)
    return (
        get_response_synthesizer("compact", model, behaviour=behaviour)
        .plan("?", [LETTERS])
        .call_count
    )


class Bench:
    """Runs cells on texts that lie in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name, text in TEXTS.items():
            (folder / name).write_text(text, "utf-8", newline="")

    def best(self, mode: str, text: str, *who: str) -> list[list[float]]:
        """The least seconds of each one's first and second run; they take turns."""
        file = str(self.folder / text)
        rounds = [[child("cells", one, mode, file) for one in who] for _ in range(ROUNDS)]
        return [[min(run) for run in zip(*one, strict=True)] for one in zip(*rounds, strict=True)]

    def english(self, mode: str, least: float) -> Iterator[Figure]:
        (first, second), (peer, _), (alone, _) = self.best(mode, "english", "ours", "peer", "alone")
        what = f"2 MB of English, {mode}"
        faster = "times faster than llama-index-core"
        yield Figure(what, f"{first:.2f} / {peer:.2f}", faster, peer / first, least)
        if mode == "compact":
            times = "of one tiktoken pass"
            yield Figure(what, f"{first:.2f} / {alone:.2f}", times, first / alone, most=1)
            again = "second window, of the first run"
            yield Figure(what, f"{second:.2f} / {first:.2f}", again, second / first, most=1)

    def chinese(self, text: str) -> Iterator[Figure]:
        (first, _), (peer, _), (alone, _) = self.best("compact", text, "ours", "peer", "alone")
        what = f"1 MB of Chinese, {text}"
        faster = "times faster than llama-index-core"
        least = 40 if text == "with stops" else 15  # a run without an end is no text
        yield Figure(what, f"{first:.2f} / {peer:.2f}", faster, peer / first, least)
        times = "of one tiktoken pass"
        yield Figure(what, f"{first:.2f} / {alone:.2f}", times, first / alone, most=1)

    @staticmethod
    def letters() -> Iterator[Figure]:
        ours, theirs = (calls(behaviour) for behaviour in ("documented", "llama_index"))
        what, beside = "50,000 letters, 4k, compact", f"{ours} / {theirs} calls"
        yield Figure(what, beside, "calls, ours", ours, most=3)

    def word(self) -> Iterator[Figure]:
        short, whole = (
            self.best("compact", name, "ours", "alone") for name in ("word 250k", "word 1M")
        )
        ours, alone = (whole[who][0] / short[who][0] for who in (0, 1))
        yield Figure(
            "one word of 250k, 1M",
            f"{short[0][0]:.2f} / {whole[0][0]:.2f}",
            f"growth, of tiktoken's own ({alone:.1f})",
            ours / alone,
            most=1.5,
        )

    @staticmethod
    def waiting() -> Iterator[Figure]:
        for name, seconds in zip(("threads", "asyncio"), child("overlap"), strict=True):
            what = f"64 leaves, 16 at once, {name}"
            beside = f"{seconds:.2f} / {overlap.CRITICAL_PATH:.2f}"
            ratio = seconds / overlap.CRITICAL_PATH
            yield Figure(what, beside, "of the critical path", ratio, most=1.2)

    def holding(self) -> Iterator[Figure]:
        [seconds] = child("holding", str(self.folder / "english"))
        what = "2 MB of English, all plans"
        yield Figure(what, f"{seconds:.2f}", "seconds that another thread waits", seconds, most=0.3)

    def figures(self) -> Iterator[Figure]:
        for mode, least in BARS.items():
            yield from self.english(mode, least)
        for text in ("with stops", "without stops"):
            yield from self.chinese(text)
        yield from self.letters()
        yield from self.word()
        yield from self.holding()
        yield from self.waiting()


def main() -> int:
    head = ("What", "Seconds", "Figure", "Value", "Bar", "")
    print("| {:<31} | {:<17} | {:<36} | {:>6} | {:<6} | {:<6} |".format(*head))
    print("|" + "|".join("-" * (width + 2) for width in (31, 17, 36, 6, 6, 6)) + "|")
    missed = False
    with TemporaryDirectory() as folder:
        for figure in Bench(Path(folder)).figures():
            print(figure.row(), flush=True)
            missed = missed or not figure.reached
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
