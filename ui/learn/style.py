"""The styles that only the Learn page has."""

from __future__ import annotations

from ui.look.theme import Look

WIDTH = 500
"""Pixels that a picture has at least: in a page 800 wide, beside the lessons."""


def css(look: Look) -> str:
    """The stylesheet, without its `<style>` tag."""
    return f"""
.lesson h1 {{ font-size: 1.7rem; font-weight: 700; line-height: 1.2; padding: 0;
  margin: 0 0 .5rem; }}
.lesson h2 {{ font-size: 16.5px; font-weight: 650; line-height: 1.35; padding: 0; margin: 0; }}
.lesson p {{ font-size: 14.5px; line-height: 1.6; margin: 0; max-width: 66ch; }}
.lesson p + p {{ margin-top: .6em; }}
.done-bar {{ height: 6px; background: {look.grid}; border-radius: 3px; overflow: hidden; }}
.done-bar i {{ display: block; height: 100%; background: {look.ink}; }}
table.sums {{ border-collapse: collapse; width: 100%; max-width: 560px; font-size: 14.5px;
  font-variant-numeric: tabular-nums; }}
table.sums td, table.sums th {{ border: 0; padding: 3px 8px 3px 0; font-weight: 400;
  text-align: left; vertical-align: baseline; }}
table.sums .sign {{ width: 18px; color: {look.muted}; }}
table.sums td.amount {{ text-align: right; white-space: nowrap; font-weight: 600;
  padding-right: 2px; }}
table.sums tr.result > * {{ border-top: 1.5px solid {look.ink}; font-weight: 650; }}
table.sums tbody + tbody tr:first-child > * {{ padding-top: 14px; }}
.st-key-lessons {{ margin-top: .2rem; }}
.st-key-lessons [data-testid=stBaseButton-tertiary] {{ padding: .2rem .6rem; min-height: 2rem;
  border: 1px solid transparent; }}
.st-key-lessons [data-testid=stBaseButton-tertiary] * {{ text-decoration: none !important; }}
.st-key-lessons [data-testid=stBaseButton-secondary] {{ padding: .2rem .6rem; min-height: 2rem; }}
.st-key-lesson_texts .pane {{ max-height: 190px; }}
.st-key-lesson_reading .pane {{ max-height: 560px; }}
@media (max-width: 1000px) {{
  :is(.st-key-two_learn, .st-key-two_learn > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] {{ gap: 1rem; }}
}}"""
