"""`synth plan`: what modes would make of chunks, as documented or as LlamaIndex does it."""

import json
import math
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from synth.errors import SynthError
from synth.llms.model_prices import ModelFacts
from synth.modes.registry import (
    MODES,
    Behaviour,
    get_response_synthesizer,
    mode_facts,
    other_behaviour,
)
from synth.prompts.prompt_helper import CONTEXT_WINDOW, NUM_OUTPUT, PromptHelper
from synth.runs.bounds import Bounds
from synth.runs.calls import PlannedCall, total
from synth.runs.prefixes import plan_in_order
from synth.terminal.streams import find_model_facts, format_table, read_chunks, show
from synth.text.model_tokenizers import DEFAULT_ENCODING, tokenizer_for
from synth.text.wording import dollars, ranged, round_up
from synth.words.plan_words import cut_off_tokens
from synth.words.run_words import list_carried, reads

Range = tuple[float, float | None]
"""The least and the most, whatever the model answers; None where nothing bounds it."""


@dataclass(frozen=True)
class ModePlan:
    """What a mode would make, as `--json` has it; `problem` says why it has no plan, or no end.

    Ranges are None where the mode is refused; `other_calls` is that of the other behaviour.
    """

    mode: str
    problem: str | None
    calls: Range | None = None
    other_calls: Range | None = None
    longest_chain: Range | None = None
    prompt_tokens: Range | None = None
    output_tokens: Range | None = None
    cached_tokens: int | None = None
    dollars_likely: float | None = None
    dollars_at_most: float | None = None
    cut_off_tokens: int = 0


def run(arguments: Namespace) -> int:
    """Print the plans of chunks; 1 where the mode is refused, may stop early or cuts text."""
    if not all(question.strip() for question in arguments.question):
        raise SynthError("The question is empty: write what the chunks should answer.")
    facts = find_model_facts(arguments.model)
    window = facts.context_window if arguments.window is None else arguments.window
    if arguments.model and window is None:
        raise SynthError(f"The window of {arguments.model} is not known: give it with --window.")
    helper = PromptHelper(
        CONTEXT_WINDOW if window is None else window,
        NUM_OUTPUT if arguments.num_output is None else arguments.num_output,
        tokenizer=tokenizer_for(arguments.model) if arguments.model else DEFAULT_ENCODING,
    )
    chunks = read_chunks(arguments.file)
    names = MODES if arguments.all_modes else [arguments.mode]
    behaviour = arguments.behaviour
    other = other_behaviour(behaviour)

    plan = partial(_plan, questions=arguments.question, chunks=chunks, helper=helper, facts=facts)
    planned = {mode: plan(mode, behaviour) for mode in names}
    modes = [
        replace(mode, other_calls=plan(name, other)[0].calls) for name, (mode, _) in planned.items()
    ]
    asked, calls = planned[arguments.mode]
    summary = {
        "question": "; ".join(arguments.question),
        "behaviour": behaviour,
        "model": arguments.model or None,
        "price": "unknown" if arguments.model and facts.price is None else None,
        "chunks": len(chunks),
        "chunk_tokens": sum(map(helper.tokenizer.count, chunks)),
        "counting": helper.tokenizer.counting,
        "context_window": helper.context_window,
        "num_output": helper.num_output,
    }
    if arguments.json:
        described = [_describe_call(call) for call in calls]
        data = {**summary, "modes": [asdict(mode) for mode in modes], "calls": described}
        show([json.dumps(data, indent=2)])
    else:
        known = {name: value for name, value in summary.items() if value is not None}
        show(format_table([[name, str(value)] for name, value in known.items()]))
        show(["", *_format_modes(modes, other)])
        if calls:
            rows = [["call", "template", "prompt tokens", "cached", "reads"]]
            for call in calls:  # one that reads answers has so many tokens at most
                tokens = f"{'' if call.exact else 'at most '}{call.prompt_tokens:,}"
                cached = "-" if call.cached_tokens is None else f"{call.cached_tokens:,}"
                rows.append([str(call.number), call.template, tokens, cached, reads(call)])
            show(["", *format_table(rows)])
    return int(bool(asked.problem or asked.cut_off_tokens))


def _plan(
    mode: str,
    behaviour: Behaviour,
    questions: Sequence[str],
    chunks: Sequence[str],
    helper: PromptHelper,
    facts: ModelFacts,
) -> tuple[ModePlan, Sequence[PlannedCall]]:
    """Plan the questions one after the other, and return the sums and all calls."""
    try:
        synthesizer = get_response_synthesizer(mode, None, helper, behaviour)
        plans = [synthesizer.plan(question, chunks) for question in questions]
        bounds = Bounds.in_turn([synthesizer.bounds(question, chunks) for question in questions])
    except SynthError as refusal:
        return ModePlan(mode, str(refusal)), ()
    if facts.cache is not None:
        plans = plan_in_order(plans, facts.cache)
    price, spent = facts.price, total(plan.spent for plan in plans)
    ranges = {name: (low, _finite(high)) for name, (low, high) in vars(bounds).items()}
    described = ModePlan(
        mode,
        next((plan.problem for plan in plans if plan.problem), None),
        **ranges,
        cached_tokens=None if facts.cache is None else spent.cached_tokens,
        dollars_likely=None if price is None else price.of(*spent.tokens),
        dollars_at_most=None if price is None else _finite(bounds.cost(price)),
        cut_off_tokens=sum(map(cut_off_tokens, plans)),
    )
    return described, [call for plan in plans for call in plan.calls]


def _finite(number: float) -> float | None:
    return None if number == math.inf else number


def _format_modes(modes: Sequence[ModePlan], other: Behaviour) -> list[str]:
    differs = any(mode.other_calls != mode.calls for mode in modes)
    head = ["mode", "calls", "in turn", "prompt tokens", "output", "likely", "at most", "cut off"]
    rows = [[*head[:2], f"as {other}", *head[2:]] if differs else head]
    for mode in modes:
        likely = "-" if mode.dollars_likely is None else dollars(mode.dollars_likely)
        most = "-" if mode.dollars_at_most is None else dollars(round_up(mode.dollars_at_most))
        calls = [_say(mode.calls)]
        if differs:
            calls.append("" if mode.other_calls == mode.calls else _say(mode.other_calls))
        ranges = map(_say, (mode.longest_chain, mode.prompt_tokens, mode.output_tokens))
        cut_off = f"{mode.cut_off_tokens:,}" if mode_facts(mode.mode).sends_chunks else "-"
        rows.append([mode.mode, *calls, *ranges, likely, most, mode.problem or cut_off])
    return format_table(rows)


def _say(numbers: Range | None) -> str:
    if numbers is None:
        return "-"
    low, high = numbers
    return ranged(low, math.inf if high is None else high)


def _describe_call(call: PlannedCall) -> dict[str, Any]:
    return {
        "call": call.number,
        "template": call.template,
        "prompt_tokens": call.prompt_tokens,
        "cached_tokens": call.cached_tokens,
        "exact": call.exact,
        "chunks": list_carried(call, "chunk"),
        "answers_of": list_carried(call, "answer"),
    }
