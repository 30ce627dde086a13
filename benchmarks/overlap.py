"""How near a bounded batch comes to its critical path: `python -m benchmarks.overlap`.

64 leaves and their summary, 100 ms a call, 16 at once: five waits one after the other.
Prints the wall seconds with threads and with asyncio as JSON.
"""

import asyncio
import json
import time
from collections.abc import Awaitable

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.llms import FunctionLLM
from synth.runs.trace import Trace

LEAVES, AT_ONCE, WAIT = 64, 16, 0.1
CRITICAL_PATH = (LEAVES / AT_ONCE + 1) * WAIT
WINDOW, NUM_OUTPUT, WORDS = 512, 16, 31_000
QUERY = "What is it about?"


def main() -> None:
    def answer(prompt: str) -> str:
        time.sleep(WAIT)
        return "River."

    synthesizer = get_response_synthesizer(
        "tree_summarize",
        FunctionLLM(answer, WINDOW, NUM_OUTPUT),
        PromptHelper(WINDOW, NUM_OUTPUT, chunk_overlap_ratio=0),
        summary_template=PromptTemplate("{context_str}\n{query_str}"),
        use_async=True,
        max_concurrency=AT_ONCE,
    )
    chunks = ["river " * WORDS]
    planned = synthesizer.plan(QUERY, chunks, answer_tokens=2).call_count
    assert planned == LEAVES + 1, f"{planned} calls are planned, {LEAVES + 1} are meant"
    threads = synthesizer.run(QUERY, chunks)
    tasks = asyncio.run(seconds(synthesizer.arun(QUERY, chunks)))
    print(json.dumps([threads.seconds, tasks]))


async def seconds(run: Awaitable[Trace]) -> float:
    """How long a run takes, without what it costs to end the event loop."""
    return (await run).seconds


if __name__ == "__main__":
    main()
