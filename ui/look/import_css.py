"""The rules of the page Import: what was read, both prompts of a difference, bars of modes."""

from __future__ import annotations

from ui.look.theme import Look


def import_css(look: Look) -> str:
    """The rules of the page that opens a trace."""
    return f"""
.what-was-read {{ display: grid; grid-template-columns: auto minmax(0, 1fr); gap: 3px 14px;
  margin: 0; padding: 0 !important; font-size: 13px; line-height: 1.45; }}
.what-was-read dt {{ color: {look.muted}; font-weight: 400; }}
.what-was-read dd {{ margin: 0; overflow-wrap: anywhere; }}
.compared {{ border: 1px solid {look.grid}; border-radius: 8px; padding: 8px 10px !important;
  font-size: 13px; color: {look.muted}; }}
.compared ins {{ color: {look.ink}; }}
.same-input {{ display: grid; gap: 4px 16px; align-items: center; font-size: 13px;
  grid-template-columns: auto repeat(3, minmax(0, 1fr)); }}
.same-input > :nth-child(4n + 1) {{ overflow-wrap: anywhere; }}
.same-input .wide {{ grid-column: span 3; }}
.same-input .cell {{ display: grid; grid-template-columns: minmax(0, 1fr) 6ch; gap: 8px;
  align-items: center; }}
.same-input .cell > b {{ font-weight: 650; }}
.same-input .recorded:not(.k-lost) {{ background: {look.ink}; }}
@media (max-width: 700px) {{ .same-input {{ gap: 4px 10px; font-size: 12px; }}
  .same-input .cell {{ grid-template-columns: minmax(0, 1fr); gap: 0; }} }}"""
