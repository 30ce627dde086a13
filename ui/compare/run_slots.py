"""The runs of a comparison by column, question and repeat, and the columns that share a run."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from synth.equivalence import same_prompts, same_response
from ui.plan.plan_range import PlanRange
from ui.request.request import Request
from ui.run.job import Job
from ui.session import workspace
from ui.session.workspace import Holding


class RunSlot(NamedTuple):
    """The position of a run: its column, the number of its question and of its repeat."""

    column: str
    question: int = 0
    repeat: int = 0


class SlotRun(NamedTuple):
    """The run in a slot, and the request of its column: other columns may share the run."""

    request: Request
    job: Job


@dataclass
class ComparedRuns(Holding):
    """The runs of a comparison by their slot."""

    by_slot: dict[RunSlot, SlotRun] = field(default_factory=dict)

    @property
    def busy(self) -> bool:
        """Whether any of them is still running, or is not saved yet."""
        jobs = [run.job for run in self.by_slot.copy().values()]
        return any(job.running or job.unsaved for job in jobs)

    @property
    def comes_back(self) -> bool:
        """Whether there are none: what is saved of them does not say in which slots they were."""
        return not self.by_slot


def slot_runs() -> dict[RunSlot, SlotRun]:
    """The runs of this tab's comparison."""
    return workspace.current().holding(ComparedRuns).by_slot


def copy_runs(source: str, target: str) -> None:
    """Let a column show the runs of another column with the same settings."""
    runs = slot_runs()
    drop([slot for slot in runs if slot.column == target])
    for slot in [slot for slot in runs if slot.column == source]:
        runs[slot._replace(column=target)] = runs[slot]


def drop(slots: Iterable[RunSlot]) -> None:
    """Forget the runs in these slots, and stop those that no other slot shares."""
    runs = slot_runs()
    dropped = [runs.pop(slot).job for slot in list(slots)]
    shared = {run.job for run in runs.values()}
    for job in dropped:
        if job not in shared:
            job.stop()


def leaders(
    requests: Mapping[RunSlot, Request], plans: Mapping[Request, PlanRange]
) -> dict[RunSlot, RunSlot]:
    """For each slot the first slot of the same question whose run gives its answer too."""
    leader_of: dict[RunSlot, RunSlot] = {}
    for slot, request in requests.items():
        candidates = (
            leader
            for leader in dict.fromkeys(leader_of.values())
            if leader.question == slot.question and _same_answer(requests[leader], request, plans)
        )
        leader_of[slot] = next(candidates, slot)
    return leader_of


def _same_answer(first: Request, second: Request, plans: Mapping[Request, PlanRange]) -> bool:
    """Whether one run gives the answer to both: the same prompts, and the same use of replies."""
    if first == second:
        return True
    plan, twin = plans[first].high, plans[second].high
    if plan is None or twin is None or plan.problem or twin.problem:
        return False
    if not same_response(plan, twin) or not send_same_prompts(first, second, plans):
        return False
    # Calls after the first are planned with assumed answers; how much of the real answers
    # fits into them depends on the window.
    return (plan.exact and twin.exact) or first.window == second.window


def send_same_prompts(first: Request, second: Request, plans: Mapping[Request, PlanRange]) -> bool:
    """Whether both plans send the very same prompts to the same model."""
    if _reply_settings(first) != _reply_settings(second):
        return False
    short = plans[first].low, plans[second].low
    long = plans[first].high, plans[second].high
    return all(
        plan is not None and twin is not None and bool(same_prompts([plan, twin]))
        for plan, twin in (short, long)
    )


def _reply_settings(request: Request) -> tuple[object, ...]:
    """The settings that a reply depends on besides the prompt."""
    return request.model, request.num_output, request.encoding, request.filtering
