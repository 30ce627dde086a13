"""The picture of a plan or a run, the bars of single calls, and their key."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import TypeVar
from weakref import ref

import streamlit as st

from synth.html.markup import Html
from synth.modes.adviser import Cliff
from synth.pictures.bar_parts import CallBar, State, call_bars, state_of
from synth.pictures.placement import PAGE, Mark, PictureSize
from synth.pictures.run_picture import draw_rail, draw_run
from synth.pictures.scene import Scene
from synth.runs.calls import CallRecord
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted
from ui.look.elements import box
from ui.look.scripts import Clicked, Moved, draw_scene
from ui.session import keys, workspace

T = TypeVar("T")


class _Same:
    """A plan or a trace as the very object that it is: to compare all its calls takes long.

    It does not keep the run in memory.
    """

    def __init__(self, run: Plan | Trace) -> None:
        self._run, self._hash = ref(run), id(run)

    def __hash__(self) -> int:
        return self._hash

    def __eq__(self, other: object) -> bool:
        run = self._run()
        return run is not None and isinstance(other, _Same) and run is other._run()


def remembered(run: Plan | Trace, kind: str, make: Callable[[], T], number: Hashable = None) -> T:
    """Return what `make` makes, from memory if it was made before of this plan or trace.

    `kind` names the result, `number` the call, the step or the mark that it belongs to, if any.
    """
    return workspace.current().remember(kind, (_Same(run), number), make)


def bars_of(run: Plan | Trace) -> list[CallBar]:
    """Return the bar of every call."""
    return remembered(run, "bars", lambda: call_bars(run.calls, run.setup))


def draw_picture(
    run: Plan | Trace,
    key: str = "picture",
    *,
    begun: Sequence[CallRecord] = (),
    states: Mapping[int, State] | None = None,
    mark: Mark | None = None,
    selected: int | None = None,
    clicked: Clicked | None = None,
    moved: Callable[[Moved], None] | None = None,
    size: PictureSize = PAGE,
    cliffs: Callable[[], Sequence[Cliff]] | None = None,
) -> None:
    """Draw the picture of a plan or a run; most arguments are those of `draw_run`.

    Of more calls than bars the lens stands over those that a person chose. `clicked` and `moved`
    are as for `draw_scene`. Above it stands what other windows would give, where `cliffs` finds it.
    """
    first = selected or st.session_state.get(keys.LENS)

    def make() -> Scene:
        return draw_run(
            run, begun, states=states, mark=mark, selected=selected, size=size, first=first
        )

    so_far = tuple((call.number, state_of(call)) for call in begun)
    version = so_far, tuple((states or {}).items()), mark, selected, first
    scene = remembered(run, key, make, version)
    if cliffs is None:
        draw_scene(scene, key, clicked, moved)
        return
    rail = st.container(key="rail_place")
    draw_scene(scene, key, clicked, moved)
    window = next((one for one in scene.handles if one.name == "window"), None)
    with rail:  # after the picture, since it takes the plans of other windows
        if window is not None and (changes := cliffs()):
            draw_scene(draw_rail(window, changes), "rail")
        else:
            st.html(Html("&nbsp;"))  # so that the picture stays where it is


def draw_remembered(
    run: Plan | Trace,
    key: str,
    make: Callable[[], Scene],
    version: Hashable = None,
    clicked: Clicked | None = None,
) -> None:
    """Draw a scene of this plan or trace, made once for each `version`."""
    draw_scene(remembered(run, key, make, version), key, clicked)


def unfinished(plan: Plan) -> None:
    """Draw a box with the reason why a plan stops early; nothing if it has an end."""
    if plan.problem:
        box(early_end(plan), plan.problem)


def early_end(plan: Plan) -> str:
    """Say that a plan stops early."""
    return f"With answers of {counted(plan.answer_tokens, 'token')} this plan stops early."
