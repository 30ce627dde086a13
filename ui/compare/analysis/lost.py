"""Which columns leave text out: the sentence for before a run, and the one for after it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from synth.response_synthesizers.registry import mode_class
from synth.trace import Plan, Trace
from synth.wording import counted, listed, percent
from ui.compare.analysis.text_sent import chunk_tokens, sends_no_text
from ui.look.escape import Bold

_ONE_CALL = ", since what does not fit into its one call is cut"


@dataclass(frozen=True)
class _Lost:
    """The columns that lose some of the text, and those that send nothing of it, by name.

    `most` are the tokens that the worst of the first ones loses, `share` what part of its
    chunks that is, and `why` the reason, as the end of a clause. `others` send all of it.
    """

    some: tuple[str, ...]
    everything: tuple[str, ...]
    others: int
    most: str = ""
    share: str = ""
    why: str = ""


def would_lose(plans: Mapping[str, Plan], whole: bool) -> list[str]:
    """The sentence before a run, of plans by name; `whole`: no other column sends anything."""
    found = _lost(plans)
    verb = "sends" if len(found.everything) == 1 else "send"
    if len(found.some) == 1:
        only = "Only " if whole and len(plans) > 1 else ""
        head = Bold(f"{only}{found.some[0]} loses text")
        return [head, f" ({found.most}, {found.share}){found.why}", _silent(found, verb)]
    return _sentence(found, whole, "lose", verb, "sends" if found.others == 1 else "send")


def did_lose(traces: Mapping[str, Trace], whole: bool) -> list[str]:
    """The sentence after a run, of runs by name; `whole`: no other column was run."""
    found = _lost(traces)
    if len(found.some) == 1:
        head = Bold(f"{found.some[0]} lost {found.most}")
        return [head, f" ({found.share}){found.why}", _silent(found, "sent")]
    return _sentence(found, whole, "lost", "sent", "sent")


def _lost(runs: Mapping[str, Plan] | Mapping[str, Trace]) -> _Lost:
    everything = tuple(name for name, run in runs.items() if sends_no_text(run))
    amounts = {name: run.lost_tokens for name, run in runs.items() if name not in everything}
    some = tuple(name for name, tokens in amounts.items() if tokens)
    others = len(amounts) - len(some)
    if not some:
        return _Lost((), everything, others)
    worst = max(some, key=amounts.__getitem__)
    tokens = amounts[worst]
    most = counted(tokens, "token")
    share = percent(tokens, chunk_tokens(runs[worst]))
    why = _ONE_CALL if mode_class(runs[worst].setup.mode).drops_excess else ""
    return _Lost(some, everything, others, most, share, why)


def _sentence(found: _Lost, whole: bool, lose: str, send: str, others_send: str) -> list[str]:
    """The sentence where several columns lose text, or none does."""
    if found.some:
        head = Bold(f"{listed(found.some)} {lose} text")
        return [head, f", up to {found.most} ({found.share})", _silent(found, send)]
    if not (found.everything and found.others and whole):
        return []
    rest = "the other" if found.others == 1 else "the others"
    return [f"{listed(found.everything)} {send} none of the text, {rest} {others_send} all of it."]


def _silent(found: _Lost, send: str) -> str:
    """Who sends no text at all, as the end of a sentence."""
    return f"; {listed(found.everything)} {send} none." if found.everything else "."
