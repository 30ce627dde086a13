"""The rules of Runs: the filters, the frame of a run, tables of two runs."""

from __future__ import annotations

from ui.look.theme import Look


def runs_css(look: Look) -> str:
    """The rules of the page Runs."""
    return f"""
.run-title {{ font-size: 15.5px; font-weight: 650; line-height: 1.35; overflow-wrap: anywhere; }}
.st-key-run_detail .lede {{ font-size: 14px; }}
.st-key-run_detail .pane {{ max-height: 190px; }}
.run-facts {{ display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px 14px; margin: 0;
  padding: 0 !important; font-size: 13px; }}
.run-facts dt {{ color: {look.muted}; font-weight: 400; }}
.run-facts dd {{ margin: 0; overflow-wrap: anywhere; white-space: pre-wrap; }}
.section .total {{ font-weight: 400; padding-left: 4px; }}
.beside {{ width: 100%; border-collapse: collapse; font-size: 13px; }}
.beside th, .beside td {{ text-align: left; font-weight: 400; padding: 4px 14px 4px 0;
  border-bottom: 1px solid {look.grid}; overflow-wrap: anywhere; vertical-align: top; }}
.beside thead th {{ font-weight: 650; color: {look.muted}; }}
.beside tbody th {{ color: {look.muted}; }}
.beside tbody td:nth-child(3) {{ font-weight: 650; }}
.beside.numbers :is(td, thead th):not(:first-child) {{ text-align: right; padding-right: 8px; }}
@media (max-width: 1000px) {{
  .st-key-two_runs :is([data-testid=stElementContainer]:has([data-testid=stDataFrame]),
    [data-testid=stFullScreenFrame], [data-testid=stDataFrame], [data-testid=stDataFrame] > div) {{
    max-height: 300px !important; }}
}}
@media (max-width: 640px) {{
  .st-key-runs_charts [data-testid=stColumn] {{ min-width: 100% !important; }}
}}"""
