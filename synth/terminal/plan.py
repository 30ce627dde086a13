"""`synth plan`: what modes would make of chunks, before anything is sent."""

import json
import math
import sys
from argparse import Namespace
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.llms.models import ModelFacts, model_facts
from synth.modes.advice.choice import SHORT, Prospect, choose, short_and_long, weighed
from synth.modes.factory import get_response_synthesizer
from synth.modes.facts import Goal
from synth.modes.registry import MODES, mode_facts
from synth.prompts.window import PromptHelper
from synth.runs.bounds import Bounds, Range
from synth.runs.prices import Price
from synth.runs.trace import Plan
from synth.terminal.bars import bars
from synth.terminal.reading import read_chunks
from synth.terminal.screen import Cell, Screen, show
from synth.text.sizes import CONTEXT_WINDOW, NUM_OUTPUT
from synth.text.tokens import DEFAULT_ENCODING, tokenizer_for
from synth.text.wording import Bold, counted, dollars, percent, ranged, rounded_up
from synth.words.coverage_words import chunk_tokens, cut_off_tokens
from synth.words.headline import headline
from synth.words.sentences import carried

_GOAL: Goal = "detail"  # the one that the pages begin with


class _Plans(NamedTuple):
    """The plans of a mode with short and with the longest answers, the bounds, and the price."""

    low: Plan
    high: Plan
    bounds: Bounds
    price: Price | None


@dataclass(frozen=True)
class _Planned:
    """The question, the chunks and the limits of all plans; `asked` is the mode asked for."""

    question: str
    chunks: Sequence[str]
    helper: PromptHelper
    price: Price | None
    model: str
    asked: str
    all_modes: bool

    @cached_property
    def found(self) -> Mapping[str, _Plans | str]:
        """The plans of each mode, or why it has none."""
        return {mode: self._plans(mode) for mode in (MODES if self.all_modes else [self.asked])}

    def _plans(self, mode: str) -> _Plans | str:
        try:
            synthesizer = get_response_synthesizer(mode, prompt_helper=self.helper)
            longest = self.helper.num_output
            answers = min(SHORT, longest), longest
            plans = short_and_long(synthesizer, self.question, self.chunks, answers)
        except SynthError as refusal:
            return str(refusal)
        return _Plans(*plans, self.price)

    @cached_property
    def advice(self) -> list[str]:
        """The headline of the adviser; none where one mode was asked for."""
        return headline(_GOAL, *self._weighed) if self.all_modes else []

    @cached_property
    def chosen(self) -> str:
        """The mode whose calls are drawn: the one that is advised, else the one asked for."""
        best = choose(_GOAL, self._weighed[0]) if self.all_modes else []
        return best[0] if best else self.asked

    @cached_property
    def _weighed(self) -> tuple[Mapping[str, Prospect], Mapping[str, str]]:
        def prospect(mode: str) -> Prospect | str:
            one = self.found[mode]
            return "would be refused" if isinstance(one, str) else Prospect(*one)

        return weighed(_GOAL, self.found, prospect)

    @property
    def status(self) -> int:
        """0 if the chosen mode comes to an end and cuts nothing off, else 1."""
        one = self.found[self.chosen]
        return int(isinstance(one, str) or bool(one.high.problem or cut_off_tokens(one.high)))


def run(arguments: Namespace) -> int:
    """Print the plans of a file of chunks.

    1 where the mode, with all modes the advised one, is refused, never ends or cuts text off.
    """
    if not arguments.question.strip():
        raise SynthError("The question is empty: write what the chunks should answer.")
    facts, unpriced = ModelFacts(None, None), ""
    try:
        if arguments.model:
            facts = model_facts(arguments.model)
    except ModuleNotFoundError as missing:
        unpriced = f"\nNo price and no window is known: {missing}"
    window, output = arguments.window, arguments.num_output
    helper = PromptHelper(
        (facts.context_window or CONTEXT_WINDOW) if window is None else window,
        NUM_OUTPUT if output is None else output,
        tokenizer=tokenizer_for(arguments.model) if arguments.model else DEFAULT_ENCODING,
    )
    planned = _Planned(
        arguments.question,
        read_chunks(arguments.file),
        helper,
        facts.price,
        arguments.model,
        arguments.mode,
        arguments.all_modes,
    )
    if arguments.json:
        show(json.dumps(_data(planned), indent=2))
    else:
        show(*_lines(planned, Screen.of(sys.stdout)), *filter(None, [unpriced]))
    return planned.status


def _lines(planned: _Planned, screen: Screen) -> Iterator[str]:
    helper = planned.helper
    tokens = sum(map(helper.tokenizer.count, planned.chunks))
    yield (
        f"{counted(len(planned.chunks), 'chunk')}, {counted(tokens, 'token')},"
        f" {helper.tokenizer.counting}. Window {helper.context_window:,}, room for the answer"
        f" {helper.num_output:,}."
    )
    yield ""
    yield from screen.table([*_rows(planned, screen.narrow)])
    yield ""
    if planned.advice:
        yield screen.sentence(planned.advice)
        yield ""
    one = planned.found[planned.chosen]
    if isinstance(one, str):
        yield screen.sentence([Bold(f"{planned.chosen} can't be planned. "), one])
    elif one.high.problem:
        yield screen.sentence([Bold(f"{planned.chosen} may stop early. "), one.high.problem])
    elif one.high.calls:
        yield from bars(one.high, screen)


def _rows(planned: _Planned, narrow: bool) -> Iterator[list[Cell]]:
    cost = "at most" if narrow else "cost, at most"
    heads = ["mode", "calls", "chain", "prompt tokens", "output", cost, "cut off"]
    rows = [[Cell(f"  {heads[0]}", "muted")]]
    rows[0] += [Cell(head, "muted", right=True) for head in heads[1:-1]]
    rows[0].append(Cell(heads[-1], "muted"))
    for mode, one in planned.found.items():
        taken = mode == planned.chosen and planned.all_modes
        name = Cell(f"{'▸' if taken else ' '} {mode}", "bold" if taken else "")
        if isinstance(one, str):
            amounts = ["–"] * 5
        else:
            bounds = one.bounds
            output = bounds.output_tokens.high
            amounts = [
                ranged(*bounds.calls),
                ranged(*bounds.longest_chain),
                ranged(*bounds.prompt_tokens),
                "any" if output == math.inf else f"≤ {output:,}" if output else "0",
                _cost(one),
            ]
        rows.append(
            [name, *(Cell(text, right=True) for text in amounts), _cut_off(mode, one, narrow)]
        )
    left_out = {*([2, 4] if narrow else []), *([] if planned.model else [5])}
    for row in rows:
        yield [cell for at, cell in enumerate(row) if at not in left_out]


def _cost(one: _Plans) -> str:
    if one.price is None:
        return "unknown"
    cost = one.bounds.cost(one.price)
    return "any sum" if cost == math.inf else dollars(rounded_up(cost))


def _cut_off(mode: str, one: _Plans | str, narrow: bool) -> Cell:
    if isinstance(one, str):
        return Cell("no plan", "bold")
    if one.high.problem:
        return Cell("may stop early", "bold")
    if not one.high.calls:
        return Cell("no call", "muted")
    if not mode_facts(mode).sends_chunks:
        return Cell("sends no chunk", "muted")
    lost = cut_off_tokens(one.high)
    if not lost:
        return Cell("0", "muted")
    tokens = "" if narrow else f"{counted(lost, 'token')}, "
    return Cell(f"{tokens}{percent(lost, chunk_tokens(one.high))}", "bold")


def _data(planned: _Planned) -> dict[str, Any]:
    helper, one = planned.helper, planned.found[planned.chosen]
    return {
        "question": planned.question,
        "model": planned.model or None,
        "chunks": len(planned.chunks),
        "chunk_tokens": sum(map(helper.tokenizer.count, planned.chunks)),
        "counting": helper.tokenizer.counting,
        "context_window": helper.context_window,
        "num_output": helper.num_output,
        "modes": [_mode_data(mode, found) for mode, found in planned.found.items()],
        "chosen": planned.chosen,
        "advice": "".join(planned.advice) or None,
        "calls": [] if isinstance(one, str) else _calls_data(one.high),
    }


def _mode_data(mode: str, one: _Plans | str) -> dict[str, Any]:
    if isinstance(one, str):
        return {"mode": mode, "problem": one}
    cost = None if one.price is None else one.bounds.cost(one.price)
    ranges: dict[str, Range] = vars(one.bounds)
    return {
        "mode": mode,
        "problem": one.high.problem,
        **{name: [low, _finite(high)] for name, (low, high) in ranges.items()},
        "dollars_at_most": None if cost is None else _finite(cost),
        "cut_off_tokens": cut_off_tokens(one.high),
    }


def _finite(number: float) -> float | None:
    """The number; null for one without a bound, which JSON does not have."""
    return None if number == math.inf else number


def _calls_data(plan: Plan) -> list[dict[str, Any]]:
    return [
        {
            "call": call.number,
            "template": call.template,
            "prompt_tokens": call.prompt_tokens,
            "exact": call.exact,
            "chunks": carried(call, "chunk"),
            "answers_of": carried(call, "answer"),
            "parts": dict(plan.budget(call).parts),
        }
        for call in plan.calls
    ]
