"""The rules of Compare: columns that wrap by their own width, measures as bars, answers."""

from __future__ import annotations

from ui.look.theme import Look, rgba


def compare_css(look: Look) -> str:
    """The rules of the pages Compare and What if.

    The columns follow the width of the page beside the sidebar, not of the window: two on a
    line below 900 px, one below 560 px.
    """
    fill, edge, _ = look.paint("template")
    return f"""
.headline {{ font-size: 14px; line-height: 1.35; color: {look.muted}; text-wrap: pretty; }}
.headline b {{ font-size: 16.5px; font-weight: 650; color: {look.ink}; }}
.measures {{ display: grid; grid-template-columns: auto minmax(40px, 1fr) minmax(0, var(--letters));
  gap: 3px 12px; align-items: center; font-size: 12.5px; line-height: 1.5; }}
.measures > :nth-child(3n + 1) {{ color: {look.muted}; }}
.measures > :nth-child(3n) {{ text-align: right; }}
.measures .number {{ font-weight: 650; }}
.scale {{ display: block; border-left: 1px solid {look.outline}; }}
.scale .bar {{ display: block; height: 10px; border: 1px solid {edge}; border-left: 0; }}
.scale .bar:not(.k-lost) {{ background: {fill}; }}
.scale .bar.estimate {{ border: 1px dashed {look.ink}; border-left: 0; }}
.scale .bar.estimate:not(.k-lost) {{ background: {rgba(fill, 0.35)}; }}
.changes {{ display: flex; flex-wrap: wrap; gap: 6px; margin: 0;
  padding: 0 !important; font-size: 12.5px; }}
.st-key-what_if > :has([data-testid=stSlider]) {{ min-width: 240px; }}
.changes > div {{ border: 1px solid {look.grid}; border-radius: 6px; padding: 2px 10px; }}
.changes dt {{ color: {look.muted}; font-weight: 400; }}
.changes dd {{ margin: 0; font-weight: 650; }}
.st-key-compared, .st-key-answers {{ container-type: inline-size; }}
@media (min-width: 1200px) {{
  .st-key-compare_inputs {{ flex-wrap: nowrap !important; }}
  .st-key-compare_inputs > :first-child {{ flex: 1 1 0; min-width: 0; }} }}
@container (max-width: 900px) {{ {_columns("compared", 2)} {_columns("answers", 2)} }}
@container (max-width: 560px) {{ {_columns("answers", 1)} }}
@container (max-width: 440px) {{ {_columns("compared", 1)} }}"""


def _columns(key: str, count: int) -> str:
    """The rules that put so many columns of a container on a line."""
    block = f".st-key-{key} [data-testid=stHorizontalBlock]"
    return f"""
  {block}:has(> [data-testid=stColumn]) {{ display: grid;
    grid-template-columns: repeat({count}, minmax(0, 1fr)); }}
  {block} > [data-testid=stColumn] {{ width: auto !important; min-width: 0 !important; }}"""
