"""The one event loop in which requests wait."""

import asyncio
import threading

from synth.llms import background


def test_who_leaves_early_ends_the_work():
    ended = threading.Event()

    async def work(tell):
        tell("one")
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    pieces = background.pieces(work)
    assert next(pieces) == "one"
    pieces.close()
    assert ended.wait(10)
