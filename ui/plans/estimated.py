"""The plan that an estimate would make of a request, weighed by the model's own tokenizer.

An estimate counts the text with an encoding, and leaves out the chat template.
"""

from dataclasses import dataclass, replace

from synth.pictures.budget import BudgetRow, budget_row, reach
from synth.prompts.kinds import SpanKind
from synth.runs.trace import Plan
from synth.text.tokens import DEFAULT_ENCODING
from synth.text.wording import Bold, counted, listed, percent
from ui.plans.plan_range import long_plan, most_calls_beside, plan_range
from ui.session.apart import remembered_in_time
from ui.settings.request import Request

_SHOWN = 3  # calls that are drawn


@dataclass(frozen=True)
class Estimated:
    """The two plans in numbers, and the first calls of the estimated one.

    `rows` are the calls that wait for no answer, counted with the model's own tokenizer; `believed`
    the tokens of their prompts by the estimate. `calls` and `ours` are those of both plans, `fewer`
    the prompt tokens of all calls that the estimate leaves out.
    """

    rows: tuple[BudgetRow, ...]
    believed: tuple[int, ...]
    calls: int
    ours: int
    fewer: int

    @property
    def differs(self) -> bool:
        """Whether another number of calls would be made, or one that does not fit the window."""
        return self.calls != self.ours or any(row.budget.over for row in self.rows)

    @property
    def line(self) -> str:
        """What the estimate says, where its plan is no other; "" where it says the same."""
        if not self.fewer:
            return ""
        more = "fewer" if self.fewer > 0 else "more"
        return (
            f"An estimate with {DEFAULT_ENCODING} says {counted(abs(self.fewer), 'prompt token')}"
            f" {more}."
        )

    @property
    def sentence(self) -> list[str]:
        """What would come of the estimated plan, and what the estimate does not count."""
        return [Bold(f"An estimate would plan {self._outcome}"), f" {self._why}"]

    @property
    def _outcome(self) -> str:
        calls = counted(self.calls, "call")
        over = [row.budget for row in self.rows if row.budget.over]
        if not over:
            return f"{calls}, not {self.ours:,}."
        if self.calls > 1:
            more = " or more" * self._some_wait
            return f"{calls}, of which {len(over):,}{more} would be over the window."
        if over[0].prompt > over[0].window:
            return f"{calls}, and your server would refuse it or cut it."
        return f"{calls}, and leave too little room for its answer."

    @property
    def _why(self) -> str:
        frame = sum(row.budget.tokens(SpanKind.FRAME) for row in self.rows)
        believed = sum(self.believed)
        more = sum(row.budget.prompt for row in self.rows) - believed
        by = {"the tokenizer": more - frame, "the chat template": frame}
        both_ways = min(by.values()) < 0 < max(by.values())
        parts = [
            f"{abs(tokens):,}{_sign(tokens) * both_ways} by {source}"
            for source, tokens in by.items()
            if tokens
        ]
        one = len(self.rows) == 1
        holds = "It holds" if one else "They hold"
        if self._some_wait:
            holds = "The first holds" if one else "Those that wait for no answer hold"
        share = f"{percent(abs(more), believed)}{_sign(more)} tokens"
        return f"{holds} {share} than {DEFAULT_ENCODING} counts: {listed(parts)}."

    @property
    def _some_wait(self) -> bool:
        """Whether some calls wait for answers, so that nobody knows what they hold."""
        return len(self.rows) < self.calls

    @property
    def shown(self) -> list[tuple[BudgetRow, int]]:
        """A few calls, those over the window first, each with where the estimate sees its end."""
        ends = [at + row.budget.reserved for row, at in zip(self.rows, self.believed, strict=True)]
        calls = [*zip(self.rows, ends, strict=True)]
        over = [one for one in calls if one[0].budget.over]
        return (over or calls)[:_SHOWN]

    @property
    def reach(self) -> int:
        """The tokens that the scale of the figures must hold."""
        return reach([row for row, _ in self.shown])


def _sign(tokens: int) -> str:
    return " more" if tokens > 0 else " fewer"


def estimated(request: Request) -> Estimated | None:
    """What an estimate would make of a request; None where its plan is an estimate itself.

    None too where no chat template is known, or where either can't be planned.
    """
    ours = plan_range(request).high
    if ours is None or not _is_more_than_an_estimate(ours):
        return None
    return remembered_in_time(
        "estimated", request, request.work_apart, lambda _: None, _compared, request
    )


def _is_more_than_an_estimate(plan: Plan) -> bool:
    if plan.problem or not plan.calls:
        return False
    roles = tuple(message.role for message in plan.calls[0].prompt.messages)
    return plan.setup.tokenizer.sure and plan.setup.tokenizer.frame(roles) is not None


def _compared(request: Request) -> Estimated | None:
    ours = plan_range(request).high
    if ours is None:
        return None
    tokenizer = ours.setup.tokenizer
    estimate = replace(request, tokenizer=DEFAULT_ENCODING)
    theirs = long_plan(estimate, most_calls_beside(ours))
    if not isinstance(theirs, Plan) or theirs.problem:
        return None
    first = [call for call in theirs.calls if call.exact]
    weighed = tuple(replace(call, tokenizer=tokenizer) for call in first)
    plan = replace(theirs, setup=ours.setup, calls=weighed)
    return Estimated(
        tuple(budget_row(plan, call) for call in weighed),
        tuple(call.prompt_tokens for call in first),
        theirs.call_count,
        ours.call_count,
        ours.prompt_tokens - theirs.prompt_tokens,
    )
