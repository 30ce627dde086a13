"""What the plans of every mode sum to over one setting: the figure of By window, and its cliffs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from math import ceil, floor, log10
from time import thread_time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from synth.errors import SynthError
from synth.modes.adviser import Cliff, Totals, totals
from synth.modes.base import PLANNED_CALLS
from synth.pictures.run_picture import MOST_NAMED
from synth.runs.trace import Plan
from synth.text.model_tokenizers import get_tokenizer
from synth.text.wording import counted, dollars
from synth.words.plan_words import sends_chunks
from ui.look.elements import INK, MUTED, OUTLINE, PAPER, Figure, base_figure, note, plot_text
from ui.plans.plan_range import LONG
from ui.session import workspace
from ui.settings.request import Model, Request

if TYPE_CHECKING:
    from pandas import DataFrame, Series

_VALUES = 40  # of the setting, at which each mode is planned
_SECONDS = 0.5  # of the processor, in which a mode is planned at as many of them as possible
MEASURES = {"calls": "Calls", "prompt_tokens": "Tokens", "cost": "Cost"}
"""The columns of the table that can be drawn, and their names on the page."""
_WIDE = 16  # if the last value is more than so many times the first, the axis is logarithmic
_SPIKE = 4  # times the typical value: the mode in focus is cut off above it
_CLOSE = 0.07  # of the height, within which the names of lines stand in one label
_MARGIN = (64, 132, 30, 52)  # pixels: left, right, top, bottom
_DASHES = ("solid", "dash", "dot", "dashdot", "longdash", "longdashdot")


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
            return _two_digits(value / 4), _two_digits(3 * value)
        text = sum(map(len, request.text_chunks)) / 4  # tokens, about four characters each
        low = min(0.4 * value, max(0.4 * text, 2 * request.most_output))
        high = max(1.9 * value, 1.5 * text + 2 * request.most_output)
        return _two_digits(low), _two_digits(high)

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


def _two_digits(value: float) -> int:
    """Round a value to two digits, at least to 1."""
    return max(1, int(round(value, 1 - floor(log10(max(value, 10))))))


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
        return Totals(problem=str(refusal))
    texts = (request.query_str, request.text_chunks)
    return totals(synthesizer, *texts, request.num_output, dict(request.variables))


@dataclass(frozen=True)
class CurveView:
    """What is drawn: a column of the table, the mode in focus, and the present value.

    `changes` are the values at which the calls of the mode in focus change; below `whole` some mode
    (`cut_mode`) cuts text off.
    """

    table: DataFrame
    measure: str
    focus: str
    value: int
    title: str
    changes: Sequence[Cliff] = ()
    cut_mode: str = ""
    whole: int = 0

    @property
    def ends(self) -> tuple[int, int]:
        """Return the first and last value of the axis."""
        return int(self.table["value"].min()), int(self.table["value"].max())

    def lines(self) -> dict[str, Series]:
        """Return the values of each mode that has a plan somewhere, the one in focus last."""
        lines = {
            str(mode): rows.set_index("value")[self.measure]
            for mode, rows in self.table.groupby("mode", sort=False)
            if rows[self.measure].notna().any()
        }
        return dict(sorted(lines.items(), key=lambda line: line[0] == self.focus))


def draw_curves(view: CurveView, height: int) -> Figure:
    """Draw the figure, `height` pixels high: lines with their names, the present value, changes."""
    lines = view.lines()
    top = _top(lines, view.focus)
    low, high = view.ends
    is_wide = low * _WIDE < high  # its beginning can be read only on a logarithmic axis
    traces = [_line(at, mode, lines[mode], view.focus) for at, mode in enumerate(lines)]
    traces.append(_here(view.value, top))
    labels = _end_labels(lines, view, top)
    if view.measure == "calls":
        traces.append(_changes(view))
        if view.cut_mode in lines and view.whole > low:
            calls = float(lines[view.cut_mode].dropna().iloc[-1])
            traces.insert(0, _cut_off(view, calls))
            says = f" {plot_text(view.cut_mode)} cuts text off up to {view.whole - 1:,} "
            place = {"xref": "paper", "xanchor": "left", "xshift": 8}
            labels.append(note(0, calls / 2, says, bgcolor=PAPER, color=INK, **place))
    return base_figure(
        height,
        _MARGIN,
        traces,
        annotations=labels,
        xaxis={
            "range": [log10(low), log10(high)] if is_wide else [low, high],
            "tickformat": ",",
            "title": {"text": plot_text(view.title, 60)},
            **({"type": "log", "dtick": "D2"} if is_wide else {}),
        },
        yaxis={
            "showgrid": True,
            "range": [0, top],
            "nticks": 5,
            "tickformat": "$,.4~f" if view.measure == "cost" else ",",
        },
    )


def describe_curves(view: CurveView) -> str:
    """Say the figure in one sentence, for those who can't see it."""
    say = dollars if view.measure == "cost" else "{:,.0f}".format
    ends = [f"{mode} {say(line.dropna().iloc[-1])}" for mode, line in view.lines().items()]
    low, high = view.ends
    subject = f"{MEASURES[view.measure]} of each mode from {low:,} to {high:,}"
    if not ends:
        return f"{subject}; no mode has a plan."
    return f"{subject}; at the right end: {', '.join(ends)}."


def _top(lines: dict[str, Series], focus: str) -> float:
    """The value at the top edge, above nine of ten values and the right end: a spike is cut off."""
    typical, highest = 0.0, 0.0
    for mode, line in lines.items():
        known = line.dropna()
        typical = max(typical, known.quantile(0.9, interpolation="lower"), known.iloc[-1])
        highest = known.max() if mode == focus else highest
    return float(max(typical, min(highest, _SPIKE * typical)) * 1.06) or 1.0


def _line(at: int, mode: str, line: Series, focus: str) -> dict[str, Any]:
    style = {"color": OUTLINE, "width": 1.3, "dash": _DASHES[at % len(_DASHES)]}
    if mode == focus:
        style = {"color": INK, "width": 2.5}
    money = "$" if line.name == "cost" else ""
    return {
        "type": "scatter",
        "mode": "lines",
        "name": plot_text(mode),
        "x": line.index.tolist(),
        "y": line.astype(object).where(line.notna(), None).tolist(),
        "line": {"shape": "hv", **style},
        "hovertemplate": f"<b>{plot_text(mode)}</b><br>at %{{x:,}}: {money}%{{y:,}}<extra></extra>",
    }


def _end_labels(lines: dict[str, Series], view: CurveView, top: float) -> list[dict[str, Any]]:
    """The names at the right end, those of neighbours in one label, the mode in focus bold."""
    groups: list[tuple[float, list[str]]] = []
    ends = {mode: min(float(line.dropna().iloc[-1]), top) for mode, line in lines.items()}
    for mode, end in sorted(ends.items(), key=lambda pair: pair[1]):
        bold = f"<b>{plot_text(mode)}</b>" if mode == view.focus else plot_text(mode)
        if groups and end - groups[-1][0] < _CLOSE * top * len(groups[-1][1]):
            groups[-1][1].insert(0, bold)
        else:
            groups.append((end, [bold]))
    place: dict[str, Any] = {"xref": "paper", "xanchor": "left", "xshift": 6, "align": "left"}
    place |= {"yanchor": "bottom", "yshift": -8}
    return [note(1, end, "<br>".join(names), **place) for end, names in groups]


def _here(value: int, top: float) -> dict[str, Any]:
    """The present value, as a line over the whole height."""
    return {
        "type": "scatter",
        "mode": "lines+text",
        "x": [value, value],
        "y": [0, top],
        "text": ["", "<b>you are here</b>"],
        "textposition": "top center",
        "textfont": {"color": INK, "size": 12},
        "cliponaxis": False,
        "line": {"color": INK, "width": 1.5, "dash": "4px,3px"},
        "hoverinfo": "skip",
    }


def _changes(view: CurveView) -> dict[str, Any]:
    """A dot and a label where the calls of the mode in focus change."""
    low, high = view.ends
    seen = [change for change in view.changes if low <= change.x <= high and change.after]
    labels = (f"{counted(change.after, 'call')}<br>from {change.x:,}" for change in seen)
    return {
        "type": "scatter",
        "mode": "markers+text",
        "x": [change.x for change in seen],
        "y": [change.after for change in seen],
        "text": [f"<b>{label}</b>" for label in labels],
        "textposition": "top right",
        "textfont": {"color": INK, "size": 12},
        "cliponaxis": False,
        "marker": {"color": "var(--panel)", "size": 8, "line": {"color": INK, "width": 2}},
        "hoverinfo": "skip",
    }


def _cut_off(view: CurveView, calls: float) -> dict[str, Any]:
    """The hatched stretch in which a mode cuts text off."""
    return {
        "type": "scatter",
        "mode": "lines",
        "x": [view.ends[0], min(view.whole, view.ends[1])],
        "y": [calls, calls],
        "line": {"width": 0, "color": OUTLINE},
        "fill": "tozeroy",
        "fillpattern": {"shape": "/", "fgcolor": MUTED, "bgcolor": "#0000", "size": 7},
        "hoverinfo": "skip",
    }


_MOST_WORK = LONG // 4  # above it, plans take so long that no other windows are tried
_MOST = 3  # changes that are looked for
_NEAR_SECONDS, _EXACT_SECONDS = 0.01, 0.2  # of the processor for it, where they are near or exact
_MOST_CALLS = 5 * MOST_NAMED  # of a plan, above which it is not made to its end
_FIRST = 0.18  # of the window that holds all, from which on windows are tried
_WIDER = 1.1
_SEEN = 200  # parts of an axis, which no eye tells apart
_ALL = 10_000_000  # tokens: a window that holds any text


def window_cliffs(request: Request, exact: bool = False) -> tuple[Cliff, ...]:
    """Find where the calls of a request change with its window, from memory if it was done before.

    The last change is exact, those before it as near as can be seen on an axis, or `exact` too;
    they are found only where there is time, and few calls. Where their number never changes it is
    the window from which on nothing is cut off. Nothing is known of a request that takes long to
    plan, can't be planned, or whose tokens a server counts.
    """
    if request.work > _MOST_WORK or get_tokenizer(request.tokenizer).asks:
        return ()
    key = replace(request, context_window=1, model=Model()), exact
    space, none = workspace.current(), tuple[Cliff, ...]()
    earlier = space.latest("window cliffs", none)
    return space.remember("window cliffs", key, lambda: _find(request, exact, earlier))


def _find(request: Request, exact: bool, earlier: Sequence[Cliff]) -> tuple[Cliff, ...]:
    """The changes in their order, between two of which the number falls with the window.

    Most edits move them little, so that they are looked for where they were `earlier`.
    """
    widest = _plan_at(request, _ALL)
    if widest is None or widest.problem or not widest.calls or not sends_chunks(widest):
        return ()
    most = max(_MOST_CALLS, 2 * widest.call_count)
    planned: dict[int, int] = {}

    def calls(window: int) -> int:
        if window not in planned:
            plan = _plan_at(request, window, most)
            planned[window] = -1 if plan is None else 0 if plan.problem else plan.call_count
        return planned[window]

    right = max(call.prompt_tokens for call in widest.calls) + widest.setup.most_output
    while calls(right) != widest.call_count:  # a little more than its largest call needs
        right = ceil(right * _WIDER)
    if calls(right - 1) == widest.call_count:  # as a mode that cuts off what has no room
        narrower = _plan_at(request, right - 1)
        if narrower is not None and narrower.lost_tokens:
            return (Cliff(right, widest.call_count, widest.call_count),)
    end = thread_time() + (_EXACT_SECONDS if exact else _NEAR_SECONDS)
    calls(max(1, int(_FIRST * right)))
    # Mostly the last change is where the largest call fits.
    if calls(right - 1) not in (-1, calls(right)):
        cliffs = [Cliff(right, calls(right - 1), calls(right))]
        right -= 1
    else:
        cliffs = []
    near = 1 if exact else max(1, right // _SEEN)
    for cliff in earlier:
        if cliff.x < right:
            calls(cliff.x)
            calls(max(1, cliff.x - near))
    while len(cliffs) < _MOST and (not cliffs or calls(right) <= MOST_NAMED):
        count = calls(right)
        below = max((one for one in planned if one < right and planned[one] != count), default=0)
        above = min(one for one in planned if below < one <= right and planned[one] == count)
        while below and above - below > (near if cliffs else 1) and thread_time() < end:
            middle = (above + below) // 2
            above, below = (middle, below) if calls(middle) == count else (above, middle)
        if not below or above - below > (near if cliffs else 1):
            break
        if calls(below) < 0:  # it can't run there, with however many calls
            break
        cliffs.append(Cliff(above, calls(below), count))
        right = below
    return tuple(reversed(cliffs))


def _plan_at(request: Request, window: int, most_calls: int = PLANNED_CALLS) -> Plan | None:
    """The plan in a window, which may end early; None where it can't run."""
    try:
        synthesizer = replace(request, context_window=window).synthesizer()
        if not synthesizer.plannable:
            return None
        values: dict[str, Any] = dict(request.variables)
        plan = synthesizer.plan(
            request.query_str, request.text_chunks, max_calls=most_calls, **values
        )
    except SynthError:
        return None
    return plan
