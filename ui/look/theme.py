"""The stylesheets of pages and reports, and the look of Plotly's charts: ink on paper."""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from synth.html.markup import COLOURS, PALETTE, TEXT
from synth.pictures.page import ROOM, STYLES

Figure = dict[str, Any]
"""A chart in Plotly's terms: `data` and `layout`.

Plotly's own objects would check each value, which takes five times as long as making the chart;
the tests do it instead. They would also bring a template that makes the browser draw twice.
"""


FONT = '"Source Sans", "Source Sans 3", sans-serif'
CONFIG: Mapping[str, Any] = MappingProxyType({"displaylogo": False, "displayModeBar": False})
"""The `config` of `st.plotly_chart`."""


PAPER, PANEL, INK, MUTED, GRID, OUTLINE = (
    f"var(--{name})" for name in ("paper", "panel", "ink", "muted", "grid", "outline")
)


def mix(colour: str, share: float) -> str:
    """Return a colour of which `share`, from 0 to 1, is seen over what is below it."""
    return f"color-mix(in srgb, {colour} {100 * share:g}%, transparent)"


def image_css(name: str) -> str:
    """Read the stylesheet of an image, which sees no variable of the page's, and add those."""
    css = Path(__file__).with_name(f"{name}.css").read_text("utf-8").partition("*/\n")[2]
    used = sorted(set(re.findall(r"var\(--([\w-]+)\)", css)))
    colours = "".join("--{}:light-dark({},{});".format(name, *PALETTE[name]) for name in used)
    return f":root{{color-scheme:light dark;{colours}}}{css}"


_VARIABLE = re.compile(r"(?:color-mix\(in srgb, )?var\(--([\w-]+)\)(?: ([\d.]+)%, transparent\))?")


def resolve_variables(figure: Any, dark: bool) -> Any:
    """Return a figure for Plotly, which reads no variables: its colours as #RRGGBB or #RRGGBBAA."""
    if isinstance(figure, dict):
        return {
            key: _hex(value, dark) if key.endswith("color") else resolve_variables(value, dark)
            for key, value in figure.items()
        }
    if isinstance(figure, list | tuple):
        return [resolve_variables(value, dark) for value in figure]
    return figure


def _hex(colour: Any, dark: bool) -> Any:
    if not isinstance(colour, str):
        return [_hex(each, dark) for each in colour]
    if (found := _VARIABLE.fullmatch(colour)) is None:
        return colour
    name, percent = found.groups()
    alpha = f"{round(2.55 * float(percent)):02X}" if percent else ""
    return PALETTE[name][dark] + alpha


def base_figure(
    height: int,
    margin: tuple[int, int, int, int],
    traces: Sequence[Mapping[str, Any]] = (),
    **layout: Any,
) -> Figure:
    """Make a figure in our look: direct labels, no legend, a grid only if an axis asks for it.

    `height` and `margin` (left, right, top, bottom) are in pixels. Annotations and shapes
    come in `layout`, all at once: adding them to a figure one by one takes quadratic time.
    """
    text = {"family": FONT, "size": 13, "color": INK}
    hover = {"bgcolor": PANEL, "bordercolor": MUTED, "font": text, "align": "left"}
    defaults = {
        "height": height,
        "margin": dict(zip("lrtb", margin, strict=True)),
        "paper_bgcolor": "#0000",  # the page, which follows the theme at once
        "plot_bgcolor": "#0000",
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
        defaults[name] = _axis(layout.pop(name, {}))
    return {"data": list(traces), "layout": defaults | layout}


def _axis(options: Mapping[str, Any]) -> dict[str, Any]:
    small = {"size": 12, "color": MUTED}
    axis = {
        "showgrid": False,
        "gridcolor": GRID,
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


def note(x: float, y: float, text: str, **options: Any) -> dict[str, Any]:
    """Return a direct label as a Plotly annotation: muted and 12 px unless `options` differ."""
    font = {"size": options.pop("size", 12), "color": options.pop("color", MUTED)}
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font, **options}


@cache
def _stylesheet(*names: str) -> str:
    folder = Path(__file__).parent
    own = [(folder / f"{name}.css").read_text("utf-8") for name in names]
    return "\n".join((COLOURS, TEXT, *own, STYLES, ROOM))


def page_css() -> str:
    """Return the rules of the pages."""
    return _stylesheet("frame", "playground", "compare", "pages")


def report_css() -> str:
    """Return the rules of a report; on paper it is always light."""
    return _stylesheet("report")
