"""The styles of the lessons: on their page, and on the sheets that are printed of them."""

from __future__ import annotations

from ui.look.theme import Look, rgba


def learn_css(look: Look) -> str:
    """The styles that only lessons have."""
    return "\n".join(part(look) for part in (_words, _picture, _sums, _widgets))


def _words(look: Look) -> str:
    return f"""
.lesson h1 {{ font-size: 1.25rem; font-weight: 700; line-height: 1.2; padding: 0; margin: 0; }}
.lesson h2 {{ font-size: 16.5px; font-weight: 650; line-height: 1.35; padding: 0; margin: 0; }}
.lesson p {{ font-size: 14.5px; line-height: 1.6; margin: 0; max-width: 66ch; }}
.lesson p + p {{ margin-top: .6em; }}
.lesson.title {{ display: flex; flex-wrap: wrap; align-items: baseline; gap: 0 10px; }}
.lesson.aim {{ margin-bottom: 10px; }}
.lesson.aim p {{ border-left: 3px solid {look.ink}; padding-left: 12px; }}
.given {{ border: 1px solid {look.grid}; border-radius: 6px; padding: 7px 10px 9px;
  margin-bottom: 6px; break-inside: avoid; }}
.given .head {{ display: flex; gap: 8px; font-weight: 600; font-size: 12.5px; }}
.given .head :last-child {{ margin-left: auto; font-weight: 400; color: {look.muted}; }}
.given p {{ font-size: 14.5px; line-height: 1.5; margin: 2px 0 0; overflow-wrap: anywhere; }}
.given .number {{ min-width: 20px; padding: 0 5px; border: 1px solid; border-radius: 3px;
  text-align: center; }}
{_numbers(look)}"""


def _numbers(look: Look) -> str:
    """The plates with the number of a chunk or the sign of the question, in their colours."""
    return "\n".join(
        f".given .n-{kind} {{ background: {look.paint(kind).fill};"
        f" border-color: {look.paint(kind).edge}; color: {look.paint(kind).label}; }}"
        for kind in ("query", "context")
    )


def _picture(look: Look) -> str:
    context, reserved = look.paint("context"), look.paint("reserved")
    line = rgba(reserved.edge, 0.6)
    hatch = ", ".join(
        f"repeating-linear-gradient({angle}deg, {line} 0 1px, transparent 1px 9px)"
        for angle in (45, 135)
    )
    return f"""
.prediction {{ display: grid; grid-template-columns: minmax(62px, max-content) 1fr; gap: 6px 10px;
  align-items: center; font-size: 13px; print-color-adjust: exact; }}
.prediction .what {{ text-align: right; line-height: 1.3; }}
.prediction .what small {{ display: block; font-size: 12px; color: {look.muted}; }}
.prediction .tokens {{ position: relative; display: flex; height: 40px; }}
.prediction .tokens > i {{ box-sizing: border-box; min-width: 1px; border: 1px solid {look.outline};
  container-type: inline-size; display: flex; flex-direction: column; justify-content: center;
  align-items: center; font-style: normal; line-height: 1.2; overflow: hidden; }}
.prediction .tokens > i + i {{ border-left-width: 0; }}
.prediction .tokens b, .prediction .tokens small {{ display: none; }}
.prediction .tokens .k-context {{ border-color: {context.edge}; color: {context.label}; }}
.prediction .tokens .k-context b {{ font-weight: 650; font-size: 12px; }}
.prediction .tokens small {{ font-size: 12px; }}
@container (min-width: 15px) {{ .prediction .tokens b {{ display: block; }} }}
@container (min-width: 30px) {{ .prediction .tokens small {{ display: block; }} }}
.prediction .tokens .k-room {{ border: 1.5px dashed {look.ink} !important; color: {look.ink}; }}
.prediction .tokens .k-reserved {{ background: {hatch}, {reserved.fill}; }}
.prediction .tokens u {{ position: absolute; top: -7px; bottom: -3px; width: 2px;
  margin-left: -1px; background: {look.ink}; }}
.prediction .window {{ min-width: max-content; text-align: right; font-weight: 650;
  font-size: 12.5px; margin: 4px 0 2px; }}
.prediction .key {{ margin-bottom: 6px; }}
.prediction .key b {{ color: {look.ink}; }}
.prediction .key .k-room {{ border: 1.5px dashed {look.ink}; }}
.prediction.low .tokens:not(:has(.k-context)) {{ height: 20px; }}"""


def _sums(look: Look) -> str:
    return f"""
table.sums {{ border-collapse: collapse; width: 100%; max-width: 560px; font-size: 14.5px;
  font-variant-numeric: tabular-nums; }}
table.sums td, table.sums th {{ border: 0; padding: 3px 8px 3px 0; font-weight: 400;
  text-align: left; vertical-align: baseline; }}
table.sums .sign {{ width: 18px; color: {look.muted}; }}
table.sums .reason {{ font-size: 12.5px; color: {look.muted}; }}
table.sums td.amount {{ text-align: right; white-space: nowrap; font-weight: 600;
  padding-right: 2px; }}
table.sums tr.result > * {{ border-top: 1.5px solid {look.ink}; font-weight: 650; }}
table.sums tr.result:only-child > * {{ border-top: 0; }}
table.sums tbody + tbody tr:first-child > * {{ padding-top: 14px; }}"""


def _widgets(look: Look) -> str:
    """The list of lessons; the switch of stages, which looks like tabs; the lead's own wrapping."""
    stage = ".st-key-learn_stage"
    return f"""
.done-bar {{ height: 6px; background: {look.grid}; border-radius: 3px; overflow: hidden; }}
.done-bar i {{ display: block; height: 100%; background: {look.ink}; }}
@media (min-width: 700px) {{ .st-key-lead:has(.lesson) {{ flex-wrap: nowrap !important; }} }}
.st-key-lessons {{ margin-top: .2rem; }}
.st-key-lessons [data-testid=stBaseButton-tertiary] {{ padding: .2rem .6rem; min-height: 2rem;
  border: 1px solid transparent; }}
.st-key-lessons [data-testid=stBaseButton-tertiary] * {{ text-decoration: none !important; }}
.st-key-lessons [data-testid=stBaseButton-secondary] {{ padding: .2rem .6rem; min-height: 2rem; }}
{stage} {{ border-bottom: 1px solid {look.grid}; }}
{stage} button {{ border: 0 !important; border-radius: 0 !important; padding: 0 2px !important;
  margin-right: 20px; background: none !important; color: {look.muted} !important; }}
{stage} button[aria-checked=true] {{ box-shadow: 0 2px 0 {look.ink};
  color: {look.ink} !important; }}
{stage} button[aria-checked=true] p {{ font-weight: 650; }}
.st-key-lesson_texts .pane {{ max-height: 190px; }}
@media (max-width: 1000px) {{
  :is(.st-key-two_learn, .st-key-two_learn > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] {{ gap: 1rem; }}
}}"""
