"""The shapes of a scene as SVG, in per cent across, and a scene without words as a small sign."""

import html
from collections.abc import Sequence
from pathlib import Path as File

from synth.pictures.scene import Band, Box, Path, Point, Scene, Target
from synth.text.wording import reveal

STYLES = File(__file__).with_name("pictures.css").read_text("utf-8")
"""The stylesheet of all pictures, which takes the colours of meanings from variables of CSS."""
HATCHES = File(__file__).with_name("hatches.svg").read_text("utf-8")
"""The hatches of all pictures, which stand once in a document and are never hidden."""

# Of per cent and pixels five digits are enough, as in {x:.5g}.
_ACROSS = 10_000  # units of a path, which stretches to the width of the picture


def shapes_svg(scene: Scene) -> str:
    """Return all shapes of a scene as SVG, in per cent across and pixels down."""
    return "".join(_shape(shape, scene.height) for shape in scene.shapes)


def sign_svg(scene: Scene, css: str, width: int) -> str:
    """Return a scene without words as a small image, in which shapes of one look are one path."""
    looks: dict[str, list[str]] = {}
    for shape in scene.shapes:
        looks.setdefault(_look(shape), []).append(_outline(shape, width / 100))
    paths = "".join(f'<path class="{look}" d="{"".join(d)}"/>' for look, d in looks.items())
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{scene.height:.5g}">'
        f"<style>{css}</style>{paths}</svg>"
    )


def _shape(shape: Box | Band | Path, height: float) -> str:
    if isinstance(shape, Box):
        return _box(shape)
    data = _outline(shape, _ACROSS / 100)
    if isinstance(shape, Band):
        look = f"{_look(shape)} {shape.style}".strip()
        return _path(look, data, height, shape.target, shape.source)
    return _path(_look(shape), data, height)


def _look(shape: Box | Band | Path) -> str:
    """The class of the stylesheet for what a shape means."""
    if isinstance(shape, Path):
        return shape.kind
    return f"band k-{shape.kind}" if isinstance(shape, Band) else f"k-{shape.kind}"


def _box(box: Box) -> str:
    text = f' data-text="{box.text}"' if box.text else ""
    says = f"<title>{escape_text(box.says)}</title>" if box.says else ""
    return (
        f'<rect class="{f"{_look(box)} {box.style}".strip()}" x="{box.left:.5g}%"'
        f' y="{box.top:.5g}" width="{max(box.right - box.left, 0):.5g}%"'
        f' height="{box.height:.5g}"{_marks(box.target, box.source)}{text}>{says}</rect>'
    )


def _outline(shape: Box | Band | Path, unit: float) -> str:
    """The path around a shape; a per cent across has so many units."""
    if isinstance(shape, Box):
        x, wide, high = shape.left * unit, (shape.right - shape.left) * unit, shape.height
        return f"M{x:.5g} {shape.top:.5g}h{wide:.5g}v{high:.5g}h{-wide:.5g}z"
    if isinstance(shape, Band):
        return _band(shape, unit)
    return "".join(_line(line, unit) for line in shape.lines)


def _line(points: Sequence[Point], unit: float) -> str:
    """A path through points: thousands of bars stand upright, so straight ways are short."""
    x, y = points[0]
    path = [f"M{x * unit:.5g} {y:.5g}"]
    for across, down in points[1:]:
        if down == y:
            path.append(f"H{across * unit:.5g}")
        elif across == x:
            path.append(f"V{down:.5g}")
        else:
            path.append(f"L{across * unit:.5g} {down:.5g}")
        x, y = across, down
    return "".join(path)


def _band(band: Band, unit: float) -> str:
    """The outline of a band: two curves that leave and arrive upright, or two arcs."""
    (a, b), (c, d) = ([x * unit for x in edges] for edges in (band.begin, band.end))
    low, high = band.low, band.high
    if band.rise:
        over, under = low - 1.33 * band.rise, low - 1.33 * band.rise * _inner(b - a, c - b)
        return (
            f"M{a:.5g} {low:.5g}C{a:.5g} {over:.5g} {d:.5g} {over:.5g} {d:.5g} {high:.5g}"
            f"L{c:.5g} {high:.5g}C{c:.5g} {under:.5g} {b:.5g} {under:.5g} {b:.5g} {low:.5g}z"
        )
    middle = (low + high) / 2
    return (
        f"M{a:.5g} {low:.5g}C{a:.5g} {middle:.5g} {c:.5g} {middle:.5g} {c:.5g} {high:.5g}"
        f"L{d:.5g} {high:.5g}C{d:.5g} {middle:.5g} {b:.5g} {middle:.5g} {b:.5g} {low:.5g}z"
    )


def _inner(thick: float, apart: float) -> float:
    """How high the inner curve of an arc rises, as a share of the outer one."""
    return max(0.35, 1 - thick / max(apart + 2 * thick, 1))


def _marks(target: Target | None, source: Target | None) -> str:
    """Write what a click opens, and where the text of a shape comes from."""
    mark = f' data-mark="{target[0]} {target[1]}"' if target else ""
    return mark + (f' data-from="{source[0]} {source[1]}"' if source else "")


def _path(
    kind: str,
    data: str,
    height: float,
    target: Target | None = None,
    source: Target | None = None,
) -> str:
    """A path that stretches; the width of a line does not."""
    mark = _marks(target, source)
    return (
        f'<svg width="100%" height="{height:.5g}" preserveAspectRatio="none"'
        f' viewBox="0 0 {_ACROSS} {height:.5g}"><path class="{kind}" d="{data}"{mark}/></svg>'
    )


def escape_text(text: str) -> str:
    """Write a text that shows itself alone, in HTML and in SVG."""
    return html.escape(reveal(text))
