"""The stylesheet of a report: light, dark, and on paper, where everything that folds is open."""

from __future__ import annotations

from ui.look.picture_css import picture_css
from ui.look.stylesheet import text_css
from ui.look.theme import DARK, LIGHT, Look
from ui.report.colours import COLOURS, variables


def report_css() -> str:
    """The whole stylesheet; paper is always light."""
    dark = f"@media screen and (prefers-color-scheme: dark) {{\n{_colours(DARK)}\n}}"
    return "\n".join((_colours(LIGHT), dark, picture_css(COLOURS), _PAGE, _FIGURES, _PRINT))


def _colours(look: Look) -> str:
    return f"{variables(look)}\n{text_css(look)}"


_PAGE = """
:root { color-scheme: light dark; }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 15px/1.5 "Source Sans 3", "Source Sans", "Segoe UI", system-ui, sans-serif; }
main { max-width: 1112px; margin: 0 auto; padding: 26px 24px 40px; }
h1 { font-size: 27px; line-height: 1.25; font-weight: 650; margin: 2px 0 8px;
  overflow-wrap: anywhere; white-space: pre-wrap; }
h2 { font-size: 13px; font-weight: 650; color: var(--muted); margin: 30px 0 8px; }
h3 { font-size: 16px; font-weight: 650; margin: 0 0 4px; overflow-wrap: anywhere; }
.tags { margin-top: 10px; }
.two { display: grid; grid-template-columns: minmax(0, 1fr) minmax(0, 1fr); gap: 0 40px; }
.runs { display: grid; gap: 26px 32px;
  grid-template-columns: repeat(auto-fit, minmax(min(430px, 100%), 1fr)); }
.runs > div { min-width: 0; }
.note { font-size: 14px; margin: 6px 0; }
.box { border: 1px solid var(--outline); border-radius: 6px; padding: 9px 14px; margin: 12px 0; }
.finding { margin: 0 0 7px; }
.finding .lede { font-size: 15px; }
dl { display: grid; gap: 0 24px; margin: 0; font-size: 14px;
  grid-template-columns: repeat(auto-fill, minmax(min(230px, 100%), 1fr)); }
dl > div { display: flex; gap: 10px; padding: 4px 0; border-bottom: 1px solid var(--grid); }
dt { flex: 0 0 100px; color: var(--muted); }
dd { margin: 0; min-width: 0; overflow-wrap: anywhere; white-space: pre-wrap; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: start; font-weight: 400; padding: 4px 14px 4px 0; vertical-align: top;
  border-bottom: 1px solid var(--grid); overflow-wrap: anywhere; white-space: pre-wrap; }
th { color: var(--muted); }
thead th { font-weight: 650; color: var(--ink); }
.scroll { overflow-x: auto; }
.scroll th, .scroll td { min-width: 92px; overflow-wrap: break-word; }
main > details, .calls > details { border-top: 1px solid var(--grid); }
main > details:last-of-type, .calls > details:last-child { border-bottom: 1px solid var(--grid); }
summary.head { padding: 8px 0; cursor: pointer; font-weight: 650; overflow-wrap: anywhere; }
summary.head span { font-weight: 400; color: var(--muted); }
summary:focus-visible, .scroll:focus-visible { outline: 2px solid var(--ink); }
.inside { padding: 2px 0 16px; }
.inside > .prompt { background: var(--panel); border-radius: 6px; padding: 10px 14px;
  margin: 6px 0 12px; }
.prompt.tagged { padding: 0; }
.prompt .source { font-size: 11px; font-weight: 600; margin: 0 3px; padding: 0 4px;
  border: 1px solid var(--context-edge); border-radius: 3px; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
footer { margin-top: 26px; font-size: 12.5px; color: var(--muted); }
@media (max-width: 900px) { .two { grid-template-columns: minmax(0, 1fr); } }
@media (max-width: 500px) { main { padding: 16px 14px 30px; } h1 { font-size: 22px; } }"""

_FIGURES = """
.figure { margin: 4px 0 8px; }
.figure.middle, .figure.narrow { display: none; }
@media (max-width: 1111px) {
  .figure.wide, .figure.narrow { display: none; } .figure.middle { display: block; } }
@media (max-width: 700px) {
  .figure.middle { display: none; } .figure.narrow { display: block; } }
@media (min-width: 560.1px) { .runs .figure.narrow { display: none; } }
@media (max-width: 560px) { .figure.half { display: none; } }"""

_PRINT = """
@page { margin: 12mm; }
@media print {
  body { print-color-adjust: exact; font-size: 12.5px; }
  main { max-width: none; padding: 0; }
  details::details-content { content-visibility: visible; display: block; }
  .figure.wide, .figure.narrow { display: none; }
  .figure.middle { display: block; }
  .figure, tr, h1, h2, h3, summary { break-inside: avoid; }
  h1, h2, h3, summary { break-after: avoid; }
  summary.head { list-style: none; }
  dfn { text-decoration: none; }
  .scroll { overflow: visible; }
}"""
