"""What the page shows of a plan is made in the second process while many people are here."""

from __future__ import annotations

from collections.abc import Sequence

from ui.controls import modes
from ui.figures import BARS
from ui.look.elements import NARROW
from ui.look.theme import Look
from ui.look.theme import look as look_of
from ui.plan.outlines import outline
from ui.plan.plan_range import plan_range
from ui.plan.upstream import upstream
from ui.request.from_settings import request_from
from ui.request.request import Request
from ui.session import second_process, workspace
from ui.session.workspace import Result
from ui.settings import state
from ui.sweep.next_window import next_window
from ui.views import shared
from ui.views.shared import RunView

_KINDS = {"plan range", "outline", "next window", "upstream", "rows", "bars", "flow", "flow alt"}


def look_ahead(look: Look) -> None:
    """Take what the second process makes of these settings into the memory of the workspace.

    The page finds it there, and makes for itself what is missing.
    """
    if not (second_process.is_worthwhile() and state.link_is_read()):
        return
    request, cards = request_from(state.get), modes.with_cards()

    def take() -> None:
        try:
            results = second_process.ask(_results, request, cards, look.dark)
        except second_process.Unavailable:
            return
        for result in results:
            workspace.current().remember(result)

    workspace.current().remembered("ahead", (request, tuple(cards), look.dark), take)


def _results(request: Request, cards: Sequence[Request], dark: bool) -> list[Result]:
    """The results that the page remembers when it draws the plan of the request.

    They are forgotten here; what stays in memory is what the next plans of these chunks need.
    """
    with workspace.noted() as results:
        for card in cards:
            outline(card, planned=card.mode == request.mode)
        plan = plan_range(request).high
        if plan is not None and plan.calls:
            next_window(request, plan)
            upstream(request)
            _figures(RunView(plan, request, look_of(dark=dark), NARROW))
    workspace.current().forget(_KINDS)
    return [result for result in results if result.kind in _KINDS]


def _figures(view: RunView) -> None:
    rows = view.rows
    if len(rows) <= BARS:
        shared.bars(view, rows)
    if shared.few(view, shared.FLOWING):
        shared.flow_of(view)
        shared.flow_words(view)
