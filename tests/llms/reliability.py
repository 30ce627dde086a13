"""The table of docs/reliability.md: what comes of every fault, in each way to ask.

python -m tests.llms.reliability      writes the table into the file
"""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from synth.errors import ModelError
from synth.llms import OpenAILLM
from tests.fake_openai import FakeOpenAI
from tests.llms.faults import FAULTS, Fault
from tests.llms.ways import STREAMS, WAYS, Way

FILE = Path(__file__).parents[2] / "docs" / "reliability.md"
MARKS = "<!-- made by make reliability -->\n", "<!-- to here -->\n"
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


def table() -> str:
    """A row a fault, as Markdown."""
    asked = [(fault, way) for fault in FAULTS for way in WAYS]
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda one: outcome(*one), asked))
    names = " | ".join(way.__name__ for way in WAYS)
    rows = [f"| fault | {names} | requests | what it says |", "|---" * (len(WAYS) + 3) + "|"]
    for number, fault in enumerate(FAULTS):
        outcomes = found[number * len(WAYS) :][: len(WAYS)]
        kinds = " | ".join(kind for kind, _, _ in outcomes)
        requests = ", ".join(dict.fromkeys(str(count) for _, count, _ in outcomes))
        said = "; streamed: ".join(dict.fromkeys(_brief(said) for _, _, said in outcomes))
        rows.append(f"| {fault.name} | {kinds} | {requests} | {said} |")
    return "\n".join(rows) + "\n"


def _brief(said: str) -> str:
    plain = "".join(one if one.isprintable() else f"U+{ord(one):04X}" for one in said)
    plain = plain.replace("|", "\\|").replace("<", "&lt;")
    return plain if len(plain) <= _WORDS else plain[:_WORDS].rsplit(" ", 1)[0] + " …"


def written(text: str, rows: str, marks: tuple[str, str] = MARKS) -> str:
    """The file with these rows between the marks."""
    begin, end = marks
    before, _, rest = text.partition(begin)
    _, _, after = rest.partition(end)
    return before + begin + "\n" + rows + "\n" + end + after


if __name__ == "__main__":
    os.environ["NO_PROXY"] = "127.0.0.1"
    FILE.write_text(written(FILE.read_text("utf-8"), table()), "utf-8")
