"""Reports of a run and of a comparison, to keep or to hand on: pure functions, without Streamlit.

A report is one HTML file that needs nothing from elsewhere, a summary in Markdown, or a table of
calls. It holds only what is named here, one by one: no key and no address can be in it, nor what
a server said when it failed, since servers like to repeat either.
"""

from ui.report.compared import Compared
from ui.report.comparison_page import comparison_html
from ui.report.markdown import comparison_markdown, run_markdown
from ui.report.reported import ReportedRun
from ui.report.run_page import run_html
from ui.report.tables import as_csv, calls_table, compared_calls

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
