"""The drivers: the only callers of a language model; a plan and a replay call none."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import AsyncIterator, Generator, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from dataclasses import replace

from synth.errors import Stopped, SynthError
from synth.prompts.packing import placeholder_answer
from synth.runs.calls import PlannedCall, Setup
from synth.runs.events import Answered, Event, Failed, Finished, Retrying, Started
from synth.runs.state import PendingCall, Reply, RunState
from synth.runs.steps import Answer, Done, Steps, advance
from synth.runs.trace import Plan, Trace

_threads = ThreadPoolExecutor(256, "synth-calls")  # of all runs, however many calls each has
_waiting = ThreadPoolExecutor(256, "synth-runs")  # of runs that asyncio waits for


def run(state: RunState) -> Trace:
    """Run a mode to its end; a failure is raised with the trace so far on it."""
    *_, last = stream(state)
    return _outcome(last)


def stream(state: RunState) -> Generator[Event]:
    """Run a mode, handing out events; the last one is `Finished`, whatever happened."""
    while batch := state.next_batch():
        if state.options.concurrency > 1 and len(batch) > 1:
            yield from _ask_together(state, batch)
        else:
            for pending in batch:
                yield from _ask(state, pending)
    yield state.finish()


def _ask(state: RunState, pending: PendingCall) -> Iterator[Event]:
    if state.is_halted:
        return
    reply, known = Reply(state, pending), state.recall(pending)
    if known is None and not state.admit(pending):
        return
    record = replace(pending.record, started=reply.started, replayed=known is not None)
    yield Started(record)
    if known is not None:
        yield Answered(known)
        return
    if state.options.stop.is_set():  # while its start was read; no trace has it
        error = f"Call {record.number} ({record.template}) was not sent: the run was stopped."
        yield Failed(replace(pending.record, tries=0, error=error, error_kind=Stopped.__name__))
        return
    problem: Exception | None = None
    try:
        call = pending.call
        for piece in state.llm.ask(call.prompt, call.schema, streamed=state.options.tokens):
            yield from reply.take(piece)
    except Exception as error:
        problem = error
    yield reply.ending(problem)


def _ask_together(state: RunState, batch: list[PendingCall]) -> Iterator[Event]:
    """Ask in a few threads; a request is sent only once the event that says so was taken."""
    events: queue.SimpleQueue[tuple[Event, threading.Event] | None] = queue.SimpleQueue()
    unasked = iter(batch)  # which the threads share

    def work() -> None:
        try:
            for pending in unasked:
                for event in _ask(state, pending):
                    taken = threading.Event()
                    events.put((event, taken))
                    if isinstance(event, Started | Retrying) and not state.is_abandoned:
                        taken.wait()
                    if state.is_abandoned:
                        return
        finally:
            events.put(None)

    going = min(state.options.concurrency, len(batch))
    futures = [_threads.submit(work) for _ in range(going)]
    try:
        while going:
            handed = events.get()
            going -= handed is None
            if handed is not None:
                event, taken = handed
                try:
                    yield event
                finally:
                    taken.set()
    except GeneratorExit:
        state.is_abandoned = True
        while not events.empty():
            if (handed := events.get()) is not None:
                handed[1].set()
        raise
    finally:
        wait(futures)
    for future in futures:
        future.result()  # raises a defect of this package, which would look like a stopped run


async def arun(state: RunState) -> Trace:
    """Run a mode to its end with asyncio; a failure is raised with the trace so far on it."""
    return _outcome([event async for event in astream(state)][-1])


async def astream(state: RunState) -> AsyncIterator[Event]:
    """Do as `stream`, waiting with asyncio; a task that is cancelled sends nothing further."""
    events, loop = stream(state), asyncio.get_running_loop()
    try:
        while (event := await loop.run_in_executor(_waiting, next, events, None)) is not None:
            yield event
    finally:
        state.is_abandoned = True
        _waiting.submit(events.close)  # which waits for requests; refused while a step goes on


def _outcome(last: Event) -> Trace:
    assert isinstance(last, Finished)
    if last.error is not None:
        raise last.error
    return last.trace


def replay(state: RunState) -> Trace:
    """Replay the run as far as its log has answers to its very prompts."""
    while batch := state.next_batch():
        for pending in batch:
            state.recall(pending)
    return state.finish().trace


def plan(setup: Setup, steps: Steps, answer_tokens: int, max_calls: int) -> Plan:
    """Plan the calls of a run; what is refused after its first call is the plan's `problem`."""
    planned: list[PlannedCall] = []
    text = placeholder_answer(setup.tokenizer, answer_tokens)
    problem: str | None = None
    answers: list[Answer] | None = None
    depth = 0
    try:
        while not isinstance(calls := advance(steps, answers), Done):
            wanted = len(planned) + len(calls)
            answers = []
            for number, call in enumerate(calls[: max_calls - len(planned)], len(planned) + 1):
                planned.append(
                    PlannedCall(
                        number=number,
                        depth=depth,
                        template=call.template,
                        prompt=call.prompt,
                        padding=call.padding,
                        notes=call.notes,
                        output_tokens=answer_tokens + setup.reasoning_output,
                        tokenizer=setup.tokenizer,
                        reasoning_tokens=setup.reasoning_output,
                    )
                )
                answers.append(Answer(number, text))
            if wanted > max_calls:
                problem = (
                    f"It would make {wanted:,} calls or more; the first {max_calls:,} are here."
                )
                break
            depth += 1
    except SynthError as error:
        if not planned:
            raise
        problem = str(error)
    return Plan(setup, tuple(planned), answer_tokens, problem)
