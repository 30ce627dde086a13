"""The cells of a comparison: what each of its slots asks, would make, and made; its column's name.

A view is a fold over cells: those of one question are its columns, those of one column its scores.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from synth.modes.advice.equivalence import same_prompts, same_response
from synth.quality import Measures
from synth.runs.bounds import Bounds
from synth.runs.prices import Price
from synth.runs.trace import Plan, Trace
from synth.text.wording import short
from ui.pages.compare.judged_runs import Asked, JudgedRun
from ui.pages.compare.run_slots import RunSlot, SlotRun
from ui.plans.plan_range import PlanRange, Plans, plan_range
from ui.settings import paths, schema
from ui.settings.changes import value
from ui.settings.request import Model, Request


@dataclass(frozen=True)
class Cell:
    """What stands in one slot.

    `present` is its request as the settings are now, `planned` has the plans of that, and `leader`
    is the slot whose run serves this one too, mostly its own. `missing` says why nothing can be
    sent with its settings. `run` may be one of other settings, but never one of another question.
    `name` is that of its column in sentences, `differs` says what else than its mode tells it from
    the others. `measures` and `judged` are those of its answer, on pages that show them.
    """

    slot: RunSlot
    asked: Asked
    present: Request
    planned: PlanRange
    leader: RunSlot
    missing: str = ""
    run: SlotRun | None = None
    name: str = ""
    differs: str = ""
    measures: Measures | None = None
    judged: JudgedRun | None = None

    @property
    def request(self) -> Request:
        """The request that is shown: that of its run, even one that is out of date."""
        return self.run.request if self.run else self.present

    @property
    def stale(self) -> bool:
        """Whether its settings have changed since its run."""
        return self.request != self.present

    @property
    def plans(self) -> PlanRange:
        """The plans of the request that is shown."""
        return plan_range(self.request) if self.stale else self.planned

    @property
    def label(self) -> str:
        """What its column is called where it stands alone: "A · compact, window 512"."""
        label = column_label(self.slot.column, self.request.mode)
        return f"{label}, {self.differs}" if self.differs else label

    @property
    def trace(self) -> Trace | None:
        """The trace of a run that ended."""
        return self.run.job.trace if self.run and not self.run.job.running else None

    @property
    def problem(self) -> str | None:
        """Why a run failed without a trace."""
        return self.run.job.problem if self.run and not self.run.job.running else None

    @property
    def version(self) -> tuple[int, int, bool] | None:
        """What is another for each run, once more of it has arrived, and once it has a trace.

        None without a run. The last event is read a moment before the run has ended.
        """
        if self.run is None:
            return None
        job = self.run.job
        return job.serial, job.events_read, job.running

    @property
    def answer(self) -> str | None:
        """The response of a run that finished."""
        return self.trace.response if self.trace else None

    @property
    def outcome(self) -> str:
        """The answer, or in a few words the reason why there is none."""
        if self.trace is not None:
            ended = "stopped" if self.trace.stopped else f"failed: {self.trace.error}"
            return ended if self.trace.response is None else self.trace.response
        if self.problem is not None:
            return f"failed: {self.problem}"
        return f"refused: {self.plans.refused}" if self.plans.refused else "not yet"

    @property
    def can_run(self) -> bool:
        """Whether nothing refuses its request, and it has a question if it asks a model."""
        return self.planned.refused is None and not self.present.lacks_question

    @property
    def finished(self) -> bool:
        """Whether a run of its present request has a response."""
        return not self.stale and self.answer is not None

    @property
    def free(self) -> bool:
        """Whether its model never costs anything."""
        return self.request.model.free

    @property
    def price(self) -> Price | None:
        """The price of its model, if it is known."""
        return self.request.model.price

    @property
    def complete(self) -> Plans | None:
        """The plans with short and with long answers, if both finish."""
        plans = self.plans.plans
        return None if plans is None or plans.low.problem or plans.high.problem else plans

    def cost(self, run: Plan | Trace) -> float | None:
        """US dollars of all calls at the price, reused answers included."""
        if self.price and run.calls:
            return self.price.of(*run.spent.tokens)
        return 0.0 if self.free or not run.calls else None

    def most_cost(self, bounds: Bounds) -> float:
        """The most US dollars that a run within these bounds costs; math.inf where nobody knows."""
        if self.price and bounds.calls.high:
            return bounds.cost(self.price)
        return 0.0 if self.free or not bounds.calls.high else math.inf

    def seconds(self, run: Plan | Trace) -> float | None:
        """The seconds of a run of an endpoint, unless some of its answers were reused."""
        if self.free or not isinstance(run, Trace) or any(call.replayed for call in run.calls):
            return None
        return run.seconds


def column_label(column: str, mode: str) -> str:
    """The label of a column: "A · compact"."""
    return f"{column} · {mode}"


def any_ended(cells: Sequence[Cell]) -> bool:
    """Whether a run of any cell has ended; until then the page shows the plans."""
    return any(cell.trace or cell.problem for cell in cells)


def with_leaders(cells: Sequence[Cell]) -> list[Cell]:
    """The cells of one question, each with the first whose run gives its answer too as leader."""
    leaders: list[Cell] = []
    found = []
    for cell in cells:
        leader = next((one for one in leaders if _same_answer(one, cell)), None)
        if leader is None:
            leaders.append(cell)
        found.append(replace(cell, leader=(leader or cell).slot))
    return found


def _same_answer(first: Cell, second: Cell) -> bool:
    """Whether one run gives the answer to both: the same prompts, and the same use of replies."""
    if first.present == second.present:
        return True
    plan, twin = first.planned.high, second.planned.high
    if plan is None or twin is None or plan.problem or twin.problem:
        return False
    if not same_response(plan, twin) or not send_same_prompts(first, second):
        return False
    # Calls after the first are planned with assumed answers; how much of the real answers
    # fits into them depends on the window.
    windows = {first.present.context_window, second.present.context_window}
    return (plan.exact and twin.exact) or len(windows) == 1


def send_same_prompts(first: Cell, second: Cell) -> bool:
    """Whether the plans of both send the very same prompts to the same model."""
    if _reply_settings(first.present) != _reply_settings(second.present):
        return False
    short = first.planned.low, second.planned.low
    long = first.planned.high, second.planned.high
    return all(
        plan is not None and twin is not None and bool(same_prompts([plan, twin]))
        for plan, twin in (short, long)
    )


def _reply_settings(request: Request) -> tuple[object, ...]:
    """The settings that a reply depends on besides the prompt."""
    return request.model, request.num_output, request.tokenizer, request.structured_answer_filtering


_LONGEST_NAME = 28  # characters of a name in a sentence or beside a bar
_COMPARED = tuple(name for name, shown in schema.SHOWN.items() if shown.column == "limits")
"""The fields of a request that a column may have otherwise than its neighbour."""


def named(cells: Sequence[Cell], templates: Mapping[str, str]) -> list[Cell]:
    """The cells of one question with their names, and with what tells each from the others.

    In sentences a column has the name of its mode, or its letter where modes or their shortened
    names are equal. `templates` says by column whose templates it has ("your templates").
    """
    modes = [short(cell.request.mode, _LONGEST_NAME) for cell in cells]
    names = [cell.slot.column for cell in cells] if len(set(modes)) < len(modes) else modes
    traits = [_traits(cell, templates.get(cell.slot.column, "")) for cell in cells]
    every = dict.fromkeys(trait for own in traits for trait in own)
    # A column may lack a trait, as one without an endpoint has no address.
    values = {trait: {own[trait] for own in traits if trait in own} for trait in every}
    differing = [trait for trait in every if len(values[trait]) > 1]
    return [
        replace(cell, name=name, differs=", ".join(own[one] for one in differing if one in own))
        for cell, name, own in zip(cells, names, traits, strict=True)
    ]


def _traits(cell: Cell, templates: str) -> dict[str, str]:
    """What could tell a column from others but for its mode, in words."""
    request = cell.request
    fields = {name: paths.phrase(name, getattr(request, name)) for name in _COMPARED}
    fields["tokenizer"] = value("tokenizer", request.tokenizer)
    variables = {f"variable {name}": f"{name}: {value}" for name, value in request.variables}
    return {**_model_traits(request.model), "templates": templates, **fields, **variables}


def _model_traits(model: Model) -> dict[str, str]:
    if model.free:
        return {"model": model.name or "offline model"}
    host = model.address.partition("//")[2].removesuffix("/v1") or model.address
    options = {name: paths.phrase(name, value) for name, value in model.sent.items()}
    return {
        "model": model.name or "no model",
        "address": f"at {host}" if host else "at the default address",
        **options,
    }
