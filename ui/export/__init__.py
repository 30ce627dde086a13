"""What leaves the app: files of a run, and code that makes it again."""

from ui.export.markdown import calls_table, compared_calls, comparison_markdown, run_markdown
from ui.export.report_pages import comparison_html, run_html
from ui.export.reported import Compared, ReportedRun
from ui.look.elements import as_csv

__all__ = [
    "Compared",
    "ReportedRun",
    "as_csv",
    "calls_table",
    "compared_calls",
    "comparison_html",
    "comparison_markdown",
    "run_html",
    "run_markdown",
]
