"""What is said of a plan: a headline, and one line below it that holds the bound.

And of plans and runs alike: the text of the chunks that is sent, cut off, and cut by the server.
"""

import math
from typing import NamedTuple

from synth.modes.adviser import Advice
from synth.modes.registry import mode_facts
from synth.runs.bounds import Bounds
from synth.runs.coverage import ChunkCoverage
from synth.runs.prices import Price
from synth.runs.trace import Plan, Trace
from synth.text.wording import (
    Bold,
    agree,
    at_most,
    counted,
    dollars,
    dollars_at_most,
    embolden,
    listed,
    numbered,
    percent,
    ranged,
)

PLAN_HEADS = {
    "calls": "**{mode}** would make {about}**{calls}**{how}.",
    "cut off": "**{mode}** would make **{calls}** and cut off **{share}**.",
    "no call": "**{mode}** would make **no call**{why}.",
    "stops early": "**{mode}** would **stop early**.",
    "may stop early": "**{mode}** would make **{calls}**, or **stop early** with long answers.",
}
"""The forms of a plan's headline, which a test walks."""


class Headline(NamedTuple):
    """A sentence of at most fourteen words, and the line below it; their `Bold` parts are bold."""

    head: list[str]
    line: list[str]

    @property
    def sentence(self) -> list[str]:
        """Return both as one sentence."""
        return [*self.head, " ", *self.line] if self.line else self.head


def plan_headline(low: Plan, high: Plan, bounds: Bounds | None, cost: str = "") -> Headline:
    """Say what a plan makes, with "about" if answers could change it, and the most that it takes.

    Where no bounds are known, `low` and `high` are one plan, and its answers are named. `cost` is
    the end of a sentence.
    """
    fewest, most = sorted((low.call_count, high.call_count))
    mode = high.setup.mode
    if not most:
        return Headline(embolden(PLAN_HEADS["no call"], mode=mode, why=why_no_call(high)), [])
    if high.problem:
        form = "stops early" if low.problem else "may stop early"
        calls = counted(low.call_count, "call")
        prompts = counted(high.prompt_tokens, "prompt token")
        first = f"The first {counted(high.call_count, 'call')} would have {prompts}."
        return Headline(embolden(PLAN_HEADS[form], mode=mode, calls=calls), [first])
    calls = ranged(fewest, most, "call")
    lost = cut_off_tokens(high)
    if lost:
        share = percent(lost, chunk_tokens(high))
        window = f"{high.setup.context_window:,}"
        head = embolden(PLAN_HEADS["cut off"], mode=mode, calls=calls, share=f"{share} of the text")
        words = f"{lost:,} of {chunk_tokens(high):,} tokens have no room in a window of {window}"
        return Headline(head, [f"{words}{cost}."])
    about = "" if bounds is None or bounds.calls == (fewest, most) else "about "
    head = embolden(PLAN_HEADS["calls"], mode=mode, about=about, calls=calls, how=_how(low, high))
    return Headline(head, [f"{_tokens(low, high, bounds)}{cost}."])


def advice_words(advice: Advice | None, has_price: bool) -> str:
    """Say which mode is better than the chosen one, by all figures of both, or as good."""
    if advice is None or (advice.mode == advice.is_for and not advice.ties):
        return ""
    if advice.mode == advice.is_for:
        return f"As many calls, at about the same cost: {listed(advice.ties)}."
    new, old = advice.figures, advice.chosen
    differences = []
    if new.lost != old.lost:
        differences.append(f"{counted(new.lost, 'token')} cut off, now {old.lost:,}")
    costs = [
        dollars(each) if has_price else f"about {each:,.0f} tokens" for each in (new.cost, old.cost)
    ]
    if costs[0] != costs[1]:
        differences.append(", now ".join(costs))
    if new.in_turn != old.in_turn:
        differences.append(f"{counted(new.in_turn, 'call')} in turn, now {old.in_turn:,}")
    if new.calls != old.calls and (new.calls, old.calls) != (new.in_turn, old.in_turn):
        differences.append(f"{counted(new.calls, 'call')}, now {old.calls:,}")
    names = " or ".join([advice.mode, *advice.ties])
    return f"{names} instead: {'; '.join(differences)}."


def _tokens(low: Plan, high: Plan, bounds: Bounds | None) -> str:
    """The tokens that a run takes at most; the likely ones where nothing bounds them."""
    least, most = sorted((low.prompt_tokens, high.prompt_tokens))
    if bounds is None:
        prompts = counted(most, "prompt token")
        outputs = counted(high.output_tokens, "output token")
        return f"{prompts} and {outputs}, if each answer has {high.answer_tokens:,}"
    prompt_bound, output_bound = bounds.prompt_tokens.high, bounds.output_tokens.high
    if math.inf in (prompt_bound, output_bound):
        return f"About {ranged(least, most, 'prompt token')}; nothing bounds them"
    if least == most == prompt_bound:
        return f"{counted(most, 'prompt token')} and {at_most(output_bound, 'output token')}"
    return f"At most {prompt_bound:,} prompt and {counted(output_bound, 'output token')}"


def _how(low: Plan, high: Plan) -> str:
    if high.call_count == 1:
        return ""
    if high.longest_chain == high.call_count:
        return ", one after the other"
    if high.longest_chain == 1:
        return " at once"
    return f" in {ranged(low.longest_chain, high.longest_chain, 'level')}"


def planned_cost(price: Price, low: Plan, high: Plan, bounds: Bounds | None) -> str:
    """Say what a plan costs likely and at most: "likely $0.0005 to $0.0009, at most $0.0011"."""
    least, most = (dollars(price.of(*plan.spent.tokens)) for plan in (low, high))
    likely = f"likely {most if least == most else f'{least} to {most}'}"
    bound = math.inf if bounds is None else bounds.cost(price)
    return likely if math.isinf(bound) or not bound else f"{likely}, {dollars_at_most(bound)}"


def paid(dollars_paid: float | None, is_billed: bool = False) -> str:
    """Say what a run cost, or was billed, to end its sentence; "" where that is nothing."""
    if dollars_paid is None:
        return ", price unknown"
    billed = "billed " if is_billed else ""
    return f", {billed}{dollars(dollars_paid)}" if dollars_paid else ""


_WINDOW_STEP = 1_024  # tokens in which servers are given windows


def coverage_words(run: Plan | Trace) -> list[str]:
    """Write how many tokens of the chunks are sent, and missing or twice, as labelled numbers."""
    if not sends_chunks(run):
        return ["No chunk is sent."]
    chunks, total = run.coverage, chunk_tokens(run)
    words = [Bold(f"{total - run.lost_tokens:,}"), f" of {counted(total, 'token')} sent"]
    amounts = {
        missing_word(run): run.lost_tokens,
        "cut by the server": sum(chunk.cut_by_server_tokens for chunk in chunks),
        "sent twice": sum(chunk.repeated_tokens for chunk in chunks),
    }
    for label, tokens in amounts.items():
        if tokens:
            words += [" · ", Bold(f"{tokens:,}"), f" {label}"]
    return words


def missing_word(run: Plan | Trace) -> str:
    """Name text of chunks that no call carries; a run that ended early cut off none."""
    return "not sent" if _is_unfinished(run) or not sends_chunks(run) else "cut off"


def missing_words(chunk: ChunkCoverage, missing: str) -> str:
    """Say what of a chunk was not sent, in the word `missing`, and what its server cut off."""
    amounts = ((chunk.lost_tokens, missing), (chunk.cut_by_server_tokens, "cut by the server"))
    words = [
        f"{tokens:,} of {counted(chunk.tokens, 'token')} {agree('are', tokens)} {word}"
        for tokens, word in amounts
        if tokens
    ]
    return listed(words)


def _is_unfinished(run: Plan | Trace) -> bool:
    return isinstance(run, Trace) and run.response is None


def sends_chunks(run: Plan | Trace) -> bool:
    """Return whether the mode of a run puts chunks into its prompts at all."""
    return mode_facts(run.setup.mode).sends_chunks


def why_no_call(run: Plan | Trace) -> str:
    """Say why a mode that sends chunks makes no call, to end its sentence; "" for another."""
    if not sends_chunks(run):
        return ""
    if not run.setup.chunks:
        return ": there are no chunks"
    return "" if any(map(str.strip, run.setup.chunks)) else ": no chunk has any text"


def cut_off_tokens(run: Plan | Trace) -> int:
    """Count the tokens of chunks that should have been sent and are in no prompt."""
    return run.lost_tokens if sends_chunks(run) and not _is_unfinished(run) else 0


def chunk_tokens(run: Plan | Trace) -> int:
    """Count the tokens of all chunks."""
    return sum(chunk.tokens for chunk in run.coverage)


def counts_words(trace: Trace) -> list[str]:
    """Write the server's count of prompt tokens beside ours; nothing if it gave none or cut any."""
    counts = trace.counts
    if not counts.calls or counts.cut is not None:
        return []
    ours = "counted here" if trace.setup.tokenizer.sure else "estimated here"
    server, planned = Bold(f"{counts.server_tokens:,}"), Bold(f"{counts.prompt_tokens:,}")
    return ["Prompt tokens: ", server, " counted by the server, ", planned, f" {ours}."]


def alarm_words(trace: Trace) -> str:
    """Say what the server read of what was sent; "" if it read all."""
    cut = trace.counts.cut
    if cut is None:
        return ""
    calls = f" in {len(cut.calls):,} of {counted(trace.call_count, 'call')}"
    about = f"{'' if trace.counts.sure else 'about '}{max(cut.sent_tokens):,}"
    of = f"up to {about} tokens sent{calls}" if len(cut.calls) > 1 else f"{about} tokens sent"
    unread = [chunk.number for chunk in trace.coverage if chunk.cut_by_server]
    lost = f"Text of {numbered('chunk', unread)}" if unread else "The start of the prompt"
    return f"Your server read {cut.read_tokens:,} of {of}. {lost} never reached the model."


def start_line(trace: Trace) -> str:
    """Write how Ollama is started with a window for every prompt of the run and its answer."""
    cut = trace.counts.cut
    needed = (max(cut.sent_tokens) if cut else 0) + trace.setup.most_output
    return f"OLLAMA_CONTEXT_LENGTH={-(-needed // _WINDOW_STEP) * _WINDOW_STEP} ollama serve"
