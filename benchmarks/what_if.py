"""What the grid of the view By window costs: every mode at 40 windows, beside one tiktoken pass.

    python -m benchmarks.what_if

500 chunks of 200 tokens, windows from a quarter of 4,096 to four times as much, each with
answers of 20 and of 256 tokens. The grid begins with nothing counted; after it, one mode's
totals are computed again under a changed template, as when those of the others are
remembered. Seconds of processor time, in this process.
"""

import sys
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from benchmarks import alone
from benchmarks.asked import ENCODING, NUM_OUTPUT, QUERY, TEMPLATES
from benchmarks.texts import english
from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.modes.advice.what_if import Planner
from synth.modes.registry import MODES
from synth.text import encodings

CHUNKS, CHUNK, PLACES = 500, 200, 40
WINDOWS = [1_024 + place * (16_384 - 1_024) // (PLACES - 1) for place in range(PLACES)]
ANSWERS = (20, NUM_OUTPUT)
MOST = 2.0  # seconds


def cut() -> list[str]:
    """Technical English, cut every 200 tokens."""
    encoding = encodings.load(ENCODING).encoding
    tokens = encoding.encode(english(1_000_000), disallowed_special=())[: CHUNKS * CHUNK]
    return [encoding.decode(tokens[at : at + CHUNK]) for at in range(0, len(tokens), CHUNK)]


def grid(planner: Planner, modes: Sequence[str], changed: str = "") -> None:
    """The totals of the modes at every window, with short answers and with long ones."""
    qa, summary, refine = (PromptTemplate(changed + text) for text in TEMPLATES.values())
    for mode in modes:
        for window in WINDOWS:
            synthesizer = get_response_synthesizer(
                mode,
                prompt_helper=PromptHelper(window, NUM_OUTPUT),
                text_qa_template=qa,
                summary_template=summary,
                refine_template=refine,
            )
            for tokens in ANSWERS:
                planner.totals(synthesizer, tokens)


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def rows() -> Iterator[tuple[str, float]]:
    """What was computed, and its seconds."""
    chunks = cut()
    encode = alone.runner("", chunks)
    planner = Planner(QUERY, chunks, {})
    yield "one pass of tiktoken", min(timed(partial(encode, 0)) for _ in range(3))
    yield "the grid, all modes", timed(partial(grid, planner, list(MODES)))
    for mode in MODES:
        yield f"{mode}, changed", timed(partial(grid, planner, [mode], "Changed. "))


def main() -> int:
    measured = dict(rows())
    alone_pass, whole = list(measured.values())[:2]
    for what, seconds in measured.items():
        print(f"| {what:<27} | {seconds:>6.3f} s | {seconds / alone_pass:>6.1f} passes |")
    print(f"The grid takes {whole:.2f} s; the bar is {MOST:g} s.")
    return int(whole > MOST)


if __name__ == "__main__":
    sys.exit(main())
