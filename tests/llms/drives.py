"""The four ways to drive a run to its trace: all are to do the same."""

import asyncio

CHUNKS = ["alpha beta", "gamma delta", "epsilon zeta"]


def run(made):
    return made.run("why", CHUNKS)


def stream(made):
    *_, last = made.stream("why", CHUNKS)
    return last.trace


def arun(made):
    return asyncio.run(made.arun("why", CHUNKS))


def astream(made):
    async def collect():
        return [event async for event in made.astream("why", CHUNKS)]

    return asyncio.run(collect())[-1].trace


DRIVES = [run, stream, arun, astream]
