"""Styles of the grid of Compare: tiles in ink, intervals as bars, and the outcomes of one run."""

from __future__ import annotations

from ui.look.theme import Look


def grid_css(look: Look) -> str:
    """The rules of the grid in these colours."""
    return f"""
/* What is unseen in a tile has its place in the grid, or it would widen the page instead. */
.grid {{ overflow-x: auto; position: relative; }}
.grid table {{ width: 100%; table-layout: fixed; border-collapse: collapse;
  font-size: 13px; }}
.grid :is(th, td) {{ padding: 6px 14px 6px 0; text-align: left; vertical-align: middle;
  font-weight: 400; }}
.grid thead th {{ font-weight: 650; overflow-wrap: break-word; }}
.grid thead th:first-child {{ font-weight: 400; }}
.grid tbody tr {{ border-bottom: 1px solid {look.grid}; }}
.grid thead th:first-child {{ width: 32%; }}
.grid th[scope=row] {{ line-height: 1.35; }}
.grid.dense :is(th, td) {{ padding-top: 3px; padding-bottom: 3px; }}
.grid.dense details:not([open]) summary {{ white-space: nowrap; overflow: hidden;
  text-overflow: ellipsis; }}
.grid tfoot th {{ font-weight: 650; vertical-align: top; }}
.grid tfoot .muted {{ font-weight: 400; font-size: 12.5px; }}
.grid ul {{ margin: 4px 0 4px 18px; padding: 0; color: {look.muted}; font-size: 12.5px; }}
.grid summary {{ cursor: pointer; }}
.tiles {{ display: flex; gap: 2px; }}
.tile {{ flex: 1 1 36px; min-width: 36px; max-width: 120px; height: 28px; line-height: 26px;
  text-align: center; border: 1px solid {look.outline}; border-radius: 2px; white-space: nowrap;
  font-size: 12.5px; color: {look.ink}; }}
button.tile {{ padding: 0; background: none; font-family: inherit; cursor: pointer; }}
.outcomes button {{ padding: 0; border: 0; background: none; font: inherit; color: {look.ink};
  text-decoration: underline; cursor: pointer; }}
.tile.all {{ background: {look.ink}; border-color: {look.ink}; color: {look.paper};
  font-weight: 650; }}
.tile.some {{ background: linear-gradient({look.grid} 0 0) no-repeat left / var(--share) 100%; }}
.tile.none {{ border: 1px dashed {look.muted}; color: {look.muted}; }}
.tile.blank {{ border-color: {look.grid}; color: {look.muted}; }}
.tile.open {{ outline: 2px solid {look.ink}; outline-offset: 1px; }}
@media (max-width: 560px) {{
  .grid thead th:first-child {{ width: 150px; }}
  .grid th:first-child {{ position: sticky; left: 0; background: {look.paper}; }}
}}
.verdict {{ font-size: 14px; line-height: 1.4; }}
.verdict .muted {{ font-size: 12.5px; }}
.grid-key .tile {{ display: inline-block; min-width: 18px; width: 18px; height: 11px;
  margin-right: 5px; vertical-align: -1px; }}
.rate {{ display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 8px;
  font-size: 12.5px; }}
.rate :is(b, span) {{ white-space: nowrap; }}
.whisker {{ position: relative; height: 14px; margin-top: 6px;
  background: linear-gradient({look.grid} 0 0) no-repeat center / 100% 1px; }}
.whisker i {{ position: absolute; top: 3px; height: 8px; border: solid {look.ink};
  border-width: 0 2px; background: linear-gradient({look.ink} 0 0) no-repeat center / 100% 2px; }}
.whisker b {{ position: absolute; top: 2px; width: 10px; height: 10px; margin-left: -5px;
  border-radius: 50%; background: {look.ink}; }}
.ends {{ display: flex; justify-content: space-between; font-size: 11.5px; }}
.outcomes {{ border-collapse: collapse; font-size: 13px; width: 100%; }}
.outcomes td {{ padding: 5px 14px 5px 0; border-bottom: 1px solid {look.grid};
  vertical-align: top; overflow-wrap: anywhere; }}
.outcomes .sign {{ width: 22px; font-weight: 650; }}
.outcomes td:nth-child(2) {{ white-space: nowrap; }}
.outcomes td:nth-child(3) {{ min-width: 8rem; }}
@media (max-width: 560px) {{
  /* The second column is as wide as the widest of its words, from "failed" to "unsupported". */
  .outcomes {{ display: grid; grid-template-columns: 22px max-content 1fr; column-gap: 8px; }}
  .outcomes tbody {{ display: contents; }}
  .outcomes tr {{ display: grid; grid-column: 1 / -1; grid-template-columns: subgrid;
    border-bottom: 1px solid {look.grid}; }}
  .outcomes td {{ border: 0; padding-right: 0; }}
  .outcomes td:nth-child(4) {{ grid-column: 2 / 4; padding-top: 0; }}
}}"""
