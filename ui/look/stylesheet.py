"""The stylesheet of the pages, for everything that Streamlit's theme can't set.

The keys of containers select its rules. If a key begins with `two`, the columns of its
container stack below 1,000 px; the container `run` is then a bar at the bottom. A figure
by Plotly that can't just shrink stands in a `wide_figure` and in a `narrow_figure`, one of which
shows.
"""

from __future__ import annotations

from ui.look.compare_css import compare_css
from ui.look.export_css import export_css
from ui.look.facts_css import facts_css
from ui.look.grid_css import grid_css
from ui.look.import_css import import_css
from ui.look.inputs_css import inputs_css
from ui.look.judge_css import judge_css
from ui.look.learn_css import learn_css
from ui.look.measures_css import measures_css
from ui.look.own_text_css import own_text_css
from ui.look.picture_css import picture_css
from ui.look.result_css import result_css
from ui.look.runs_css import runs_css
from ui.look.terms_css import terms_css
from ui.look.theme import MEANINGS, Look, rgba

NARROW_PAGE = 1000
"""The width in pixels up to which columns stack and the sidebar starts folded."""


def page_css(look: Look) -> str:
    """The whole stylesheet for one look, without its `<style>` tag."""
    parts = (
        _chrome,
        text_css,
        inputs_css,
        compare_css,
        facts_css,
        grid_css,
        picture_css,
        _narrow,
        result_css,
        learn_css,
        runs_css,
        import_css,
        measures_css,
    )
    return "\n".join((*(part(look) for part in parts), own_text_css(), export_css(), judge_css()))


def text_css(look: Look) -> str:
    """The rules for our own HTML, which also hold where Streamlit draws nothing."""
    return "\n".join(part(look) for part in (_text, _spans, _keys, _diff, terms_css))


def _chrome(look: Look) -> str:
    return f"""
.st-key-menu {{ margin: -2.9rem 0 -.6rem; position: relative; z-index: 999991;
  --sidebar-button: 0rem; pointer-events: none; }}
.st-key-menu > :not(:has([data-testid=stSpace])) {{ pointer-events: auto; }}
.stAppHeader:has([data-testid=stExpandSidebarButton]) ~ .stMain .st-key-menu {{
  --sidebar-button: 5.9rem; }}
.st-key-menu > :first-child {{ margin-left: var(--sidebar-button); }}
[data-testid=stExpandSidebarButton] {{ width: auto !important; padding: 0 .4rem !important;
  position: relative; top: .75rem; }}
[data-testid=stExpandSidebarButton]::after {{ content: var(--sidebar-name); font-size: .85rem; }}
.block-container {{ padding: 3.9rem 1.7rem 1rem !important; max-width: 1880px !important; }}
.brand {{ font-weight: 650; white-space: nowrap; padding-right: 14px; margin-right: 4px;
  border-right: 1px solid {look.outline}; }}
.st-key-lead {{ min-height: 44px; }}
.st-key-scripts {{ display: none; }}
[data-testid=stSidebar] {{ z-index: 999992 !important; }}
[data-testid=stSidebarHeader] {{ height: 2rem; min-height: 2rem; }}
[data-testid=stSidebarUserContent] {{ padding-top: 0; margin-top: -1.2rem; }}
[data-testid=stVerticalBlock] {{ gap: .62rem; }}
.st-key-two > [data-testid=stHorizontalBlock],
.st-key-two > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] {{
  flex-direction: row-reverse; }}
[data-testid=stCaptionContainer], [data-testid=stCaptionContainer] * {{
  color: {look.muted} !important; opacity: 1 !important; }}
[data-testid=stMetric] {{ padding: 0; font-variant-numeric: tabular-nums; }}
[data-testid=stMetricLabel] p {{ color: {look.muted}; }}
[data-testid=stBaseButton-primary]:enabled, [data-testid=stBaseButton-primary]:enabled * {{
  color: {look.paper} !important; }}
:is([data-testid=stBaseButton-tertiary], [data-testid=stBaseLinkButton-tertiary]) {{
  min-height: 1.6rem; padding-top: 0; padding-bottom: 0; }}
:is([data-testid=stBaseButton-tertiary], [data-testid=stBaseLinkButton-tertiary]) p {{
  text-decoration: underline; text-underline-offset: 2px; }}
.st-key-head {{ flex-direction: row-reverse; flex-wrap: nowrap !important; }}
:is(.st-key-step_head, .st-key-call_head) {{ flex-wrap: nowrap !important;
  align-items: flex-start !important; }}
:is(.st-key-step_head, .st-key-call_head) > :first-child {{ flex: 1 1 0; min-width: 0; }}
[data-testid=stPageLink] a:focus-visible {{ outline: 2px solid {look.ink}; }}
/* A password field reports its value when the focus leaves the whole field. The Tab key would
   move the focus only to the button in the field, so this is hidden while somebody types. */
[data-testid=stTextInputRootElement]:has(input:focus) button {{ visibility: hidden; }}
.stHtml a {{ color: {look.ink}; text-decoration: underline; text-underline-offset: 2px; }}"""


def _spans(look: Look) -> str:
    """A tint and an underline for each kind of text in a prompt; hue never colours letters."""
    tint = 0.22 if look.dark else 0.26
    rules = [f".s-template {{ color: {look.muted}; }}"]
    for kind, (_, _, sign) in MEANINGS.items():
        if not sign.underline:
            continue
        fill, edge, _ = look.paint(kind)
        line = f"{sign.underline} {edge}"
        rules.append(f".s-{kind} {{ background: {rgba(fill, tint)}; border-bottom: {line}; }}")
        rules.append(f".prompt .from-{kind} {{ border-color: {edge}; }}")
    return "\n".join(rules)


def _keys(look: Look) -> str:
    """The swatches of the legend, with the fill, edge and hatch of the figures."""
    rules = []
    for kind in MEANINGS:
        fill, edge, _ = look.paint(kind)
        ground = ", ".join((*_hatch(look, kind), f"linear-gradient({fill or 'transparent'} 0 0)"))
        rules.append(f".k-{kind} {{ background: {ground}; border-color: {edge}; }}")
    context = look.paint("context")
    upright = _stripes(90, context.edge, 1.5, 5)
    heavy = _stripes(135, look.lost, 2, 5)
    return "\n".join(
        (
            f".key {{ display: flex; flex-wrap: wrap; gap: 4px 14px; font-size: 12.5px;"
            f" color: {look.muted}; }}",
            ".key i { display: inline-block; width: 18px; height: 11px; margin-right: 5px;"
            f" vertical-align: -1px; border-radius: 1px; border: 1px solid {look.outline}; }}",
            *rules,
            f".k-sent {{ background: {context.fill}; border-color: {context.edge}; }}",
            f".k-twice {{ background: {upright}, {context.fill}; border-color: {context.edge}; }}",
            f".k-lost {{ background: {heavy}; }}",
            f".key .k-estimate {{ border: 1.5px dashed {look.ink}; }}",
            f".prompt .lost-text {{ display: block; padding-left: 18px; color: {look.muted};"
            f" background: linear-gradient({look.paper}, {look.paper}) 9px 0 no-repeat,"
            f" {heavy}; }}",
        )
    )


def _hatch(look: Look, kind: str) -> tuple[str, ...]:
    """The pattern that Plotly draws for the meaning, as CSS."""
    edge = look.paint(kind).edge
    match MEANINGS[kind].sign.pattern:
        case ".":
            return (f"radial-gradient({edge} 1px, transparent 1.2px) 0 0/5px 5px",)
        case "/":
            return (_stripes(135, edge, 1, 5),)
        case "-":
            return (_stripes(0, edge, 1, 4),)
        case "x":
            return (_stripes(45, edge, 1, 6), _stripes(135, edge, 1, 6))
    return ()


def _stripes(angle: int, colour: str, width: float, step: float) -> str:
    return (
        f"repeating-linear-gradient({angle}deg, {colour} 0 {width}px,"
        f" transparent {width}px {step}px)"
    )


def _text(look: Look) -> str:
    return f"""
.num {{ font-variant-numeric: tabular-nums; }}
.lede {{ font-size: 16.5px; line-height: 1.42; letter-spacing: -.003em; }}
.lede b {{ font-weight: 650; }}
.small {{ font-size: 12.5px; line-height: 1.45; }}
.muted {{ color: {look.muted}; }}
.section {{ font-size: 12.5px; font-weight: 650; color: {look.muted}; }}
.tags {{ display: flex; flex-wrap: wrap; gap: 4px 6px; }}
.lede + .tags, .section + .key {{ margin-top: .62rem; }}
.tag {{ font-size: 12.5px; line-height: 1.5; border: 1px solid {look.outline};
  border-radius: 9px; padding: 0 8px; color: {look.ink}; }}
.tag.estimate {{ border-style: dashed; }}
.side-head {{ display: flex; flex-wrap: wrap; gap: 3px 12px; align-content: flex-start; }}
.side-head.tagged {{ min-height: 46px; }}
.side-head > .small {{ width: 100%; }}
.side-head b {{ font-size: 15px; font-weight: 650; }}
.answer, .prompt {{ font-size: 14.5px; line-height: 1.6; white-space: pre-wrap;
  overflow-wrap: anywhere; }}
.prompt span {{ padding: 1px; unicode-bidi: isolate; }}
.pane {{ max-height: 340px; overflow-y: auto; }}
.pane p {{ margin: 0 0 .6em; }}
.prompt .role {{ font-size: 12.5px; font-weight: 650; color: {look.muted}; margin-top: .5em; }}
.prompt .from {{ font-size: 11px; font-weight: 600; color: {look.ink}; margin-right: 4px;
  padding: 0 4px; border: 1px solid {look.outline}; border-radius: 3px; }}
.prompt details, .prompt summary, .prompt details::details-content {{ display: inline; }}
.prompt details:not([open])::details-content {{ display: none; }}
.prompt summary {{ cursor: pointer; list-style: none; }}
.prompt summary::-webkit-details-marker {{ display: none; }}
.prompt .fold {{ font-size: 12px; color: {look.muted}; white-space: nowrap; margin-left: 5px;
  padding: 0 6px; border: 1px solid {look.outline}; border-radius: 8px;
  background: {look.paper}; }}
.prompt details[open] .fold {{ display: none; }}"""


def _diff(look: Look) -> str:
    """The words that an answer added (tinted) and dropped (struck through); no red, no green."""
    fill, edge, _ = look.paint("answer")
    return f"""
ins {{ text-decoration: none; background: {rgba(fill, 0.34)}; border-bottom: 2px solid {edge}; }}
del {{ color: {look.muted}; text-decoration: line-through; }}"""


def _narrow(look: Look) -> str:
    """The rules of narrow pages: columns stack, and the Run button is in a bar at the bottom.

    On a phone the first line of the menu has the name and Share, the second one the pages.
    """
    return f"""
@media (max-width: 600px) {{
  .st-key-menu > * {{ order: 2; }}
  .st-key-menu > :first-child {{ order: 0;
    flex: 1 0 calc(100% - 6.5rem - var(--sidebar-button)); }}
  .st-key-menu > :last-child {{ order: 1; }}
  .st-key-menu > :has([data-testid=stSpace]) {{ display: none; }}
  .st-key-menu {{ margin-bottom: 0; }}
  .brand {{ border: 0; }}
  [data-testid=stExpandSidebarButton] {{ top: .35rem; }}
}}
@media (max-width: 1000px) {{
  :is([class*="st-key-two"], [class*="st-key-two"] > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] {{ flex-direction: column; }}
  :is([class*="st-key-two"], [class*="st-key-two"] > [data-testid=stLayoutWrapper])
    > [data-testid=stHorizontalBlock] > [data-testid=stColumn] {{
    width: 100% !important; flex: 1 1 auto !important; }}
  .st-key-two > [data-testid=stHorizontalBlock],
  .st-key-two > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock] {{
    flex-direction: column-reverse !important; }}
  [role=radiogroup] {{ flex-wrap: wrap; }}
  .st-key-head {{ flex-direction: column-reverse; }}
  .st-key-head > :last-child {{ width: 100%; }}
  .st-key-head > * {{ flex: 0 0 auto !important; }}
  .block-container {{ padding: 3.9rem .9rem 84px !important; }}
  .st-key-run {{ position: fixed !important; inset: auto 0 0 0; width: auto !important;
    flex-direction: row; flex-wrap: nowrap; align-items: center; gap: 12px; z-index: 99;
    padding: 9px 16px; background: {look.paper}; border-top: 1px solid {look.grid}; }}
  .st-key-run > :last-child {{ flex: 1 1 0; }}
  kbd {{ display: none !important; }}
  .st-key-step_head {{ flex-direction: column-reverse; }}
  .st-key-step_head > :first-child {{ flex: 0 0 auto !important; }}
  .side-head.tagged {{ min-height: 0; }}
}}
@media (max-width: 1300px) {{
  .st-key-two [class*="st-key-two_"] [data-testid=stHorizontalBlock] {{ flex-direction: column; }}
  .st-key-two [class*="st-key-two_"] [data-testid=stColumn] {{
    width: 100% !important; flex: 1 1 auto !important; }}
  .st-key-two .st-key-step_head {{ flex-direction: column-reverse; }}
  .st-key-two .st-key-step_head > :first-child {{ flex: 0 0 auto !important; }}
}}
@media (max-width: 1000px) {{ :is([class*="st-key-wide_figure"],
  .figure.wide:not(.st-key-funnel *)) {{ display: none; }} }}
@media (min-width: 1000.1px) {{ :is([class*="st-key-narrow_figure"],
  .figure.middle:not(.st-key-funnel *)) {{ display: none; }} }}
@media (min-width: 600.1px) {{ .figure.narrow:not(.st-key-funnel *) {{ display: none; }} }}
@media (max-width: 600px) {{ .figure.middle:not(.st-key-funnel *) {{ display: none; }} }}"""
