"""Styles of facts: a fact in its text, and the strip of chunks with the cut."""

from __future__ import annotations

from ui.look.theme import Look


def facts_css(look: Look) -> str:
    """The rules of facts in these colours."""
    fill, edge, label = look.paint("context")
    hatch = f"repeating-linear-gradient(45deg, {look.lost} 0 2px, {look.paper} 2px 6px)"
    return f"""
.prompt .fact {{ font-weight: 700; color: {look.ink}; border-bottom: 2px solid {look.ink}; }}
.chunk-strip {{ display: flex; position: relative; height: 24px; margin: 16px 0 8px; }}
.chunk-strip div {{ display: flex; flex-basis: 0; min-width: 0; position: relative;
  outline: 1px solid {edge}; }}
.chunk-strip i {{ flex-basis: 0; min-width: 0; }}
.chunk-strip .whole {{ background: {fill}; }}
.chunk-strip .cut {{ background: {hatch}; }}
.chunk-strip span {{ position: absolute; inset: 3px 0 auto; text-align: center; font-size: 12px;
  color: {label}; }}
.chunk-strip div:has(.cut) span {{ width: max-content; margin: 0 auto; padding: 0 3px;
  background: {look.paper}; color: {look.ink}; }}
.chunk-strip > b {{ position: absolute; top: -19px; transform: translateX(-50%);
  font-size: 12px; color: {look.ink}; }}
.changes {{ width: 100%; border-collapse: collapse; font-size: 13px; }}
.changes th {{ font-weight: 400; color: {look.muted}; }}
.changes th, .changes td {{ text-align: left; padding: 4px 10px 4px 0;
  border-bottom: 1px solid {look.grid}; }}
.changes .n {{ text-align: right; }}
.st-key-two_fact {{ container-type: inline-size; }}
@container (max-width: 900px) {{
  :is(.st-key-two_fact, .st-key-two_fact > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] {{ flex-direction: column; }}
  :is(.st-key-two_fact, .st-key-two_fact > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] > [data-testid=stColumn] {{
    width: 100% !important; flex: 1 1 auto !important; }}
}}"""
