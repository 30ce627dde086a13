"""The stylesheets of pages and reports: those that they share, and the files beside this module."""

from functools import cache
from pathlib import Path

from synth.html.styles import COLOURS, TEXT
from synth.pictures.shapes import STYLES


@cache
def stylesheet(*names: str) -> str:
    """The shared rules and those of these files, without their `<style>` tag."""
    folder = Path(__file__).parent
    own = [(folder / f"{name}.css").read_text("utf-8") for name in names]
    return "\n".join((COLOURS, TEXT, *own, STYLES))


def page_css() -> str:
    """The rules of the pages."""
    return stylesheet("frame", "playground", "compare", "pages")


def report_css() -> str:
    """The rules of a report; on paper it is always light."""
    return stylesheet("report")
