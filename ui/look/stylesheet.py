"""The stylesheets of pages and reports, which are files of CSS beside this module."""

from functools import cache
from pathlib import Path

from synth.pictures.shapes import STYLES


@cache
def stylesheet(*names: str) -> str:
    """The rules of these files, without their `<style>` tag."""
    folder = Path(__file__).parent
    return "\n".join((folder / f"{name}.css").read_text("utf-8") for name in names)


def page_css() -> str:
    """The rules of the pages."""
    return f"{stylesheet('colours', 'text', 'frame', 'playground', 'compare', 'pages')}\n{STYLES}"


def report_css() -> str:
    """The rules of a report; on paper it is always light."""
    return f"{stylesheet('colours', 'text', 'report')}\n{STYLES}"
