"""The rail above the window's handle: how many calls other windows would give, on its scale."""

from collections.abc import Sequence
from itertools import pairwise

from synth.modes.advice.what_if import Cliff
from synth.pictures.scene import Box, Handle, Label, RowName, Scene
from synth.text.wording import counted

_HEIGHT = 20  # pixels
_THIN = 0.8  # per cent, below which a stretch is not told apart
MOST_NAMED = 8
"""Calls, above which the rail tells no numbers apart."""


def draw_rail(handle: Handle, cliffs: Sequence[Cliff]) -> Scene:
    """Draw the stretches of windows with one number of calls, on the scale of the `handle`.

    From right to left they are named as long as the number grows by what can be seen; what is
    left of that is one stretch with more calls. Left of all `cliffs` there may be others.
    """
    last = cliffs[-1]
    scene = Scene(f"{counted(last.after, 'call')} from a window of {last.x:,} tokens on.", _HEIGHT)
    scene.rows.append(RowName(10, ""))
    if last.before == last.after:
        scene.alt = f"All of the text fits from a window of {last.x:,} tokens on."
        _add_end(scene, handle, last.x)
        return scene
    edges = [handle.origin, *(handle.origin + one.x * handle.scale for one in cliffs), 100.0]
    counts = [cliffs[0].before, *(one.after for one in cliffs)]
    right, before = 100.0, 0
    stretches = [*zip(pairwise(edges), counts, strict=True)]
    for at, ((left, _), count) in enumerate(reversed(stretches)):
        if left >= right:
            continue
        if at and (not before < count <= MOST_NAMED or right - left < _THIN):
            break
        says = counted(count, "call")
        wordings = [says, f"{count:,}"]
        if at == 0:
            wordings.insert(0, f"{says} from {last.x:,}")
        elif at == len(cliffs):
            wordings = [f"≥ {says}", f"≥ {count:,}"]
        _add(scene, left, right, at, wordings)
        right, before = left, count
    if right > handle.origin:
        more = f"more than {counted(before, 'call')}" if before else "many calls"
        _add(scene, handle.origin, right, len(cliffs) + 1, [more, f"> {before:,}"])
    return scene


def _add_end(scene: Scene, handle: Handle, window: int) -> None:
    """The windows that cut nothing off, at the end of those that do."""
    end = min(handle.origin + window * handle.scale, 100.0)
    says = f"all of it fits from {window:,}"
    scene.shapes.append(Box(handle.origin, end, 3, 14, "rail", "odd"))
    scene.shapes.append(Box(end, 100.0, 3, 14, "rail", "", says=says))
    scene.labels.append(Label(handle.origin, end - 1, 10, [says], "muted", "end"))


def _add(scene: Scene, left: float, right: float, at: int, wordings: Sequence[str]) -> None:
    odd = "odd" if at % 2 else ""
    scene.shapes.append(Box(left, right, 3, 14, "rail", odd, says=wordings[0]))
    scene.labels.append(Label(left, right, 10, wordings, "muted"))
