"""The one event loop in which requests wait."""

import asyncio
import importlib.util
import sys
import threading

import pytest

from synth.llms import background


@pytest.fixture
def fresh():
    """The module as it is before anybody has sent a request."""
    spec = importlib.util.spec_from_file_location("fresh_background", background.__file__)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def _hurried():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


@pytest.mark.usefixtures("_hurried")
def test_threads_that_are_the_first_together_share_one_loop(fresh):
    together, loops = threading.Barrier(16), []

    async def loop():
        return asyncio.get_running_loop()

    def work():
        together.wait()
        loops.append(fresh.start(loop()).result())

    threads = [threading.Thread(target=work) for _ in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(loops) == 16
    assert len(set(loops)) == 1


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
