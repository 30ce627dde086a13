"""The table of docs/reliability.md: what comes of every fault, in each way to ask.

python -m tests.llms.reliability      writes the table into the file
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from synth.errors import ModelError
from synth.llms import OpenAILLM
from tests.fake_openai import FakeOpenAI
from tests.llms.faults import FAULTS, Fault
from tests.llms.ways import STREAMS, WAYS, Way
from tests.tables import table, write

COMMAND = "reliability, servers"
_WORDS = 90  # characters of a message


def outcome(fault: Fault, way: Way) -> tuple[str, int, str]:
    """What came of it, the requests that it took, and what is said of it."""
    reply = (fault.streamed if way in STREAMS else None) or fault.plain
    with FakeOpenAI(reply) as server:
        llm = OpenAILLM("m", "sk-secret", server.base_url, num_output=64, timeout=fault.timeout)
        try:
            completion = way(llm)
        except ModelError as error:
            kind, said = type(error).__name__, str(error)
        else:
            counts = f"{completion.prompt_tokens} and {completion.output_tokens} tokens"
            kind, said = "answer", f"{completion.text!r}, {completion.finish_reason}, {counts}"
        host = server.base_url.removeprefix("http://").removesuffix("/v1")
        return kind, len(server.requests), said.replace(host, "host")


def rows() -> str:
    """The table: a row a fault."""
    asked = [(fault, way) for fault in FAULTS for way in WAYS]
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda one: outcome(*one), asked))
    return table(
        ("fault", *(way.__name__ for way in WAYS), "requests", "what it says"),
        [
            _row(fault, found[number * len(WAYS) :][: len(WAYS)])
            for number, fault in enumerate(FAULTS)
        ],
    )


def _row(fault: Fault, outcomes: Sequence[tuple[str, int, str]]) -> Sequence[object]:
    requests = ", ".join(dict.fromkeys(str(count) for _, count, _ in outcomes))
    said = "; streamed: ".join(dict.fromkeys(_brief(said) for _, _, said in outcomes))
    return (fault.name, *(kind for kind, _, _ in outcomes), requests, said)


def _brief(said: str) -> str:
    plain = "".join(one if one.isprintable() else f"U+{ord(one):04X}" for one in said)
    plain = plain.replace("<", "&lt;")
    return plain if len(plain) <= _WORDS else plain[:_WORDS].rsplit(" ", 1)[0] + " …"


if __name__ == "__main__":
    os.environ["NO_PROXY"] = "127.0.0.1"
    write(COMMAND, rows())
