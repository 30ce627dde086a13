"""One palette and one Plotly look, light and dark.

Colour belongs to data: everything else is ink on paper. Each meaning (template, query, chunks
…) has one fill, one edge and one label colour wherever it appears. The contrast of the edge
with the paper is at least 3:1, that of the label with the fill at least 4.5:1. A pattern tells
similar colours apart.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, NamedTuple

from synth.span_kinds import VALUES, SpanKind

Figure = dict[str, Any]
"""A figure in Plotly's terms: `data` and `layout`. Charts are drawn by Plotly, pictures by us.

Plotly's own objects would check each value, which takes longer than making the figure and its
plan; the tests do it instead. They would also bring a template that makes the browser draw
twice.
"""


class Sign(NamedTuple):
    """The signs of a meaning beside its colour: a Plotly pattern, and an underline."""

    pattern: str = ""
    underline: str = ""


class Meaning(NamedTuple):
    """A meaning: its label, a short label for a narrow place, and its sign beside colour."""

    label: str
    short: str
    sign: Sign = Sign()


class Paint(NamedTuple):
    """The colours of one meaning; with an empty fill only the outline is drawn."""

    fill: str
    edge: str
    label: str


_LIKE_A_VARIABLE = Sign(".", "2px dotted")
_SIGNS = {
    SpanKind.TEMPLATE: Sign(),
    SpanKind.QUERY: Sign(underline="3px solid"),
    SpanKind.CONTEXT: Sign(underline="2px solid"),
    SpanKind.ANSWER: Sign("/", "2px dashed"),
}
MEANINGS: Mapping[str, Meaning] = MappingProxyType(
    {
        kind: Meaning(kind.label, kind.short, _SIGNS.get(kind, _LIKE_A_VARIABLE))
        for kind in (SpanKind.TEMPLATE, *VALUES)
    }
    | {
        "reserved": Meaning("room for the answer", "room", Sign("x")),
        "padding": Meaning("safety margin", "margin", Sign("-")),
        "free": Meaning("free", "free"),
        "lost": Meaning("cut off", "cut off", Sign("\\")),
    }
)
"""Every meaning in the order of the budget bar; `lost` text is in no bar."""

SEGMENTS = tuple(meaning for meaning in MEANINGS if meaning != "lost")
"""The meanings that add up to a call's window."""

FONT = '"Source Sans", "Source Sans 3", sans-serif'
CONFIG: Mapping[str, Any] = MappingProxyType({"displaylogo": False, "displayModeBar": False})
"""The `config` of `st.plotly_chart`."""


@dataclass(frozen=True)
class Look:
    """The colours of one theme, as #RRGGBB."""

    dark: bool
    paper: str
    panel: str
    ink: str
    muted: str
    grid: str
    outline: str
    lost: str
    paints: Mapping[str, Paint]

    def paint(self, meaning: str) -> Paint:
        """The colours of a meaning; padding, free and lost text have no fill."""
        if meaning not in self.paints and meaning in VALUES:
            return self.paints[SpanKind.VARIABLE]
        return self.paints.get(meaning) or Paint("", self.outline, self.muted)


LIGHT = Look(
    dark=False,
    paper="#FFFFFF",
    panel="#F7F7F5",
    ink="#1A1D21",
    muted="#5B6270",
    grid="#E3E4E6",
    outline="#858C98",
    lost="#3A3F47",
    paints=MappingProxyType(
        {
            "template": Paint("#D3D7DD", "#6B7280", "#1A1D21"),
            "query": Paint("#0072B2", "#004E7C", "#FFFFFF"),
            "variable": Paint("#CC79A7", "#96456F", "#1A1D21"),
            "context": Paint("#45B892", "#00694D", "#1A1D21"),
            "answer": Paint("#F2B84B", "#8F6200", "#1A1D21"),
            "reserved": Paint("#F3D2BE", "#B54F00", "#1A1D21"),
        }
    ),
)

DARK = Look(
    dark=True,
    paper="#101215",
    panel="#181B20",
    ink="#E8EAED",
    muted="#A0A7B2",
    grid="#2B3038",
    outline="#717986",
    lost="#717986",
    paints=MappingProxyType(
        {
            "template": Paint("#59616E", "#8B93A1", "#FFFFFF"),
            "query": Paint("#1F86C9", "#7CC4F2", "#0B0D10"),
            "variable": Paint("#DE9CC1", "#E9AECB", "#0B0D10"),
            "context": Paint("#1FA37C", "#63D3AE", "#0B0D10"),
            "answer": Paint("#E0A02E", "#F6CF85", "#0B0D10"),
            "reserved": Paint("#4E2C18", "#F0864A", "#E8EAED"),
        }
    ),
)


def look(dark: bool) -> Look:
    """The colours for a dark or a light page."""
    return DARK if dark else LIGHT


def rgba(colour: str, alpha: float) -> str:
    """A colour, as #RRGGBB or as a CSS variable, at an opacity of 0 to 1."""
    if not colour.startswith("#"):
        return f"color-mix(in srgb, {colour} {100 * alpha:g}%, transparent)"
    red, green, blue = (int(colour[start : start + 2], 16) for start in (1, 3, 5))
    return f"rgba({red},{green},{blue},{alpha})"


def marker(look: Look, meaning: str, line: float = 1, pattern: bool = True) -> dict[str, Any]:
    """The marker of a meaning, its outline `line` pixels wide."""
    fill, edge, _ = look.paint(meaning)
    if meaning == "lost":
        edge = look.lost
    style: dict[str, Any] = {"color": fill or rgba(look.paper, 0)}
    style["line"] = {"color": edge, "width": line}
    if pattern and MEANINGS[meaning].sign.pattern:
        style["pattern"] = _pattern(meaning, fill or look.paper, edge)
    return style


def _pattern(meaning: str, fill: str, edge: str) -> dict[str, Any]:
    heavy = meaning == "lost"
    return {
        "shape": MEANINGS[meaning].sign.pattern,
        "bgcolor": fill,
        "fgcolor": edge,
        "fgopacity": 1 if heavy else 0.75,
        "size": {"lost": 6, "reserved": 9}.get(meaning, 7),
        "solidity": 0.45 if heavy else 0.14,
    }


def base_figure(
    look: Look,
    height: int,
    margin: tuple[int, int, int, int],
    traces: Sequence[Mapping[str, Any]] = (),
    **layout: Any,
) -> Figure:
    """A figure in our look: direct labels, no legend, and a grid only if an axis asks for it.

    `height` and `margin` (left, right, top, bottom) are in pixels. Annotations and shapes
    come in `layout`, all at once: adding them to a figure one by one takes quadratic time.
    """
    text = {"family": FONT, "size": 13, "color": look.ink}
    hover = {"bgcolor": look.panel, "bordercolor": look.muted, "font": text, "align": "left"}
    defaults = {
        "height": height,
        "margin": dict(zip("lrtb", margin, strict=True)),
        "paper_bgcolor": look.paper,
        "plot_bgcolor": look.paper,
        "showlegend": False,
        "font": text,
        "separators": ".,",
        "hoverlabel": hover,
        "hovermode": "closest",
        "dragmode": False,
        # Streamlit hands each figure to Plotly twice; the equal revision says that it is the same.
        "datarevision": 0,
    }
    for name in ("xaxis", "yaxis"):
        defaults[name] = _axis(look, layout.pop(name, {}))
    return {"data": list(traces), "layout": defaults | layout}


def _axis(look: Look, options: Mapping[str, Any]) -> dict[str, Any]:
    small = {"size": 12, "color": look.muted}
    axis = {
        "showgrid": False,
        "gridcolor": look.grid,
        "zeroline": False,
        "showline": False,
        "ticks": "",
        "automargin": False,
        "fixedrange": True,
        "tickfont": small,
        "ticklabelstandoff": 6,
    }
    title = {"font": small, "standoff": 6, **options.get("title", {})}
    return {**axis, **options, "title": title}


def note(look: Look, x: float, y: float, text: str, **options: Any) -> dict[str, Any]:
    """A direct label as a Plotly annotation: muted and 12 px unless `options` differ."""
    font = {"size": options.pop("size", 12), "color": options.pop("color", look.muted)}
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font, **options}
