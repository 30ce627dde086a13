"""What the curves of the view By window cost: every mode, at as many windows as there is time for.

    python -m benchmarks.what_if

500 chunks of 200 tokens, windows around 4,096, each with answers of 20 and of 256 tokens.
Seconds of processor time, in this process, beside one pass of tiktoken.
"""

import sys
import time
from collections.abc import Callable, Iterator
from functools import partial

from benchmarks import alone
from benchmarks.asked import ENCODING, NUM_OUTPUT, QUERY
from benchmarks.texts import english
from synth.modes.registry import MODES
from synth.text import encodings
from ui.plans.curves import AXES, Curve, curves
from ui.settings.chunk_list import from_texts
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

CHUNKS, CHUNK, WINDOW = 500, 200, 4_096
MOST = 5.0  # seconds


def cut() -> list[str]:
    """Technical English, cut every 200 tokens."""
    encoding = encodings.load(ENCODING)
    tokens = encoding.encode(english(1_000_000), disallowed_special=())[: CHUNKS * CHUNK]
    return [encoding.decode(tokens[at : at + CHUNK]) for at in range(0, len(tokens), CHUNK)]


def drawn(request: Request) -> Curve:
    """The curve of a mode over the windows."""
    axis = AXES["window"]
    span = axis.span(request, CHUNKS)
    return curves(axis, span, {request.mode: request})[request.mode]


def timed(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def rows() -> Iterator[tuple[str, float, int]]:
    """What was computed, its seconds, and at how many windows."""
    chunks = cut()
    encode = partial(alone.runner("", chunks), 0)
    yield "one pass of tiktoken", min(timed(encode) for _ in range(3)), 0
    asked = {
        "query_str": QUERY,
        "chunks": from_texts(chunks, "english"),
        "context_window": WINDOW,
        "num_output": NUM_OUTPUT,
    }
    for mode in MODES:
        request = Request.of(DEFAULT.with_(asked | {"mode": mode}))
        seconds = timed(partial(drawn, request))
        yield mode, seconds, len(drawn(request).points)


def main() -> int:
    whole = 0.0
    for what, seconds, windows in rows():
        print(f"| {what:<27} | {seconds:>6.3f} s | {windows:>4} windows |")
        whole += seconds if windows else 0
    print(f"All curves take {whole:.2f} s; the bar is {MOST:g} s.")
    return int(whole > MOST)


if __name__ == "__main__":
    sys.exit(main())
