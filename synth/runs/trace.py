"""Plans and traces: the calls that a run would make, and those that it made, also as tables."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from typing_extensions import override

from synth.errors import extra, short, whole
from synth.lazy import defer
from synth.runs.calls import Budget, CallRecord, Logged, PlannedCall, Setup, Spent, budget, total
from synth.runs.coverage import ChunkCoverage, Counts, compare_counts, coverage, unread_origins
from synth.runs.prices import Cost, Price
from synth.text.spans import Origin
from synth.text.tokenizer import Encode, Tokenizer
from synth.text.wording import counted

if TYPE_CHECKING:
    import pandas as pd


class InNotebooks:
    """A value that a notebook shows as HTML; terminals keep its plain text."""

    def _repr_html_(self) -> str:
        # By its name, and only here: what draws a run knows runs, and `import synth` draws nothing.
        html: str = import_module("synth.html.notebook").notebook_html(self)
        return html


C = TypeVar("C", PlannedCall, CallRecord)


@dataclass(frozen=True)
class _Calls(InNotebooks, Generic[C]):
    setup: Setup
    calls: tuple[C, ...] = field(repr=False)

    @property
    def call_count(self) -> int:
        """Number of calls."""
        return len(self.calls)

    @defer
    def prompt_tokens(self) -> int:
        """Count the tokens of all prompts."""
        return sum(call.prompt_tokens for call in self.calls)

    @property
    def output_tokens(self) -> int:
        """Count the tokens of all answers."""
        return sum(call.output_tokens for call in self.calls)

    @property
    def _counted(self) -> str:
        prompts = counted(self.prompt_tokens, "token")
        calls = counted(self.call_count, "call")
        return f"{calls}, {prompts} in prompts, {self.output_tokens:,} in answers"

    @property
    def spent(self) -> Spent:
        """Return what the calls of a plan would cost, by our count."""
        written = sum(call.written_tokens or 0 for call in self.calls)
        cached = self.cached_tokens or 0
        return Spent(self.call_count, self.prompt_tokens, self.output_tokens, cached, written)

    @property
    def cached_tokens(self) -> int | None:
        """Count the tokens of prompts that the server had read before; None if none is known."""
        known = [call.cached_tokens for call in self.calls if call.cached_tokens is not None]
        return sum(known) if known else None

    @property
    def longest_chain(self) -> int:
        """Count the calls that must wait for one another; a batch counts once."""
        return max((call.depth + 1 for call in self.calls), default=0)

    @defer
    def unread(self) -> dict[int, tuple[Origin, ...]]:
        """Return what its server seems to have cut off, by the numbers of the calls with it."""
        return {}

    @defer
    def coverage(self) -> tuple[ChunkCoverage, ...]:
        """Return what is sent of each chunk, and what its server read of that."""
        return coverage(self.setup, self.calls, self.unread)

    @defer
    def lost_tokens(self) -> int:
        """Count the tokens of the stretches of chunks that stand in no call."""
        return sum(chunk.lost_tokens for chunk in self.coverage)

    def budget(self, call: PlannedCall | CallRecord) -> Budget:
        """Return where the tokens of one of these calls go."""
        return budget(call, self.setup)


@dataclass(frozen=True, repr=False)
class Plan(_Calls[PlannedCall]):
    """The calls of a run whose answers have `answer_tokens`; `problem` says why it ends early."""

    answer_tokens: int
    problem: str | None = None

    def __repr__(self) -> str:
        ends = f", {self.problem}" if self.problem else ""
        return (
            f"<Plan of {self.setup.mode}: {self._counted}, if each answer has"
            f" {self.answer_tokens:,}{ends}>"
        )

    @property
    def exact(self) -> bool:
        """Return whether these are the calls that would be made, whatever the answers say."""
        return self.problem is None and all(call.exact for call in self.calls)

    @property
    def cost(self) -> Cost | None:
        """Return what these calls cost with what is likely cached, and at most; None unknown.

        Other answers may make other calls: `Bounds.cost` holds for all.
        """
        price = self.setup.price
        if price is None:
            return None
        answer = max(self.setup.num_output, self.answer_tokens)
        output = self.call_count * (answer + self.setup.reasoning_output)
        most = math.inf if self.problem else price.at_most(self.prompt_tokens, output)
        return Cost(price.of(*self.spent.tokens), most)

    def assume(self, answer_tokens: int | None = None, reasoning_tokens: int | None = None) -> Plan:
        """Return the same calls, each with an answer, or with reasoning, of that many tokens.

        No call gets more than there is room for. SynthError for what is no number of tokens.
        """
        for name, tokens in (
            ("answer_tokens", answer_tokens),
            ("reasoning_tokens", reasoning_tokens),
        ):
            if tokens is not None:
                whole(name, tokens)
        room = max(self.setup.num_output, self.answer_tokens) + self.setup.reasoning_output
        calls = []
        for call in self.calls:
            reasoning = call.reasoning_tokens if reasoning_tokens is None else reasoning_tokens
            answer = call.output_tokens - call.reasoning_tokens
            output = min(room, reasoning + (answer if answer_tokens is None else answer_tokens))
            reasoning = min(reasoning, output)
            calls.append(replace(call, output_tokens=output, reasoning_tokens=reasoning))
        answer = self.answer_tokens if answer_tokens is None else answer_tokens
        return replace(self, calls=tuple(calls), answer_tokens=answer)

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each call."""
        return calls_frame(self.calls)


@dataclass(frozen=True, repr=False)
class Trace(_Calls[CallRecord]):
    """What a run did. `response` is None if it failed (`error` says why) or was `stopped`."""

    response: str | None = None
    error: str | None = None
    error_kind: str | None = None
    stopped: bool = False
    seconds: float = field(default=0.0, compare=False)

    def __repr__(self) -> str:
        reused = sum(call.replayed for call in self.calls)
        return (
            f"<Trace of {self.setup.mode}: {self._counted}"
            f"{f', {reused:,} of the answers reused' if reused else ''}"
            f"{f', failed: {short(self.error, 60)}' if self.error else ''}"
            f"{', stopped' if self.stopped else ''}>"
        )

    @property
    @override
    def spent(self) -> Spent:
        """Return what its calls cost, by the server's own counts where it gave them."""
        return total(call.spent for call in self.calls)

    @property
    def sent(self) -> Spent:
        """Return what those of its calls cost that were sent: a reused answer costs nothing."""
        return total(call.spent for call in self.calls if not call.replayed)

    @property
    def cost(self) -> Cost | None:
        """Return what the calls that were sent cost; None where the price is not known.

        It was `billed` where each was sent once, and the server said what it counted.
        """
        price = self.setup.price
        if price is None:
            return None
        sent = self.sent
        likely = price.of(*sent.tokens)
        at_most = price.at_most(sent.prompt_tokens, sent.output_tokens)
        return Cost(likely, at_most, likely if self.is_billed(price) else None)

    def is_billed(self, price: Price) -> bool:
        """Return whether this price of the server's own counts is what was billed.

        A request that was sent again may have been charged for or not.
        """
        sent = [call for call in self.calls if call.tries and not call.replayed]
        counted = all(one.tries == 1 and one.reported_prompt_tokens is not None for one in sent)
        return counted and (price.cached is not None or not any(one.cached_tokens for one in sent))

    @defer
    def counts(self) -> Counts:
        """Return both counts of each prompt, ours and the server's, and what they tell."""
        tokenizer = self.setup.tokenizer
        sure = tokenizer.sure and tokenizer.frame(("user",)) is not None
        return compare_counts(self.calls, sure, self.setup.context_window)

    @defer
    @override
    def unread(self) -> dict[int, tuple[Origin, ...]]:
        cut = self.counts.cut
        shares = {} if cut is None else cut.shares
        return {
            call.number: unread_origins(
                call.prompt.read_by(self.setup.tokenizer), shares[call.number]
            )
            for call in self.calls
            if call.number in shares
        }

    @defer
    def cut_by_server_tokens(self) -> int:
        """Return about the tokens of chunks that were sent and that the server never read."""
        return sum(chunk.cut_by_server_tokens for chunk in self.coverage)

    @property
    def too_long(self) -> tuple[CallRecord, ...]:
        """Return the calls whose answers are longer than num_output."""
        return tuple(call for call in self.calls if call.exceeds(self.setup))

    def log(self) -> dict[int, Logged]:
        """Return the answers by call number, to replay the run or to go on from its end."""
        answered = ((call.number, call.to_log()) for call in self.calls)
        return {number: logged for number, logged in answered if logged is not None}

    def join(self, call: CallRecord) -> CallRecord:
        """Return a call of the run that goes on from here, or the call whose answer it has."""
        first = self._by_number.get(call.number)
        if call.replayed and first is not None and first.to_log() == call.to_log():
            return first
        return replace(call, started=self.seconds + call.started)

    def after(self, earlier: Trace) -> Trace:
        """Return the trace of the whole run that went on from `earlier`."""
        calls = tuple(map(earlier.join, self.calls))
        return replace(self, calls=calls, seconds=earlier.seconds + self.seconds)

    @defer
    def _by_number(self) -> dict[int, CallRecord]:
        return {call.number: call for call in self.calls}

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain data for JSON; of the tokenizer it has the name."""
        return cast("dict[str, Any]", import_module("synth.export.files").whole_to_json(self))

    @classmethod
    def from_dict(cls, data: Any, tokenizer: str | Encode | Tokenizer | None = None) -> Self:
        """Make the trace of what `to_dict` gave; give the `tokenizer` if it was a function."""
        return cast("Self", import_module("synth.export.files").whole_from_json(data, tokenizer))

    def to_frame(self) -> pd.DataFrame:
        """Return one row for each call, in the order of their numbers."""
        frame = calls_frame(self.calls)
        for name in ("answer", "error", "reasoning"):
            frame[name] = _texts(getattr(call, name) for call in self.calls)
        for name in ("satisfied", "tries", "replayed", "started", "seconds"):
            frame[name] = [getattr(call, name) for call in self.calls]
        return frame


def calls_frame(calls: Sequence[PlannedCall] | Sequence[CallRecord]) -> pd.DataFrame:
    """Make a table with a row a call: its place, template, sources, tokens, notes and prompt."""
    with extra("frames"):
        import pandas as pd  # noqa: PLC0415  most runs are never made a table of

    def whole(values: Iterable[int | None]) -> pd.Series:
        return pd.Series([*values], dtype="Int64")  # None is no number

    return pd.DataFrame(
        {
            "call": [call.number for call in calls],
            "depth": [call.depth for call in calls],
            "template": [call.template for call in calls],
            "reads": [
                ", ".join(dict.fromkeys(f"{each.kind} {each.number}" for each in call.origins))
                for call in calls
            ],
            "prompt_tokens": [call.prompt_tokens for call in calls],
            "output_tokens": [call.output_tokens for call in calls],
            "reasoning_tokens": whole(call.reasoning_tokens for call in calls),
            "cached_tokens": whole(call.cached_tokens for call in calls),
            "notes": _texts("; ".join(call.all_notes) for call in calls),
            "prompt": _texts(call.prompt.text for call in calls),
        }
    )


def _texts(values: Iterable[str | None]) -> pd.Series:
    """Keep strings plain: pandas' own refuse half a surrogate pair, which a model may well send."""
    import pandas as pd  # noqa: PLC0415  as above

    return pd.Series(list(values), dtype=object)
