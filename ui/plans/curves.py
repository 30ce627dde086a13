"""What the plans of every mode sum to over one setting, as a table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import ceil, floor, log10
from time import thread_time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from synth.errors import SynthError
from synth.modes.advice.what_if import Totals, totals
from ui.session import workspace
from ui.settings.request import Model, Request

if TYPE_CHECKING:
    from pandas import DataFrame

_VALUES = 40  # of the setting, at which each mode is planned
_SECONDS = 0.5  # of the processor, in which a mode is planned at as many of them as possible
_ROUND = (1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10)  # at which an axis begins and ends, times ten


@dataclass(frozen=True)
class Axis:
    """One setting to vary: its name in the request, and the unit of its values."""

    setting: str
    label: str
    unit: str = ""

    def value(self, request: Request) -> int:
        """Return the value that a request has."""
        value = getattr(request, self.setting)
        return len(value) if self.setting == "text_chunks" else int(value)

    def values(self, request: Request) -> list[int]:
        """Return rising values around that of a request, which has all chunks; by equal factors."""
        low, high = self._ends(request)
        grow = high / low
        return sorted({round(low * grow ** (at / (_VALUES - 1))) for at in range(_VALUES)})

    def _ends(self, request: Request) -> tuple[int, int]:
        value = self.value(request)
        if self.setting == "text_chunks":
            return 1, max(1, value)
        if self.setting == "num_output":
            return _round_down(value / 4), _round_up(3 * value)
        text = sum(map(len, request.text_chunks)) / 4  # tokens, about four characters each
        low = min(0.4 * value, max(0.4 * text, 2 * request.num_output))
        return _round_down(low), _round_up(max(1.9 * value, 1.5 * text + 2 * request.num_output))

    def request_at(self, request: Request, value: int) -> Request:
        """Return the request with this value instead of its own."""
        names = ("text_chunks", "positions", "scores")
        changes: dict[str, Any] = {self.setting: value}
        if self.setting in names:
            changes = {name: getattr(request, name)[:value] for name in names}
        return replace(request, **changes)


AXES = (
    Axis("context_window", "context window", "tokens"),
    Axis("num_output", "answer length", "tokens"),
    Axis("text_chunks", "number of chunks"),
)


def _round_down(value: float) -> int:
    scale = 10 ** floor(log10(max(value, 1)))
    return max(1, floor(max(step for step in _ROUND if step * scale <= max(value, 1)) * scale))


def _round_up(value: float) -> int:
    scale = 10 ** floor(log10(max(value, 1)))
    return ceil(min(step for step in _ROUND if step * scale >= value) * scale)


def curves(
    axis: Axis,
    values: Sequence[int],
    requests: Mapping[str, Request],
    changes: Mapping[str, Sequence[int]] = MappingProxyType({}),
) -> DataFrame:
    """Plan each mode at these values and at its `changes`, with long answers, or remember it.

    Returns a row for each mode and value: `mode`, `value`, and the fields of Totals. Where there is
    no plan, its numbers are missing. Some values are left out where plans take long.
    """
    import pandas as pd  # noqa: PLC0415  slow to import, and most pages draw no curves

    remember = workspace.current().remember
    rows: list[dict[str, Any]] = []
    for mode, request in requests.items():
        base = request if axis.setting == "text_chunks" else axis.request_at(request, 1)
        planned: dict[int, Totals] = {}
        for wanted in filter(None, (values, changes.get(mode))):
            key = (axis, tuple(wanted), replace(base, model=Model()))
            planned |= remember("curves", key, partial(_plan, axis, wanted, request))
        for value, sums in sorted(planned.items()):
            numbers = asdict(sums) if sums.problem is None else {"problem": sums.problem}
            rows.append({"mode": mode, "value": value} | numbers)
    return pd.DataFrame(rows)


def _plan(axis: Axis, values: Sequence[int], request: Request) -> dict[int, Totals]:
    """The totals at the ends, then at ever more values between them."""
    end = thread_time() + _SECONDS
    order = [values[0], values[-1], *values[::8], *values[::4], *values[::2], *values]
    planned: dict[int, Totals] = {}
    for value in dict.fromkeys(order):
        if len(planned) > 1 and thread_time() > end:
            break
        workspace.give_way()
        planned[value] = plan_totals(axis.request_at(request, value))
    return planned


def plan_totals(request: Request) -> Totals:
    """Sum up the plan of a request whose answers take all their room; a refusal is the problem."""
    try:
        synthesizer = request.synthesizer()
    except SynthError as refusal:
        return Totals.refuse(str(refusal))
    texts = (request.query_str, request.text_chunks)
    return totals(synthesizer, *texts, request.num_output, dict(request.variables))
