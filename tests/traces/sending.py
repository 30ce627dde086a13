"""An application that sends its spans to a server as it goes on, as Runs says it may."""

import sys
from typing import Any

from llama_index.core.base.llms.types import LLMMetadata

from synth.traces import EXPORTER
from tests.traces.application import Application, ask, nodes
from tests.traces.test_live import says

WINDOW = 1_100


def chunk(number: int) -> str:
    """A text of about 130 tokens."""
    return f"Page {number}. " + " ".join(f"w{number}x{each}" for each in range(25))


def main() -> None:
    """Ask what the arguments say: a mode and a question."""
    mode, question = sys.argv[1:3]
    metadata = LLMMetadata(context_window=WINDOW, num_output=64, model_name="small")
    names: dict[str, Any] = {}
    exec(EXPORTER, names)
    ask(Application(says, metadata), mode, question, nodes([chunk(each) for each in range(8)]))
    names["provider"].shutdown()


if __name__ == "__main__":
    main()
