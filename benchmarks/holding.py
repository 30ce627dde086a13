"""How long another thread waits while 2 MB are planned: `python -m benchmarks.holding FILE`.

Prints the longest wait in wall seconds, of five modes in both behaviours, as JSON.
"""

import json
import sys
import time
from pathlib import Path
from threading import Event, Thread
from typing import get_args

from benchmarks.texts import chunks
from synth import PromptHelper, get_response_synthesizer
from synth.modes.registry import Behaviour

MODES = ("refine", "compact", "tree_summarize", "accumulate", "simple_summarize")
PAUSE = 0.002


def main() -> None:
    text = Path(sys.argv[1]).read_text("utf-8")
    done, waits = Event(), [0.0]

    def others() -> None:
        while not done.is_set():
            began = time.perf_counter()
            time.sleep(PAUSE)
            waits.append(time.perf_counter() - began - PAUSE)

    helper = PromptHelper(8_192, 256)
    thread = Thread(target=others)
    thread.start()
    for behaviour in get_args(Behaviour):
        for mode in MODES:
            made = get_response_synthesizer(mode, prompt_helper=helper, behaviour=behaviour)
            made.plan("What happened?", chunks(text))
    done.set()
    thread.join()
    print(json.dumps([max(waits)]))


if __name__ == "__main__":
    main()
