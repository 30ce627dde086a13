"""The runs of the judge: one for each repeat, one after the other, under one cap."""

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.quality.judge_replies import readable
from synth.runs.calls import NOTHING_SPENT, Log, Spent, prompt_hash
from synth.runs.events import Event, RunOptions
from synth.runs.llm import LLM
from ui.pages.compare.analysis.judgements import Replies
from ui.pages.compare.judge import setup
from ui.pages.compare.judge.setup import Judge, JudgePlan
from ui.runs import allowance
from ui.runs.job import Job
from ui.runs.pool import Lane
from ui.runs.start import limits_of, model_for
from ui.session import workspace
from ui.session.workspace import Holding


@dataclass
class Round:
    """A run of the judge: who was asked which prompts, with a job for each repeat.

    `older` is what each repeat had replied before, which stands until it replies anew; `known` is
    the part of it that is not asked again. `before` was spent already, if the same calls go on.
    `problem` says why it did not start.
    """

    judge: Judge | None = None
    prompts: tuple[str, ...] = ()
    jobs: list[Job] = field(default_factory=list)
    older: list[Replies] = field(default_factory=list)
    known: list[Replies] = field(default_factory=list)
    before: Spent = NOTHING_SPENT
    problem: str = ""

    @property
    def running(self) -> bool:
        """Whether a repeat goes on."""
        return any(job.running for job in self.jobs)

    @property
    def spent(self) -> Spent:
        """Requests and tokens of all repeats so far."""
        parts = [self.before, *(job.spent for job in self.jobs)]
        return Spent(*(sum(amounts) for amounts in zip(*parts, strict=True)))

    @property
    def failed(self) -> bool:
        """Whether a repeat ended early, so that the next is not sent."""
        ended = [job.trace for job in self.jobs]
        early = any(trace is not None and trace.response is None for trace in ended)
        return early or any(job.problem for job in self.jobs)

    def beside(self, before: Sequence[Replies]) -> list[Replies]:
        """What each repeat replied in this round, and `before` where it has replied nothing better.

        A reply that can't be read takes the place of none.
        """
        now = [{prompt_hash(call.prompt): call for call in job.answered} for job in self.jobs]
        none: Replies = {}
        both = zip_longest(before, now, fillvalue=none)
        return [{**new, **old, **_readable(new)} for old, new in both]

    def stop(self) -> None:
        """Send no further call; the replies that have arrived are kept."""
        for job in self.jobs:
            job.stop()


@dataclass
class Rounds(Holding):
    """The latest round of a workspace, and that of each judge: its replies were paid for."""

    latest: Round = field(default_factory=Round)
    by_judge: dict[Judge, Round] = field(default_factory=dict)

    @property
    def busy(self) -> bool:
        """Whether it goes on."""
        return self.latest.running

    @property
    def comes_back(self) -> bool:
        """Whether there is none: the judge's replies are not saved."""
        return not self.latest.jobs

    def stop(self) -> None:
        """Stop the latest round; those before it have ended."""
        self.latest.stop()


def current() -> Round:
    """The latest round of this tab's workspace."""
    return workspace.current().holding(Rounds).latest


def replies(planned: JudgePlan) -> list[Replies]:
    """What this judge has replied so far, in each of the repeats that are asked for."""
    latest = _latest(planned.judge)
    return latest.beside(latest.older)[: planned.repeats]


def _latest(judge: Judge) -> Round:
    return workspace.current().holding(Rounds).by_judge.get(judge, Round())


class Counts(NamedTuple):
    """Calls of a judge in all repeats together: how many are wanted, replied to, and readable."""

    wanted: int
    replied: int
    readable: int

    @property
    def complete(self) -> bool:
        """Whether nothing is left to ask."""
        return 0 < self.wanted == self.readable


def counts(planned: JudgePlan) -> Counts:
    """How far the judge has come; an older reply to what is asked anew is none."""
    latest = _latest(planned.judge)
    wanted, known = set(planned.prompts), latest.beside(latest.known)[: planned.repeats]
    replied = [len(wanted & each.keys()) for each in known]
    read = [len(wanted & _readable(each).keys()) for each in known]
    return Counts(len(planned.prompts) * planned.repeats, sum(replied), sum(read))


def _readable(replied: Replies) -> Replies:
    return {prompt: call for prompt, call in replied.items() if readable(call)}


def start(planned: JudgePlan) -> None:
    """Ask what has no reply that can be read; if nothing is missing, all of it anew."""
    before, of_judge = current(), _latest(planned.judge)
    older = of_judge.beside(of_judge.older)
    known = [*map(_readable, of_judge.beside(of_judge.known))]
    again = counts(planned).complete
    if again:
        asked = [
            {prompt: call for prompt, call in each.items() if prompt not in planned.prompts}
            for each in known[: planned.repeats]
        ]
        known = asked + known[planned.repeats :]
    goes_on = not again and before.judge == planned.judge and before.prompts == planned.prompts
    spent = before.spent if goes_on else NOTHING_SPENT
    begun = Round(planned.judge, planned.prompts, older=older, known=known, before=spent)
    settings = setup.settings()
    try:
        llm = model_for(settings)
        limits = [
            limits_of(planned.request, settings, repeat, reuse=False)
            for repeat in range(planned.repeats)
        ]
    except SynthError as problem:
        before.problem = str(problem)
        return
    lane = Lane(allowance.owner())  # one after another
    for repeat in range(planned.repeats):
        log = _log(planned, known[repeat] if repeat < len(known) else {})
        asking = _Asking(planned, llm, begun, limits[repeat], log)
        job = Job(planned.request, planned.judging.setup, planned.plan.call_count)
        begun.jobs.append(job.begin(lane, asking.events))
    held = workspace.current().holding(Rounds)
    held.latest = held.by_judge[planned.judge] = begun


def _log(planned: JudgePlan, known: Replies) -> Log:
    """The replies to prompts that are asked for again, by the numbers of their calls now."""
    logged = {
        number: known[prompt].logged()
        for number, prompt in enumerate(planned.prompts, 1)
        if prompt in known
    }
    return {number: reply for number, reply in logged.items() if reply is not None}


@dataclass(frozen=True)
class _Asking:
    """What one repeat needs in its thread."""

    planned: JudgePlan
    llm: LLM
    round: Round
    limits: dict[str, Any]
    log: Log

    def events(self, stop: threading.Event) -> Iterator[Event]:
        """Its events; none if an earlier repeat has failed, since this one would too."""
        if self.round.failed:
            return iter(())
        options = RunOptions(
            concurrency=self.limits["max_concurrency"],
            cap=replace(self.limits["cap"], spent=self.round.spent),
            cache=self.limits["cache"],
            log=self.log,
            stop=stop,
        )
        return self.planned.judging.stream(self.llm, options)
