"""Who judges, what, and how often: kept in the workspace, apart from the key."""

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from synth.prompts.window import PromptHelper
from synth.quality import Judging, judge_together
from synth.runs.bounds import Bounds
from synth.runs.calls import prompt_hash
from synth.runs.trace import Plan
from ui.pages.compare.analysis.judgements import KINDS, Judgement, Kind, judgements
from ui.pages.compare.columns import Column, settings_of
from ui.pages.compare.comparison import Comparison
from ui.session import keys, workspace
from ui.settings import state
from ui.settings.request import Model, Request
from ui.settings.schema import Settings

MOST_REPEATS = 5
NO_JUDGE = Column("judge", ())
DEFAULTS: dict[str, Any] = {
    "model": "endpoint",
    "temperature": 0.0,
    "context_window": 8_192,
    "num_output": 400,
}
"""The settings of a judge that no person changes, or has not changed yet."""
INPUTS = (keys.JUDGE, keys.JUDGE_KINDS, keys.JUDGE_REPEATS, keys.REFERENCES)
"""The values of the workspace that a judge is asked with, beside those of a comparison."""


@dataclass(frozen=True)
class Judge:
    """What the replies of a judge depend on, besides its prompts; limits in tokens."""

    model: Model
    window: int
    num_output: int
    tokenizer: str


@dataclass(frozen=True)
class JudgePlan:
    """All judgements that are asked for now, and the one run that asks them, with its plan."""

    judge: Judge
    request: Request
    repeats: int
    asked: tuple[Judgement, ...]
    judging: Judging
    plan: Plan

    @property
    def bounds(self) -> Bounds:
        """What all repeats make at least and at most."""
        tokens = [call.prompt_tokens for call in self.plan.calls]
        return Bounds.in_turn([Bounds.batch(tokens, self.judge.num_output)] * self.repeats)

    @cached_property
    def prompts(self) -> tuple[str, ...]:
        """The hash of each prompt, in order."""
        return tuple(prompt_hash(call.prompt) for call in self.plan.calls)


def column() -> Column:
    """The judge as a column of its own: what is not in it follows the sidebar."""
    chosen: Column = workspace.value(keys.JUDGE, NO_JUDGE)
    return Column(NO_JUDGE.name, tuple((DEFAULTS | dict(chosen.overrides)).items()))


def put(changed: Column) -> None:
    """Keep what a person chose of the judge."""
    chosen = tuple(one for one in changed.overrides if one not in DEFAULTS.items())
    state.keep(keys.JUDGE, Column(NO_JUDGE.name, chosen))


def settings() -> Settings:
    """The settings of the judge."""
    return settings_of(column(), "")


def kinds() -> tuple[Kind, ...]:
    """What is judged."""
    return tuple(workspace.value(keys.JUDGE_KINDS, list(KINDS)))


def repeats() -> int:
    """How often each prompt is asked."""
    return workspace.value(keys.JUDGE_REPEATS, 1)


def models_of(comparison: Comparison) -> set[str]:
    """The names of the models that answered, in small letters."""
    models = (cell.request.model for cell in comparison.cells.values() if cell.run)
    return {model.name.casefold() for model in models if not model.free}


def judge_plan_of(comparison: Comparison) -> JudgePlan:
    """The judgements of the answers that there are, from memory while nothing changes.

    They are those of the first repeats.
    """
    request = Request.of(settings())
    judge = Judge(request.model, request.context_window, request.num_output, request.tokenizer)
    helper = PromptHelper(judge.window, judge.num_output, tokenizer=judge.tokenizer)
    rows = [comparison.row(question) for question in range(len(comparison.asked))]
    shown = tuple((cell.version, cell.asked.reference) for row in rows for cell in row)
    key = (judge, shown, kinds(), comparison.reference)

    def make() -> tuple[tuple[Judgement, ...], Judging, Plan]:
        asked = tuple(judgements(rows, kinds(), comparison.reference, helper))
        judging = judge_together([each.judging for each in asked if each.plan], helper)
        return asked, judging, judging.plan()

    asked, judging, plan = workspace.current().remembered("judgements", key, make)
    return JudgePlan(judge, request, repeats(), asked, judging, plan)
