"""The view Calls: all calls as a list of bars, and the open call beside it."""

from collections.abc import Callable, Collection, Sequence

from synth.pictures.scene import Target
from synth.pictures.walk import list_neighbours
from synth.runs.calls import CallRecord, PlannedCall
from synth.runs.trace import Plan, Trace
from ui.look.elements import button_row, draw_columns, small
from ui.views import call_detail
from ui.views.run_views import call_list

Call = PlannedCall | CallRecord

_LISTED = 50  # calls around the open one
_FILTERS: dict[str, Callable[[CallRecord], bool]] = {
    "All": lambda call: True,
    "Failed": lambda call: call.error is not None and not call.stopped,
    "Stopped": lambda call: call.stopped,
    "Replayed": lambda call: call.replayed,
    "Cut off": lambda call: call.is_cut,
}


def draw(run: Plan | Trace, edited: Collection[int] = ()) -> None:
    """Draw the list of calls, and the open call beside it; those `edited` are a person's."""
    left, right = draw_columns("calls", 5, 9)
    with left:
        _draw_list(run, _filtered(run.calls) if isinstance(run, Trace) else run.calls)
    with right:
        call_detail.draw(run, edited)


def _filtered(calls: Sequence[Call]) -> Sequence[Call]:
    """The calls of the chosen filter; without a switch if all filters but one are empty."""
    every = {
        name: [call for call in calls if isinstance(call, CallRecord) and passes(call)]
        for name, passes in _FILTERS.items()
    }
    calls_by_filter = {name: passing for name, passing in every.items() if passing}
    if len(calls_by_filter) == 1:
        return calls
    name = button_row(
        "Which calls",
        list(calls_by_filter),
        "call_filter",
        format_func=lambda name: f"{name} {len(calls_by_filter[name]):,}",
        label_visibility="collapsed",
    )
    return calls_by_filter[name]


def _draw_list(run: Plan | Trace, calls: Sequence[Call]) -> None:
    """Draw the calls around the open one; a click opens another."""

    def clicked(target: Target) -> None:
        _, number = target
        call_detail.open_call(number)

    opened = call_detail.read_open_call(run)
    listed = list_neighbours(calls, opened, _LISTED)
    if len(listed) < len(calls):
        first, last = listed[0].number, listed[-1].number
        small(f"Calls {first:,} to {last:,} of {len(run.calls):,}")
    call_list(run, [call.number for call in listed], opened, clicked)
