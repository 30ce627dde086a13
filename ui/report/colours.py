"""The colours of a report as CSS variables, so that one drawing serves light, dark and paper."""

from __future__ import annotations

from ui.look.theme import MEANINGS, Look, Paint

_NAMED = ("paper", "panel", "ink", "muted", "grid", "outline")

COLOURS = Look(
    dark=False,
    **{name: f"var(--{name})" for name in _NAMED},
    lost="var(--lost-edge)",
    paints={
        kind: Paint(f"var(--{kind})", f"var(--{kind}-edge)", f"var(--{kind}-label)")
        for kind in MEANINGS
    },
)
"""The look of all figures of a report."""


def variables(look: Look) -> str:
    """The rule that gives the variables the colours of a look."""
    values = [f"--{name}: {getattr(look, name)};" for name in _NAMED]
    for kind in MEANINGS:
        fill, edge, label = look.paint(kind)
        edge = look.lost if kind == "lost" else edge
        values.append(f"--{kind}: {fill or look.paper}; --{kind}-edge: {edge};")
        values.append(f"--{kind}-label: {label};")
    return f":root {{ {' '.join(values)} }}"
