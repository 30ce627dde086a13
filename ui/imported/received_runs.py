"""The syntheses that were received, and what follows from each: made behind the pages."""

from collections.abc import Sequence
from typing import NamedTuple

from synth.text.wording import counted
from synth.traces import ImportedRun
from synth.traces.growing import Growing
from ui.imported.behind import behind
from ui.imported.going_on import GoingOn, going_on
from ui.imported.opened_file import OpenedRun

SILENT = 600
"""Seconds without a span, after which nothing more is expected of a synthesis."""


class Received(NamedTuple):
    """A synthesis as far as it has come.

    `opened` is its run beside ours: None while it goes on, and until it is compared.
    """

    growing: Growing
    opened: OpenedRun | None

    @property
    def id(self) -> str:
        """Its name among all that were received."""
        return f"{self.growing.trace_id} {self.growing.key}"

    @property
    def verified(self) -> bool:
        """Whether our engine sends the prompts that were recorded, of which there are some."""
        return self.opened is not None and self.opened.verified and bool(self.opened.run.calls)

    @property
    def differs(self) -> bool:
        """Whether one of its prompts is not ours."""
        found = self.opened and self.opened.verification
        return bool(found) and found.first_difference is not None


def received(found: Sequence[Growing]) -> list[Received]:
    """These syntheses beside ours, as far as they are compared; the first ones are next."""
    opened = [_opened(growing) for growing in reversed(found)]
    return [Received(*pair) for pair in zip(found, reversed(opened), strict=True)]


def _opened(growing: Growing) -> OpenedRun | None:
    run = growing.run
    if run is None or not growing.ended or growing.missing:
        return None
    key = ("opened", growing.trace_id, growing.key, growing.last, len(growing.calls))
    return behind().result(key, lambda: _compared(run))


def _compared(run: ImportedRun) -> OpenedRun:
    opened = OpenedRun(run)
    _ = opened.beside, opened.why_not_opened
    return opened


def likely(growing: Growing) -> GoingOn | None:
    """What is likely of a synthesis that goes on; None until it is computed, or where it can't."""
    run = growing.run
    if run is None or growing.ended:
        return None
    key = ("likely", growing.trace_id, growing.key, growing.mode, len(growing.calls))
    return behind().result(key, lambda: going_on(run))


def tried(opened: OpenedRun, id: str) -> bool:
    """Whether other settings were tried on a run that differs; they are tried from now on."""
    return behind().result(("tried", id, opened.form), lambda: opened.search) is not None


class State(NamedTuple):
    """How a synthesis stands: a sign and words."""

    sign: str
    words: str


RING = ":material/progress_activity:"
"""The sign of what goes on, as Streamlit's Markdown has it."""


def state(one: Received, now: float) -> State:
    """How a synthesis stands, `now` being seconds since 1970."""
    growing = one.growing
    if not growing.ended or growing.missing:
        return _unfinished(growing, now)
    if not growing.calls:
        return State("–", "no call was made" if growing.chunks else "no chunks were found")
    if one.opened is None:
        return State(RING, "being compared")
    found = one.opened.verification
    if found is None:
        return State("–", "its mode is not known here")
    if found.equal:
        return State("✓", f"same {counted(found.calls, 'prompt')}")
    if found.first_difference is None:
        return State("✕", "not compared")
    return State("✕", f"differs at call {found.first_difference.number:,}")


def _unfinished(growing: Growing, now: float) -> State:
    if growing.ended or now - growing.last > SILENT:
        return State("…", f"{counted(growing.missing or 1, 'span')} missing")
    came, about = len(growing.calls), growing.expected_calls
    if about is None:
        return State(RING, f"{counted(came, 'call')} so far" if came else "before its first call")
    if came >= about:
        return State(RING, f"{counted(came, 'call')}, its end is to come")
    return State(RING, f"call {came + 1:,} of about {about:,}")
