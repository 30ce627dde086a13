"""A run in the background: a thread reads its events, and pages what it has read so far."""

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from io import StringIO
from itertools import count
from time import monotonic
from typing import Self

from synth.errors import CountingFailed, Stopped, SynthError
from synth.llms import HumanLLM
from synth.runs.calls import CallRecord, Setup, Spent, total
from synth.runs.events import Answered, Event, Failed, Finished, Retrying, Started, Token
from synth.runs.trace import Trace
from synth.text.model_tokenizers import DEFAULT_ENCODING, get_tokenizer
from synth.text.tokenizer import Tokenizer
from ui.plans.cost import dollars_for
from ui.settings.request import Request
from ui.store.rows import RUNNING, Run, RunInfo, State
from ui.store.runs import GOES_ON, RunWriter

Events = Callable[[threading.Event], Iterator[Event]]
"""What a run does, told event by event; it gets the flag that stops the run."""

_serials = count(1)


class Job:
    """One run: a thread makes its trace, and the job hands out the trace so far.

    `info` counts the calls that have ended. With the `earlier` trace of a run, that run goes on, of
    which `info` is known. One that goes on at another server has `load`, which reads what is saved
    of it. A `person` may answer as its model. `reuses` says whether it may take answers of other
    runs. `serial` is different for every job of the server. `waits`: it has no thread yet. Even a
    stopped run may still get an answer, which adds to `events_read`.
    """

    def __init__(
        self,
        request: Request,
        setup: Setup,
        info: RunInfo | None = None,
        earlier: Trace | None = None,
        is_saved: bool = False,
    ) -> None:
        self.request = request
        self.info = replace(
            info or RunInfo(),
            mode=request.mode,
            behaviour=request.behaviour,
            model=request.model.name or request.model.kind,
            question=request.query_str,
        )
        self._goes_on = earlier is not None
        if self._goes_on:
            self.info = replace(self.info, state=RUNNING, ended=None, problem=None)
        self.writer = RunWriter(self.info, request, earlier) if is_saved else None
        self.events: Events | None = None
        self.load: Callable[[], Run | None] | None = None
        self.person: HumanLLM | None = None
        self.waits = False
        self.reuses = True
        self.serial = next(_serials)
        self.events_read = 0
        self.calls: dict[int, CallRecord] = {}
        self._counted: set[int] = set()  # the numbers of those that are counted
        self._arriving: dict[int, StringIO] = {}
        self._written: dict[int, StringIO] = {}  # with the reasoning before an answer
        self.problem: str | None = None
        self._setup = setup
        self._run: str | None = None
        self._earlier = earlier or Trace(setup, ())
        self._known = {call.number: call for call in self._earlier.calls}
        self._finished: Trace | None = None
        self._cut: tuple[int, Trace] | None = None  # the trace after so many events
        self._began = monotonic()
        self._stopped: float | None = None
        self._stop, self._over = threading.Event(), threading.Event()

    def begin(self) -> Self:
        """Have a thread read all events."""
        begin_together([self])
        return self

    def ended(self, trace: Trace | None, problem: str | None = None) -> Self:
        """Show and save a run that has ended, or had a problem before its first call."""
        self._finished, self.problem = trace, problem
        self.calls = {} if trace is None else {call.number: call for call in trace.calls}
        self._save_end(trace or self._without_answer())
        self._over.set()
        return self

    def show_saved(self, run: Run) -> Self:
        """Show a saved run as it is now; it has ended unless it is running."""
        self.info, self._run = run.info, run.info.id
        self.calls = {call.number: call for call in run.trace.calls}
        self._counted = set(self.calls)
        if run.info.state != RUNNING:
            self._finished = run.trace
            self._over.set()
        self.events_read += 1
        return self

    @property
    def elsewhere(self) -> bool:
        """Whether it goes on, or did, at another server."""
        return self.load is not None

    def look_again(self) -> None:
        """Show what another server has saved of the run meanwhile."""
        if self.load is None or not self.running:
            return
        with suppress(SynthError):  # what can't be read now may be readable next time
            if (run := self.load()) is not None:
                self.show_saved(run)
            else:
                self.problem = "It was deleted."
                self._over.set()

    @property
    def info_now(self) -> RunInfo:
        """What the app knows of the run, with what was spent so far."""
        return self.info.with_spent(self.spent)

    @property
    def running(self) -> bool:
        """Whether the run goes on; a stopped run does not, even while its last call is answered."""
        return not (self._over.is_set() or self._stop.is_set())

    @property
    def busy(self) -> bool:
        """Whether it must stay in memory: it goes on here, or something of it is not saved yet."""
        return self.unsaved or (self.running and not self.elsewhere)

    @property
    def unsaved(self) -> bool:
        """Whether something of the run is not saved yet, and will be."""
        return self.writer is not None and self.writer.since is not None

    @property
    def trace(self) -> Trace | None:
        """The trace of an ended run, of all attempts; a stopped one has what had arrived."""
        has_ended = self._finished is not None and self._finished.response is not None
        if has_ended or not self._stop.is_set():
            return self._finished
        if self._cut is None or self._cut[0] != self.events_read:
            ended = tuple(map(self._as_ended, self.begun))
            so_far = Trace(self._setup, ended, stopped=True, seconds=self.seconds)
            self._cut = self.events_read, so_far.after(self._earlier)
        return self._cut[1]

    @property
    def run(self) -> str | None:
        """The id under which the run is saved; None if it is not."""
        return self._run if self.writer is None else self.writer.run

    @property
    def begun(self) -> list[CallRecord]:
        """The calls that have begun, in order."""
        return [call for _, call in sorted(self.calls.copy().items())]

    @property
    def answered(self) -> list[CallRecord]:
        """The calls that have an answer, in order."""
        return [call for call in self.begun if call.answer is not None]

    @property
    def arriving(self) -> dict[int, str]:
        """The text so far of the answers that are still arriving, by call, in order."""
        arriving = sorted(self._arriving.copy().items())
        return {number: text.getvalue() for number, text in arriving}

    @property
    def unanswered(self) -> list[CallRecord]:
        """The calls that have begun and wait for an answer, in order."""
        return [call for call in self.begun if call.answer is None and call.error is None]

    @property
    def spent(self) -> Spent:
        """Requests and tokens so far, also before a resumption; reused answers cost nothing."""
        arrived = [self._as_ended(call).spent for call in self._under_way]
        return total([self.info.spent, *arrived])

    @property
    def dollars(self) -> float | None:
        """US dollars for what was spent so far; None if the price is unknown."""
        return self._price(self.spent)

    def _price(self, spent: Spent) -> float | None:
        asked = {number: call for number, call in self.calls.items() if not call.replayed}
        calls = [call for call in (self._known | asked).values() if not call.replayed]
        cached, written = total(call.spent for call in calls)[3:] if calls else (0, 0)
        spent = spent._replace(cached_tokens=cached, written_tokens=written)
        unpriced = self.info.kind != "made here"
        return dollars_for(self.request.model, spent, self.info.by_person, unpriced)

    @property
    def seconds(self) -> float:
        """Seconds since the run began, or from then until it was stopped."""
        return (self._stopped or monotonic()) - self._began

    def stop(self) -> None:
        """Stop the run: it sends no further call."""
        self._stopped = monotonic()
        self._stop.set()
        if self.person is not None:
            self.person.close()
        if self.waits:
            self._over.set()

    def wait(self, seconds: float | None = None) -> None:
        """Wait until all events are read, at most this many seconds."""
        self._over.wait(seconds)

    def work(self) -> None:
        """Read all events in this thread; a run that was stopped before does not begin."""
        self.waits = False
        self._began = monotonic()
        if not self._goes_on:
            self.info = replace(self.info, started=datetime.now(UTC))
        try:
            if self.events is not None and not self._stop.is_set():
                self._read_events(self.events)
                self._save_end(self.trace or self._without_answer())
        finally:
            self._over.set()

    def _read_events(self, events: Events) -> None:
        try:
            coming = events(self._stop)
        except SynthError as error:  # it may not begin, so nothing of it is saved
            self.problem, self.writer = str(error), None
            return
        try:
            self._save()
            if self.writer is not None and self.writer.elsewhere:
                self.problem, self.writer = GOES_ON, None
                return
            for event in coming:
                self._take(event)
        except SynthError as error:
            self.problem = str(error)
        except Exception as error:  # a defect of a custom mode; the page must say so
            self.problem = f"{type(error).__name__}: {error}"

    def _take(self, event: Event) -> None:
        match event:
            case Failed(call=call) if call.tries and self._stop.is_set():
                pass  # it fails because the run was stopped; the text that arrived stays
            case Started(call=call) | Retrying(call=call):
                self._show(call)
                if not call.replayed and not self.request.model.free:
                    self._save()  # before it is sent
            case Failed(call=call) if not call.tries:  # it failed before it left
                self.calls.pop(call.number, None)
                self._save()
            case Answered(call=call) | Failed(call=call):
                self._count(call)
                whole = self._earlier.join(call)
                self._save([] if whole is self._known.get(call.number) else [whole])
                self._show(call)  # once it is saved
            case Token(number=number, text=text, written=written):
                came = text if written is None else written
                self._arriving.setdefault(number, StringIO()).write(text)
                self._written.setdefault(number, StringIO()).write(came)
            case Finished(trace=trace):
                self._finished = trace.after(self._earlier)
        self.events_read += 1  # last: pages look at the run again for it

    def _show(self, call: CallRecord) -> None:
        self.calls[call.number] = call
        self._arriving.pop(call.number, None)
        self._written.pop(call.number, None)

    def _count(self, call: CallRecord) -> None:
        self._counted.add(call.number)
        if not call.replayed:
            self.info = self.info.with_spent(total([self.info.spent, call.spent]))
        self.info = replace(self.info, calls=len(self._known.keys() | self._counted))

    def _save(self, ended: Sequence[CallRecord] = ()) -> None:
        """Save these calls, and those under way as if they got the longest answers."""
        way = [] if self.request.model.free else self._under_way
        longest = Spent(output_tokens=len(way) * self.request.num_output)
        spent = total([self.info.spent, *(call.spent for call in way), longest])
        info = replace(
            self.info.with_spent(spent),
            dollars=self._price(spent),
            seconds=self._earlier.seconds + monotonic() - self._began,
        )
        if self.writer is not None:
            self.writer.save(info, ended)

    def _save_end(self, trace: Trace) -> None:
        """Save the end of the run, and the calls that ended with it."""
        sent = (call for call in trace.calls if call.tries)
        late = [call for call in sent if call.number not in self._counted]
        for call in late:
            self._count(call)
        state: State = "stopped" if trace.stopped else "failed"
        self.info = replace(
            self.info,
            state=state if trace.response is None else "done",
            ended=datetime.now(UTC),
            seconds=trace.seconds,
            dollars=self._price(self.info.spent),
            answer=trace.response or "",
            problem=trace.error,
        )
        if self.writer is not None:
            self.writer.save(self.info, late, trace)

    @property
    def _under_way(self) -> list[CallRecord]:
        """The calls that have begun and not ended, but for those whose answers were there."""
        sent = (call for call in self.calls.copy().values() if not call.replayed)
        return [call for call in sent if call.number not in self._counted]

    def _without_answer(self) -> Trace:
        trace = Trace(self._setup, (), error=self.problem, seconds=self.seconds)
        return trace.after(self._earlier)

    def _as_ended(self, call: CallRecord) -> CallRecord:
        if call.answer is not None or call.error is not None:
            return call
        written = self._written.get(call.number)
        arrived = None if written is None else written.getvalue()
        tokens, note = _tokens_of(arrived or "", self._setup.tokenizer)
        return replace(
            call,
            reply=arrived,
            output_tokens=tokens,
            notes=(*call.notes, *note),
            error=f"Call {call.number} was stopped while it was being answered.",
            error_kind=Stopped.__name__,
            seconds=max(0.0, self.seconds - call.started),
        )


def begin_together(jobs: Sequence[Job], most: int = 1) -> None:
    """Begin these runs in their order, at most so many at a time in threads of their own."""
    able = [job for job in jobs if job.events is not None]
    for job in able:
        job.waits = True
    coming = iter(able)

    def work() -> None:
        while (job := next(coming, None)) is not None:
            job.work()

    for _ in range(min(most, len(able))):
        threading.Thread(target=work, daemon=True).start()


def _tokens_of(text: str, tokenizer: Tokenizer) -> tuple[int, tuple[str, ...]]:
    try:
        return tokenizer.count(text), ()
    except CountingFailed:  # the server that counts is gone, often with the call
        note = f"tokens of the reply estimated with {DEFAULT_ENCODING}: its server did not count"
        return get_tokenizer(DEFAULT_ENCODING).count(text), (note,)
