"""The cost of a plan, and the parts of a cap that a run could cross, in words."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from synth.errors import SynthError
from synth.llms.model_prices import model_facts
from synth.runs.bounds import Bounds
from synth.runs.calls import CallRecord, Spent, total
from synth.runs.prefixes import plan_in_order
from synth.runs.prices import CacheRule, Price
from synth.runs.trace import Plan, Trace
from synth.text.tokenizer import Tokenizer
from synth.text.wording import dollars, dollars_at_most, listed, tell_apart
from synth.words.plan_words import planned_cost
from ui.plans.plan_range import Plans
from ui.session import workspace
from ui.settings.model import TYPED
from ui.settings.request import Model, Request
from ui.settings.schema import Settings


def cost(model: Model, plans: Plans) -> str:
    """Say what plans cost likely and at most, as the end of their sentence."""
    if not plans.high.call_count or (model.free and model.price is None):
        return ""
    return f", {'price unknown' if model.price is None else planned_cost(model.price, *plans)}"


def cache_rule(model: Model, tokenizer: Tokenizer | None = None) -> CacheRule | None:
    """Return the rule of the cache for which a model has a price; None where it has none.

    None also where the `tokenizer` only counts, or asks a server for each text.
    """
    only_counts = tokenizer is not None and (tokenizer.asks or not tokenizer.encodes)
    if only_counts or model.price is None or model.price.cached is None:
        return None
    return model_facts(model.priced_as or model.name).cache


def minutes_warm(model: Model, before: Model, ended: datetime | None) -> int:
    """Return for how many minutes a model has prompts of `before`; 0 if that is another model."""
    rule = cache_rule(model)
    same = replace(before, options=()) == replace(model, options=())
    if rule is None or ended is None or not same or math.isinf(rule.seconds):
        return 0
    return max(0, math.ceil((rule.seconds - (datetime.now(UTC) - ended).total_seconds()) / 60))


def with_cache(
    request: Request, plan: Plan, at_once: int, warm: Iterable[CallRecord] = (), run: int = 0
) -> Plan:
    """Return a plan with what is likely cached, beside calls that may be `warm`, of a `run`."""
    tokenizer = plan.setup.tokenizer
    rule = cache_rule(request.model, tokenizer)
    if rule is None:
        return plan

    def make() -> Plan:
        sent = [call for call in warm if call.received and not call.replayed]
        prompts = [call.prompt.encode(tokenizer) for call in sent]
        return plan_in_order([plan], rule, at_once, prompts)[0]

    key = request, rule, plan.answer_tokens, at_once, run
    return workspace.current().remember("plan with cache", key, make)


_MOST_IN_ORDER = 300_000  # tokens of prompts; to compare more would hold the page up


def likely_cost(
    runs: Mapping[Model, Sequence[Plan]], at_once: int, runs_at_once: int
) -> float | None:
    """Price runs that follow one another, each model's in order, with what each finds cached.

    In US dollars, as far as prices are known; None where to find out would take too long.
    """
    sum_of_all = 0.0
    for model, plans in runs.items():
        rule = cache_rule(model, plans[0].setup.tokenizer)
        if rule is not None and sum(plan.prompt_tokens for plan in plans) > _MOST_IN_ORDER:
            return None
        if rule is not None:
            plans = plan_in_order(plans, rule, at_once, runs_at_once=runs_at_once)  # noqa: PLW2901
        if model.price is not None:
            sum_of_all += model.price.of(*total(plan.spent for plan in plans).tokens)
    return sum_of_all


def plan_next_question(request: Request, at_once: int) -> Plan | None:
    """Plan another question about the same chunks, which a server reads after this one.

    None where the model has no price of a cache, and where a question has no plan.
    """
    rule = cache_rule(request.model, request.counter)
    if rule is None:
        return None

    def make() -> Plan | None:
        values: dict[str, Any] = dict(request.variables)
        try:
            synthesizer = request.synthesizer()
            plans = [
                synthesizer.plan(question, request.text_chunks, request.num_output, **values)
                for question in (request.query_str, f"And {request.query_str}")
            ]
        except SynthError:
            return None
        return plan_in_order(plans, rule, at_once)[-1]

    return workspace.current().remember("next question", (request, rule, at_once), make)


def price_tag(model: Model) -> str:
    """Say whose price it is, where it need not be that of the model; else ""."""
    if model.priced_as == TYPED:
        return "your price"
    return f"price as {model.priced_as}" if model.priced_as else ""


def price_words(price: Price) -> str:
    """Write a price in words."""
    prompt, output = (
        f"${side:,.2f}" if round(side, 2) == side else f"${side:,.4g}"
        for side in (price.prompt, price.output)
    )
    return f"{prompt} in, {output} out a million tokens"


def dollars_for(
    model: Model, spent: Spent, by_person: bool = False, unpriced: bool = False
) -> float | None:
    """Return what was paid; None if it is unknown, as of calls of others (`unpriced`)."""
    if unpriced and spent.calls:
        return None
    if model.free or by_person or not spent.calls:
        return 0.0
    return None if model.price is None else model.price.of(*spent.tokens)


def is_billed(model: Model, trace: Trace) -> bool:
    """Return whether a run's cost is what was billed: by the model's own price and its counts."""
    return model.price is not None and not model.priced_as and trace.is_billed(model.price)


def cost_elsewhere(model: Model, spent: Spent) -> str:
    """Say what a run of a free model would cost at the price that was chosen, as `cost` does."""
    if not model.free or model.price is None or not spent.calls:
        return ""
    return f", {dollars(model.price.of(*spent.tokens))} ({price_tag(model)})"


def cost_at_most(model: Model, bounds: Bounds) -> str:
    """Say the most that a run within these bounds would cost, as the end of a sentence."""
    if model.price is None:
        return "" if model.free else ", price unknown"
    return f", {dollars_at_most(bounds.cost(model.price))}"


def crossing(bounds: Bounds, settings: Settings, model: Model) -> str | None:
    """Say which parts of a cap a run could cross; None if it can't cross any."""
    price = None if model.free else model.price
    tokens = bounds.prompt_tokens.high + bounds.output_tokens.high
    crossed = [
        f"more than {most:,} {noun}" if wanted == math.inf else f"{wanted:,} {noun} (cap: {most:,})"
        for noun, most, wanted in (
            ("calls", settings.cap_calls, bounds.calls.high),
            ("tokens", settings.cap_tokens, tokens),
        )
        if most is not None and wanted > most
    ]
    most = settings.cap_dollars
    if price is not None and most is not None and (worst := bounds.cost(price)) > most:
        limit, amount = tell_apart(most, worst)
        crossed.append(f"more than {limit}" if worst == math.inf else f"{amount} (cap: {limit})")
    if not crossed:
        return None
    return f"The run could need {listed(crossed)}; it would stop before that."
