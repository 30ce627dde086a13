"""An application that sends its spans to a server as it goes on, as Runs says it may."""

import sys
from typing import Any

from synth.traces import EXPORTER
from tests.traces.application import Application, ask, nodes

WINDOW = 1_100


def chunk(number: int) -> str:
    """A text of about 130 tokens."""
    return f"Page {number}. " + " ".join(f"w{number}x{each}" for each in range(25))


def main() -> None:
    """Ask what the arguments say: a mode and a question."""
    mode, question = sys.argv[1:3]
    names: dict[str, Any] = {}
    exec(EXPORTER, names)
    llm = Application(context_window=WINDOW)
    ask(llm, mode, question, nodes([chunk(each) for each in range(8)]))
    names["provider"].shutdown()


if __name__ == "__main__":
    main()
