"""One measurement in a process of its own: `python -m benchmarks.cells WHO MODE FILE`.

WHO is `ours`, `peer` or `alone`. Prints two times as JSON, in seconds of processor time: a
first run at a window of 8,192 tokens, with nothing counted before, and then one at 6,144.
Loading the encoding is not part of either. A text with line breaks goes in as chunks of
900 characters, an unbroken one as a single chunk.
"""

import gc
import json
import sys
import time
from importlib import import_module
from pathlib import Path

from benchmarks.texts import chunks

WINDOWS = (8_192, 6_144)


def main() -> None:
    who, mode, file = sys.argv[1:]
    text = Path(file).read_text("utf-8")
    pieces = chunks(text) if "\n" in text else [text]
    run = import_module(f"benchmarks.{who}").runner(mode, pieces)
    gc.collect()
    gc.freeze()  # a collector's pass over imported modules is nobody's packing
    seconds = []
    for window in WINDOWS:
        began = time.process_time()
        run(window)
        seconds.append(time.process_time() - began)
    print(json.dumps(seconds))


if __name__ == "__main__":
    main()
