"""Rectangles, words and patterns of the figures, and a figure at the widths of a page."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal

from ui.look.escape import escape
from ui.look.theme import MEANINGS, Look, Paint

WIDTHS = {"wide": 1064, "middle": 680, "half": 500, "narrow": 340}
"""Widths in pixels at which a figure is drawn; the page shows the one for which it has room."""
ALONE = ("wide", "middle", "narrow")
"""The widths of a figure that has a row of its own."""
_NAMED = ("paper", "panel", "ink", "muted", "grid", "outline", "lost")
LETTER = 7.0
"""Pixels of one letter at 12 px in the widest of the fonts that a computer may take."""

Anchor = Literal["start", "middle", "end"]

_PAINTED = (*MEANINGS, "twice")  # text that was sent twice has the colours of chunks
COLOURS = Look(
    dark=False,
    **{name: f"var(--{name})" for name in _NAMED},
    paints={
        kind: Paint(f"var(--{kind})", f"var(--{kind}-edge)", f"var(--{kind}-label)")
        for kind in _PAINTED
    },
)
"""The colours of the figures: each is a CSS variable, which light and dark pages set."""


def figure_html(draw: Callable[[int], str], alt: str, widths: Sequence[str] = ALONE) -> str:
    """A figure at each of these widths, of which the stylesheet shows one; `alt` describes it."""
    label = escape(alt)
    return "".join(
        f'<div class="figure {name}" role="img" aria-label="{label}">{draw(WIDTHS[name])}</div>'
        for name in widths
    )


def picture(width: float, height: float, parts: Sequence[str]) -> str:
    """The whole of a figure; its parts are drawn in order."""
    return (
        f'<svg viewBox="0 0 {_n(width)} {_n(height)}" width="{_n(width)}" height="{_n(height)}"'
        f' aria-hidden="true">{"".join(parts)}</svg>'
    )


def rect(x: float, y: float, width: float, height: float, style: str) -> str:
    """A rectangle with the fill and the edge of a class."""
    return (
        f'<rect x="{_n(x)}" y="{_n(y)}" width="{_n(max(width, 0))}" height="{_n(height)}"'
        f' class="{style}"/>'
    )


def words(
    x: float,
    y: float,
    text: str,
    anchor: Anchor = "start",
    colour: str = COLOURS.ink,
    bold: bool = False,
    plate: str = "",
) -> str:
    """A line of text around the height `y`; on a hatch it needs a `plate`, filled by that class."""
    under = ""
    if plate:
        wide = LETTER * len(text) + 4
        left = x - {"start": 2.0, "middle": wide / 2, "end": wide - 2}[anchor]
        under = rect(left, y - 8, wide, 16, plate)
    weight = ' font-weight="650"' if bold else ""
    return (
        f'{under}<text x="{_n(x)}" y="{_n(y + 4)}" text-anchor="{anchor}" style="fill:{colour}"'
        f"{weight}>{escape(text)}</text>"
    )


def path(data: str, style: str) -> str:
    """A path with the fill and the line of a class."""
    return f'<path d="{data}" class="{style}"/>'


def _n(number: float) -> str:
    """A coordinate to a tenth of a pixel."""
    return f"{number:.1f}".removesuffix(".0")


_STROKES = {
    "/": '<path d="M-2 2l4-4M0 8l8-8M6 10l4-4"/>',
    "\\": '<path d="M-2 6l4 4M0 0l8 8M6-2l4 4" stroke-width="2"/>',
    "x": '<path d="M0 0l8 8M0 8l8-8"/>',
    "-": '<path d="M0 2h8M0 6h8"/>',
    "|": '<path d="M2 0v8M6 0v8" stroke-width="1.5"/>',
    ".": '<circle cx="2" cy="2" r=".7"/><circle cx="6" cy="6" r=".7"/>',
}


def svg_patterns() -> str:
    """The patterns that all figures of a page share: one for each meaning that has a sign."""
    signs = {kind: meaning.sign.pattern for kind, meaning in MEANINGS.items()} | {"twice": "|"}
    patterns = "".join(
        f'<pattern id="p-{kind}" width="8" height="8" patternUnits="userSpaceOnUse">'
        f'<rect width="8" height="8" class="f-{kind}"/><g class="h-{kind}">{_STROKES[sign]}</g>'
        "</pattern>"
        for kind, sign in signs.items()
        if sign
    )
    return f'<svg class="patterns" width="0" height="0" aria-hidden="true">{patterns}</svg>'


def svg_css() -> str:
    """The rules of the figures: `m-` with the name of a meaning fills, edges and hatches.

    `f-` only fills: of bars a few pixels high, one would see nothing but their edges.
    """
    rules = []
    for kind in _PAINTED:
        hatched = kind == "twice" or MEANINGS[kind].sign.pattern
        fill = f"url(#p-{kind})" if hatched else f"var(--{kind})"
        rules.append(
            f".f-{kind} {{ fill: var(--{kind}); }}\n"
            f".h-{kind} {{ stroke: var(--{kind}-edge); fill: none; }}\n"
            f".m-{kind} {{ fill: {fill}; stroke: var(--{kind}-edge); }}\n"
            f".r-{kind} {{ fill: var(--{kind}); fill-opacity: .34; }}"
        )
    return "\n".join((*rules, _SVG_CSS))


def svg_variables(look: Look) -> str:
    """The colours of one look as CSS variables."""
    values = [f"--{name}: {getattr(look, name)};" for name in _NAMED]
    for kind in _PAINTED:
        fill, edge, label = look.paint("context" if kind == "twice" else kind)
        values.append(f"--{kind}-edge: {look.lost if kind == 'lost' else edge};")
        values.append(f"--{kind}: {fill or look.paper}; --{kind}-label: {label};")
    return f":root {{ {' '.join(values)} }}"


_SVG_CSS = """
.patterns { position: absolute; }
.figure svg { display: block; max-width: 100%; height: auto; }
.figure text { font-size: 12px; }
.plate { fill: var(--paper); }
.line { fill: none; stroke: var(--ink); stroke-width: 2; }
.thin { fill: none; stroke: var(--grid); }
.dots { fill: none; stroke: var(--ink); stroke-width: 1.5; stroke-dasharray: 2 2; }
.arrow { fill: none; stroke: var(--muted); stroke-width: 1.3; }
.tip { fill: var(--muted); }
.solid { fill: var(--ink); stroke: var(--ink); }
.failed { fill: var(--paper); stroke: var(--reserved-edge); stroke-width: 2; }"""
