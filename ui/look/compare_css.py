"""The rules of Compare: columns that wrap by their own width, measures as bars, answers."""

from __future__ import annotations

from ui.look.theme import Look, rgba


def compare_css(look: Look) -> str:
    """The rules of the pages Compare and What if.

    The columns follow the width of the page beside the sidebar, not of the window: two on a
    line below 900 px, one below 560 px.
    """
    fill, edge, _ = look.paint("template")
    blocks = ", ".join(
        f".st-key-{key} [data-testid=stHorizontalBlock]" for key in ("compared", "answers")
    )
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
:is(.st-key-compared, .st-key-answers) {{ container-type: inline-size; }}
@container (max-width: 900px) {{
  :is({blocks}):has(> [data-testid=stColumn]) {{ display: grid; grid-template-columns: 1fr 1fr; }}
  :is({blocks}) > [data-testid=stColumn] {{ width: auto !important; min-width: 0 !important; }}
}}
@container (max-width: 560px) {{
  :is({blocks}):has(> [data-testid=stColumn]) {{ grid-template-columns: 1fr; }}
}}"""
