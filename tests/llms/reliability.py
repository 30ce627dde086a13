"""The table of docs/reliability.md: what comes of every fault, in each way to ask.

python -m tests.llms.reliability      writes the table into the file
"""

import os
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor

from synth.errors import ModelError
from synth.llms import OpenAILLM
from synth.runs.llm import Completion, is_cut
from tests.fake_openai import FakeOpenAI
from tests.llms.faults import FAULTS, Fault
from tests.llms.ways import WAYS, Way, stream
from tests.tables import table, write

COMMAND = "reliability, servers"
_WORDS = 150  # characters of a message


def outcome(fault: Fault, way: Way) -> tuple[str, int]:
    """What comes of it, and the requests that it took."""
    reply = (fault.streamed if way is stream else None) or fault.plain
    with FakeOpenAI(reply) as server:
        llm = OpenAILLM(
            "m",
            "sk-secret",
            server.base_url,
            num_output=64,
            temperature=0,
            arguments=fault.sent,
            timeout=fault.timeout,
        )
        try:
            words = _answer(way(llm))
        except ModelError as error:
            words = f"{type(error).__name__}: {error}"
        host = server.base_url.removeprefix("http://").removesuffix("/v1")
        return _plain(words.replace(host, "host")), len(server.requests)


def _answer(completion: Completion) -> str:
    """The parts of an answer that a server said something of."""
    end = " (cut off)" if is_cut(completion.finish_reason) else ""
    counts = {
        "prompt": completion.prompt_tokens,
        "cached": completion.cached_tokens,
        "output": completion.output_tokens,
        "reasoning": completion.reasoning_tokens,
    }
    told = [f"{tokens} {name}" for name, tokens in counts.items() if tokens is not None]
    thought = f"; it thought {completion.reasoning!r}" if completion.reasoning else ""
    tokens = f"{', '.join(told)} tokens" if told else "counted here"
    return f"answer {completion.text!r}{end}, {tokens}{thought}"


def rows() -> str:
    """The table: a row a fault."""
    faults = [(kind, fault) for kind, faults in FAULTS.items() for fault in faults]
    asked = [(fault, way) for _, fault in faults for way in WAYS]
    with ThreadPoolExecutor(16) as pool:
        outcomes = list(pool.map(lambda one: outcome(*one), asked))
    return table(
        ("kind", "what the server sends", "requests", "what comes of it"),
        [
            (kind, fault.name, *_merged(outcomes[number * len(WAYS) :][: len(WAYS)]))
            for number, (kind, fault) in enumerate(faults)
        ],
    )


def _merged(outcomes: Sequence[tuple[str, int]]) -> tuple[str, str]:
    """The requests and outcomes of all ways; the second is that of a stream, if they differ."""
    requests = ", ".join(dict.fromkeys(str(count) for _, count in outcomes))
    return requests, "; streamed: ".join(dict.fromkeys(words for words, _ in outcomes))


def _plain(said: str) -> str:
    plain = "".join(one if one.isprintable() else f"U+{ord(one):04X}" for one in said)
    plain = plain.replace("<", "&lt;")
    return plain if len(plain) <= _WORDS else plain[:_WORDS].rsplit(" ", 1)[0] + " …"


if __name__ == "__main__":
    os.environ["NO_PROXY"] = "127.0.0.1"
    write(COMMAND, rows())
