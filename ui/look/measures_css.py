"""Styles of the measures of an answer: rows that open, and what stands in no chunk."""

from __future__ import annotations

from ui.look.theme import Look


def measures_css(look: Look) -> str:
    """The rules of measures in these colours."""
    return f"""
.answer-measures details {{ border-bottom: 1px solid {look.grid}; font-size: 13.5px; }}
.answer-measures summary {{ display: flex; flex-wrap: wrap; gap: 0 12px; padding: 6px 0;
  align-items: baseline; cursor: pointer; list-style: none; }}
.answer-measures summary::-webkit-details-marker {{ display: none; }}
.answer-measures summary:focus-visible {{ outline: 2px solid {look.ink}; outline-offset: 1px; }}
.answer-measures span {{ flex: 0 0 150px; color: {look.muted}; }}
.answer-measures b {{ flex: 1 1 200px; min-width: 0; font-weight: 600; overflow-wrap: anywhere; }}
.answer-measures i {{ flex: none; font-style: normal; font-size: 12.5px; color: {look.muted};
  text-decoration: underline dotted; text-underline-offset: 3px; }}
.answer-measures p {{ margin: 0; padding: 0 0 8px; max-width: 72ch; font-size: 13px;
  line-height: 1.5; color: {look.muted}; }}
.prompt .unfounded {{ text-decoration: underline wavy {look.ink} 1px;
  text-underline-offset: 4px; }}"""
