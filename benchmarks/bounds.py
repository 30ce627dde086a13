"""How tight the bounds of a plan are: 10,000 random runs, with answers of every length and text.

    python -m benchmarks.bounds [runs] [seed]

Worlds are those of the invariants: windows of 200 to 8,000 tokens, odd templates, chunks of
prose, Chinese, code, letters without spaces, emoji. It fails where a run leaves its bounds.
For each mode: how often the bound of the calls is one number, a range, or open, and how many
times what a run made its upper bound is, at the median and the 90th percentile.
"""

import math
import sys
from collections import defaultdict
from random import Random
from statistics import quantiles

from synth.errors import CapReached, SynthError
from synth.runs.bounds import Bounds, Range
from synth.runs.trace import Trace
from tests.invariants.answers import HABITS, model
from tests.invariants.world import ALL, QUERIES, QUESTION, REFINE, TONES, World, passage

KINDS = ("english", "chinese", "code", "unbroken", "emoji", "ragged")


def world(dice: Random) -> World:
    """A question, chunks, limits and templates, all drawn anew."""
    sizes = dice.choices([0, 5, 60, 300, 900, 2_500, 5_000], k=dice.randint(0, 8))
    return World(
        query=dice.choice(QUERIES),
        chunks=tuple(passage(dice.choice(KINDS), size, dice.randrange(50)) for size in sizes),
        context_window=dice.choice([200, 260, 400, 700, 1_200, 3_000, 8_000]),
        num_output=dice.choice([0, 8, 30, 60, 120, 256]),
        overlap=dice.choice([0.0, 0.1, 0.3, 0.5]),
        chunk_size_limit=dice.choice([None, None, 30, 150]),
        padding=dice.choice([None, None, 0, 20]),
        encoding=dice.choice(["cl100k_base", "o200k_base"]),
        question=dice.choice(QUESTION),
        refine=dice.choice(REFINE),
        tone=dice.choice(TONES),
        wordiness=1.0,
    )


def inside(bounds: Bounds, trace: Trace, ended: bool) -> bool:
    """Whether a run kept to its bounds; one that failed may have done less."""

    def within(made: int, range_: Range) -> bool:
        return (made >= range_.low or not ended) and made <= range_.high

    return (
        within(trace.call_count, bounds.calls)
        and within(trace.prompt_tokens, bounds.prompt_tokens)
        and within(trace.output_tokens, bounds.output_tokens)
        and within(trace.longest_chain, bounds.longest_chain)
    )


def main(runs: int = 10_000, seed: int = 1) -> int:
    """Run them all and print the table; 1 where a run left its bounds."""
    dice = Random(seed)
    kinds: dict[str, list[int]] = defaultdict(lambda: [0, 0, 0])
    ratios: dict[tuple[str, str], list[float]] = defaultdict(list)
    outside = done = 0
    while done < runs:
        mode, found, habit = dice.choice(ALL), world(dice), dice.choice(HABITS)
        try:
            bounds = found.synthesizer(mode).bounds(**found.asked)
        except SynthError:
            continue  # refused before the first call, as a run is
        fn = model(habit, dice.randrange(2**32), found.num_output, found.encoding)
        trace, problem = found.run(mode, fn)
        if isinstance(problem, CapReached):
            continue
        done += 1
        if not inside(bounds, trace, ended=problem is None):
            outside += 1
            print("outside:", mode, bounds, trace.call_count, trace.prompt_tokens, found)
        open_ended = bounds.calls.high == math.inf
        kinds[mode][2 if open_ended else 0 if bounds.calls.exact else 1] += 1
        if not open_ended and trace.calls:
            ratios[mode, "calls"].append(bounds.calls.high / trace.call_count)
            ratios[mode, "tokens"].append(bounds.prompt_tokens.high / max(1, trace.prompt_tokens))
    print("| mode | exact | range | open | calls, most/made | prompt tokens, most/made |")
    print("|---|---|---|---|---|---|")
    for mode in ALL:
        cells = [_tenths(ratios[mode, what]) for what in ("calls", "tokens")]
        print(f"| {mode} | {' | '.join(map(str, kinds[mode]))} | {' | '.join(cells)} |")
    print(f"{done:,} runs, {outside} outside their bounds")
    return int(outside > 0)


def _tenths(values: list[float]) -> str:
    if len(values) < 2:
        return ""
    tenths = quantiles(values, n=10)
    return f"{tenths[4]:.2f}, {tenths[8]:.2f}"


if __name__ == "__main__":
    sys.exit(main(*map(int, sys.argv[1:])))
