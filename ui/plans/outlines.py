"""The outline of a plan: how many calls there are on each level, and how much is cut off.

The Playground shows the outlines of several modes at once, so they are made of totals and of
joined chunks where that is certain to give the same calls.
"""

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from synth.errors import SynthError
from synth.modes.advice.what_if import Planner, Totals
from synth.modes.base import BaseSynthesizer
from synth.modes.facts import facts_of
from synth.runs.trace import Plan
from synth.text.wording import percent, ranged
from synth.words.coverage_words import chunk_tokens, cut_off_tokens
from ui.plans.plan_range import plan_range
from ui.session import workspace
from ui.session.apart import remembered_in_time
from ui.settings.request import Model, Request

_NONE = Totals.refused(None)


@dataclass(frozen=True)
class Outline:
    """The calls of each level, those first that read no answer; and what becomes of the chunks.

    `levels` are those with answers of num_output tokens; `short` and `long` are the totals
    with short answers and with these. `lost` of `tokens` are those that no call carries; both are 0
    where all of the chunks are sent. `missing` says why there are no calls: there is no plan, or it
    may stop early. `about` says whether other answers could lead to other calls; None if unknown.
    """

    levels: tuple[int, ...] = ()
    short: Totals = _NONE
    long: Totals = _NONE
    lost: int = 0
    tokens: int = 0
    missing: str = ""
    about: bool | None = None

    @property
    def calls(self) -> int:
        """The calls of all levels."""
        return sum(self.levels)

    @property
    def said_calls(self) -> str:
        """The calls in words, with short answers and with long ones: "about 6 to 14 calls"."""
        about = self.short.calls != self.calls if self.about is None else self.about
        return f"{'about ' * about}{ranged(self.short.calls, self.calls, 'call')}"

    @property
    def cut_off(self) -> str:
        """The share of the chunks' tokens that no call carries, such as "34 %"; empty for none."""
        return percent(self.lost, self.tokens) if self.lost else ""

    @property
    def shape(self) -> str:
        """How the calls wait for one another, in a word or two."""
        if self.calls <= 1:
            return "one prompt" if self.calls else ""
        if len(self.levels) == self.calls:
            return "in a chain"
        if len(self.levels) == 1:
            return "at once"
        return ranged(self.short.longest_chain, len(self.levels), "level")


_TOO_LONG = Outline(missing="takes too long to plan")


def outline(request: Request, planned: bool = False) -> Outline:
    """The outline of a request, from memory if it was made.

    `planned` says that the page has its whole plan, so that none is made for the outline.
    """
    if planned and (plans := plan_range(request).plans) is not None:
        calls = sorted((plans.low.call_count, plans.high.call_count))
        about = [*plans.bounds.calls] != calls
        return replace(_of(plans.high), short=Totals.of(plans.low), about=about)
    request = replace(request, model=Model())
    return remembered_in_time(
        "outline", request, request.work_apart, lambda _: _TOO_LONG, _outline, request
    )


def _outline(request: Request) -> Outline:
    try:
        synthesizer = request.synthesizer()
        if not synthesizer.plannable:
            return Outline(missing="no plan")
        planner = _planner(request)
        seen = _with_long_answers(request, planner, synthesizer)
        short, _ = request.answers
        if len(seen.levels) < 2:  # no call waits for an answer
            answers = seen.calls * short
            return replace(seen, short=replace(seen.long, output_tokens=answers))
        return replace(seen, short=planner.totals(synthesizer, short))
    except SynthError:
        return Outline(missing="can't run")


def _with_long_answers(request: Request, planner: Planner, synthesizer: BaseSynthesizer) -> Outline:
    totals = planner.counted(synthesizer, request.num_output)
    if totals is not None and totals.longest_chain == totals.calls:
        return Outline((1,) * totals.calls, long=totals)
    if totals is not None and totals.longest_chain == 1:
        return Outline((totals.calls,), long=totals)
    if not facts_of(type(synthesizer)).drops_excess:
        plan = planner.plan(synthesizer, request.num_output)
        if not any(chunk.lost for chunk in plan.coverage):
            return _of(plan)
    # What is lost has other tokens in chunks that are joined.
    values: dict[str, Any] = dict(request.variables)
    return _of(synthesizer.plan(request.query_str, request.text_chunks, **values))


def _planner(request: Request) -> Planner:
    """The planner of these chunks, the latest of the workspace: it holds a copy of their text."""
    key = (request.query_str, request.text_chunks, request.variables)
    planners = workspace.current().remembered_together(
        "planner", [key], lambda key: Planner(key[0], key[1], dict(key[2]))
    )
    return planners[key]


def _of(plan: Plan) -> Outline:
    """The outline of a plan with long answers; its calls with short ones are not counted yet."""
    if plan.problem:
        return Outline(missing="may stop early")
    depths = Counter(call.depth for call in plan.calls)
    levels = tuple(depths[depth] for depth in sorted(depths))
    if not (lost := cut_off_tokens(plan)):
        return Outline(levels, long=Totals.of(plan))
    return Outline(levels, long=Totals.of(plan), lost=lost, tokens=chunk_tokens(plan))
