"""A scene as HTML and SVG, where the browser chooses the wording of each label that has room.

It is the same on a page, where it can be touched, and in a report or a notebook. Shapes are in per
cent across and pixels down; without words a scene is a small sign.
"""

import html
from collections.abc import Sequence
from pathlib import Path as File

from synth.pictures.scene import (
    Band,
    Box,
    Handle,
    Label,
    Path,
    Point,
    RowName,
    Scene,
    Words,
)
from synth.text.wording import Bold, reveal

STYLES = File(__file__).with_name("pictures.css").read_text("utf-8")
"""The stylesheet of all pictures, which takes the colours of meanings from variables of CSS."""
HATCHES = File(__file__).with_name("hatches.svg").read_text("utf-8")
"""The hatches of all pictures, which stand once in a document and are never hidden."""

# Of per cent and pixels five digits are enough, as in {x:.5g}.
_ACROSS = 10_000  # units of a path, which stretches to the width of the picture
_FIRST_WIDE = "\u1100"  # from here on letters are as wide as high: Hangul, Chinese, emoji
_LONGEST = 40
"""Letters of the longest wording for which a label asks whether it has room."""
ROOM = "\n".join(
    f"@container (width < {0.54 * count + 0.5:.2f}em) {{ .label .w{count} {{ display: none; }} }}\n"
    f"@container (width >= {0.54 * count + 0.5:.2f}em) {{ .label .w{count} ~ span"
    " { display: none; } }"
    for count in range(1, _LONGEST + 1)
)
"""The rules by which a label shows the first of its wordings that has room."""
_HANDLES = {
    "window": "Context window, in tokens",
    "answer": "Answer length, in tokens",
    "lens": "First call under the lens",
}


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
    """A shape as SVG: a rectangle, or a path that stretches, whose line keeps its width."""
    if isinstance(shape, Box):
        return _box(shape)
    look, marks = _look(shape), ""
    if isinstance(shape, Band):
        look, marks = f"{look} {shape.style}".strip(), _marks(shape)
    return (
        f'<svg width="100%" height="{height:.5g}" preserveAspectRatio="none"'
        f' viewBox="0 0 {_ACROSS} {height:.5g}">'
        f'<path class="{look}" d="{_outline(shape, _ACROSS / 100)}"{marks}/></svg>'
    )


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
        f' height="{box.height:.5g}"{_marks(box)}{text}>{says}</rect>'
    )


def _marks(shape: Box | Band) -> str:
    """Write what a click opens, and where the text of a shape comes from."""
    marks = {"mark": shape.target, "from": shape.source}
    return "".join(f' data-{name}="{at[0]} {at[1]}"' for name, at in marks.items() if at)


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
        inner = max(0.35, 1 - (b - a) / max(c - b + 2 * (b - a), 1))  # of the outer curve's rise
        over, under = low - 1.33 * band.rise, low - 1.33 * band.rise * inner
        return (
            f"M{a:.5g} {low:.5g}C{a:.5g} {over:.5g} {d:.5g} {over:.5g} {d:.5g} {high:.5g}"
            f"L{c:.5g} {high:.5g}C{c:.5g} {under:.5g} {b:.5g} {under:.5g} {b:.5g} {low:.5g}z"
        )
    middle = (low + high) / 2
    return (
        f"M{a:.5g} {low:.5g}C{a:.5g} {middle:.5g} {c:.5g} {middle:.5g} {c:.5g} {high:.5g}"
        f"L{d:.5g} {high:.5g}C{d:.5g} {middle:.5g} {b:.5g} {middle:.5g} {b:.5g} {low:.5g}z"
    )


def escape_text(text: str) -> str:
    """Write a text that shows itself alone, in HTML and in SVG."""
    return html.escape(reveal(text))


def scene_html(scene: Scene, touched: bool = False) -> str:
    """Write a scene, with its handles where it is `touched`; `ROOM` and `STYLES` lay it out."""
    handles = scene.handles if touched else []
    named, alt = " named" if scene.rows else "", escape_text(scene.alt)
    return (
        f'<div class="scene{named}" style="height:{scene.height:.5g}px">'
        f'<div role="img" aria-label="{alt}">{"".join(map(_row_name, scene.rows))}'
        f'<div class="drawing" aria-hidden="true"><svg width="100%" height="{scene.height:.5g}">'
        f"{shapes_svg(scene)}</svg>{''.join(map(_label, scene.labels))}</div></div>"
        f'<div class="handles">{"".join(map(_handle, handles))}</div></div>'
    )


def letters(words: Words) -> int:
    """Return the letters of the longest line; those that are as wide as high count twice."""
    text = words if isinstance(words, str) else "".join(words)
    lines = text.split("\n")
    return max(len(line) + sum(letter >= _FIRST_WIDE for letter in line) for line in lines)


def _label(label: Label) -> str:
    left, right = max(label.left, 0), min(label.right, 100)
    spans = "".join(
        f'<span class="w{min(letters(words), _LONGEST)}">{_inline(words)}</span>'
        for words in label.wordings
    )
    kind = f"label {label.align} {label.kind}".strip()
    return (
        f'<div class="{kind}" style="left:{left:.5g}%;width:{right - left:.5g}%;'
        f'top:{label.middle:.5g}px">{spans}</div>'
    )


def _handle(handle: Handle) -> str:
    """What can be dragged; the page hides it where nothing listens."""
    return (
        f'<div class="handle {handle.name}" role="slider" tabindex="0"'
        f' aria-label="{_HANDLES[handle.name]}" aria-valuemin="1" aria-valuenow="{handle.value}"'
        f' data-handle="{handle.name}" data-origin="{handle.origin:.6g}"'
        f' data-scale="{handle.scale:.6g}" style="left:{handle.x:.5g}%;top:{handle.top:.5g}px;'
        f'height:{handle.height:.5g}px"><i></i><output></output></div>'
    )


def _row_name(row: RowName) -> str:
    detail = f"<span>{escape_text(row.detail)}</span>" if row.detail else ""
    name = f"<b>{escape_text(row.name)}</b>{detail}"
    return f'<div class="row-name" style="top:{row.middle:.5g}px">{name}</div>'


def _inline(words: Words) -> str:
    parts: Sequence[str] = (words,) if isinstance(words, str) else words
    lines = ((part, escape_text(part).replace("\n", "<br/>")) for part in parts)
    return "".join(f"<b>{line}</b>" if isinstance(part, Bold) else line for part, line in lines)
