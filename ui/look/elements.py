"""Small elements of a page in its style, charts in ink on paper, and the stylesheets.

Each element is safe with any text, as are labels made here.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime, tzinfo
from functools import cache
from mimetypes import guess_type
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.escape import level_html, sentence_html, words_html
from synth.html.markup import COLOURS, PALETTE, TEXT, Html, escape, tag
from synth.pictures.scene_writer import ROOM, STYLES
from synth.text.wording import counted, reveal, short

if TYPE_CHECKING:
    from pandas import DataFrame as Frame
else:
    Frame = Any  # pandas is slow to import, and plans are drawn before the first table

T = TypeVar("T")


def lead(says: Iterable[str] = ()) -> DeltaGenerator:
    """Draw the row below the menu: on each page it says first what the page has to say."""
    row = st.container(horizontal=True, vertical_alignment="center", key="lead")
    if says:
        row.html(sentence_html(says, "headline"), width="stretch")
    return row


def draw_columns(key: str, *shares: float) -> Sequence[DeltaGenerator]:
    """Draw columns with these shares of the width, one below the other on a narrow page."""
    with st.container(key=f"two_{key}"):
        return st.columns(shares, gap="medium")


def draw_menu(
    label: str,
    key: str,
    draw: Callable[[], None],
    icon: str,
    kind: Literal["secondary", "tertiary"] = "tertiary",
) -> None:
    """Draw a button with a menu, whose contents are drawn while it is open; it is in the session.

    With another name it stays open, though to Streamlit it is another one then.
    """
    st.session_state[key] = st.session_state.get(key, False)
    popover = st.popover(label, icon=f":material/{icon}:", type=kind, key=key, on_change="rerun")
    if popover.open:
        with popover, st.container(key=f"{key}_contents"):
            draw()


def dropdown(label: str, options: Sequence[T], key: str, **more: Any) -> T:
    """Draw a choice, of the first until another is made; it is in the session under `key`."""
    return _chosen(st.selectbox, label, options, key, more)


def button_row(label: str, options: Sequence[T], key: str, **more: Any) -> T:
    """Draw the same in a row of buttons, which show all options at once."""
    return _chosen(st.segmented_control, label, options, key, {"required": True, **more})


def _chosen(
    widget: Callable[..., Any],
    label: str,
    options: Sequence[T],
    key: str,
    more: Mapping[str, Any],
) -> T:
    if st.session_state.get(key) not in options:
        st.session_state[key] = options[0]
    usual = {"label_visibility": "collapsed", "persist_state": "session"}
    chosen: T = widget(label, options, key=key, **usual | dict(more))
    return chosen


def section(text: str) -> None:
    """Draw a small heading."""
    st.html(tag("div.section.num", text))


def small(text: str) -> None:
    """Draw a muted line."""
    st.html(tag("div.small.muted.num", words_html(text)))


def sentence(parts: Iterable[str]) -> None:
    """Draw the sentence of a view; its `Bold` parts are bold."""
    st.html(sentence_html(parts))


def box(head: str, text: str) -> DeltaGenerator:
    """Draw a box with a bold heading and a text; the container returned takes further elements."""
    return _boxed(tag("b", head), text)


def error_box(head: str, text: str) -> DeltaGenerator:
    """Draw a box about what failed or can't be done, with the sign and colour of errors."""
    return _boxed(level_html("error", head), text)


def _boxed(head: Html, text: str) -> DeltaGenerator:
    container = st.container(border=True, gap="xsmall")
    container.html(tag("div.num", head, " ", words_html(text), role="status"))
    return container


Figure = dict[str, Any]
"""A chart in Plotly's terms: `data` and `layout`.

Plotly's own objects would check each value, which takes five times as long as making the chart;
the tests do it instead. They would also bring a template that makes the browser draw twice.
"""


PAPER, PANEL, INK, MUTED, GRID, OUTLINE = (
    f"var(--{name})" for name in ("paper", "panel", "ink", "muted", "grid", "outline")
)


def image_css(name: str) -> str:
    """Read the stylesheet of an image, which sees no variable of the page's, and add those."""
    css = Path(__file__).with_name(f"{name}.css").read_text("utf-8").partition("*/\n")[2]
    used = sorted(set(re.findall(r"var\(--([\w-]+)\)", css)))
    colours = "".join("--{}:light-dark({},{});".format(name, *PALETTE[name]) for name in used)
    return f":root{{color-scheme:light dark;{colours}}}{css}"


_VARIABLE = re.compile(r"var\(--([\w-]+)\)")


def resolve_variables(figure: Any, dark: bool) -> Any:
    """Return a figure for Plotly, which reads no variables of CSS: its colours as #RRGGBB."""
    if isinstance(figure, dict):
        return {key: resolve_variables(value, dark) for key, value in figure.items()}
    if isinstance(figure, list | tuple):
        return [resolve_variables(value, dark) for value in figure]
    if isinstance(figure, str) and (variable := _VARIABLE.fullmatch(figure)):
        return PALETTE[variable[1]][dark]
    return figure


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
    family = '"Source Sans", "Source Sans 3", sans-serif'
    text = {"family": family, "size": 13, "color": INK}
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


def note(x: float, y: float, text: str, color: str = MUTED, **options: Any) -> dict[str, Any]:
    """Return a direct label as a Plotly annotation of 12 px."""
    font = {"size": 12, "color": color}
    return {"x": x, "y": y, "text": text, "showarrow": False, "font": font, **options}


@cache
def _stylesheet(*names: str) -> str:
    folder = Path(__file__).parent
    own = [(folder / f"{name}.css").read_text("utf-8") for name in names]
    return "\n".join((COLOURS, TEXT, *own, STYLES, ROOM))


def page_css() -> str:
    """Return the rules of the pages."""
    return _stylesheet("frame_and_widgets", "playground", "compare", "pages")


def report_css() -> str:
    """Return the rules of a report; on paper it is always light."""
    return _stylesheet("report")


def chart(figure: Figure, key: str, alt: str) -> None:
    """Draw a chart by Plotly in our own look; `alt` describes it for people who can't see it."""
    dark = st.context.theme.type == "dark"
    drawn = resolve_variables(figure, dark)
    config = {"displaylogo": False, "displayModeBar": False}
    st.plotly_chart(drawn, key=key, theme=None, width="stretch", alt=alt, config=config)


def stop_button(stop: Callable[[], None], **options: Any) -> None:
    """Draw the button that stops a run."""
    icon = ":material/stop:"
    st.button("Stop", icon=icon, on_click=stop, **{"key": "stop_button", **options})


def save_button(
    label: str, make: Callable[[], str | bytes], file_name: str, kind: str = "tertiary", **more: Any
) -> None:
    """Draw the button that saves a file, which is made when it is pressed."""
    options: dict[str, Any] = {"type": kind, "icon": ":material/download:", "on_click": "ignore"}
    options |= {"key": f"download {file_name}", "mime": guess_type(file_name)[0]} | more
    st.download_button(label, make, file_name, **options)


def zone() -> tzinfo:
    """Return the time zone of the browser; UTC if it names none that is known here."""
    try:
        return ZoneInfo(st.context.timezone or "UTC")
    except (ZoneInfoNotFoundError, ValueError):
        return UTC


def when(moment: datetime, local: tzinfo) -> str:
    """Return a time in this time zone, such as "20 Nov 2026, 14:12"."""
    there = moment.astimezone(local)
    return f"{there.day} {there:%b %Y, %H:%M}"


FIRST_WORDS = 200
"""Characters of a text in its row, of which the browser shows as many as there is room for."""
LONGEST_TEXT = 8_000
"""Characters of a text that an opened row shows; the inputs and the view Calls have whole texts."""

_NAMES = {"context": "chunk", "answer": "call"}


class Row(NamedTuple):
    """A text in a row: a piece of a chunk ("context"), or the answer of a call.

    `badge` is the number of the chunk or call, `detail` a word or two before the text, `note` the
    words at its end. A `muted` row is grey. `mark` is a class that other rules refer to.
    """

    kind: Literal["context", "answer"]
    badge: str
    text: str
    note: str = ""
    detail: str = ""
    muted: bool = False
    mark: str = ""


def rows_html(rows: Iterable[Row]) -> Html:
    """Return the rows one below the other, all of them closed."""
    return tag("div.rows.num", *map(_row_html, rows))


def _row_html(row: Row) -> Html:
    dim = "dim" if row.muted else ""
    classes = ".".join(filter(None, ("row", f"row-{row.kind}", dim, row.mark)))
    badge = tag("span.badge", tag("span.unseen", f"{_NAMES[row.kind]} "), row.badge)
    detail = tag("span.detail", row.detail) if row.detail else ""
    first = tag("span.first", short(row.text, FIRST_WORDS), dir="auto")
    head = tag("summary", badge, detail, first, tag("span.note", row.note))
    whole = [row.text[:LONGEST_TEXT]]
    if (left := len(row.text) - LONGEST_TEXT) > 0:
        whole += ["… ", tag("span.muted", counted(left, "more character"))]
    return tag(f"details.{classes}", head, tag("div.whole", *whole, dir="auto"))


_IS_A_LINK = re.compile(r"(?<=:)(?=//)|(?<=www)(?=\.)|(?<=@)", re.IGNORECASE)
_IS_A_MARK = re.compile(r"(?<=:)(?=[\w+-]+[:\[{/])")  # :red[x], :material/home:, :smile:
_OPENS_EMPHASIS = re.compile(r"(?<!\w)(?=_)")
_PUNCTUATION = re.compile(r"[!-/:-@\[-`{-~]")
_JOINER = "\u2060"


def plot_text(text: str, limit: int = 24) -> str:
    """Return the text as one short line for Plotly, which reads tags and formulas in its labels."""
    return str(escape(short(text, limit))).replace("$", "&#36;")


def label_text(text: str) -> str:
    """Write the text as one line of a widget's label, which is Markdown: it reads as it is.

    A backslash keeps its punctuation from being read. An invisible word joiner keeps an address
    from becoming a link by itself, and Streamlit from reading a colour, an icon or an emoji.
    """
    line = _unlinked(reveal(" ".join(text.split())))
    return _PUNCTUATION.sub(lambda found: f"\\{found[0]}", line)


def name_text(name: str) -> str:
    """Write the name of a variable in a widget's label, Markdown and its accessible name."""
    return _unlinked(_OPENS_EMPHASIS.sub(_JOINER, name))


def _unlinked(text: str) -> str:
    return _IS_A_MARK.sub(_JOINER, _IS_A_LINK.sub(_JOINER, text))
