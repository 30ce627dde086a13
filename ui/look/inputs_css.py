"""The styles of the Playground before a run: the lead row, the heads of the inputs, the cards."""

from __future__ import annotations

from ui.look.theme import Look, rgba


def inputs_css(look: Look) -> str:
    """The rules, without their `<style>` tag."""
    return "\n".join((_lead(look), _heads(look), _cards(look), _findings(), _narrow()))


def _lead(look: Look) -> str:
    fill, edge, _ = look.paint("answer")
    return f"""
.st-key-introduction {{ border-bottom: 1px solid {look.grid}; padding-bottom: 6px; }}
.headline {{ font-size: 13.5px; line-height: 1.35; }}
.headline b {{ font-size: 16.5px; font-weight: 650; margin-right: 4px; }}
.st-key-introduction .st-key-lead {{ gap: 6px 12px; flex-wrap: nowrap; }}
.st-key-introduction .st-key-lead > :first-child {{ flex: 1 1 0; min-width: 0; }}
.st-key-introduction .st-key-lead > :not(:first-child) {{ flex: 0 0 auto; }}
.st-key-introduction .st-key-lead > :last-child p {{ position: absolute; width: 1px; height: 1px;
  overflow: hidden; clip-path: inset(50%); white-space: nowrap; }}
.st-key-introduction .st-key-lead > :last-child button {{ padding: 0 4px; }}
.st-key-strip {{ background: {rgba(fill, 0.16)}; border-left: 4px solid {edge};
  border-radius: 3px; padding: 0 10px; min-height: 38px; }}"""


def _heads(look: Look) -> str:
    heads = ":is(.st-key-question_head, .st-key-chunks_head, .st-key-mode_head)"
    buttons = f"{heads} :is([data-testid=stPopoverButton], [data-testid=stBaseButton-tertiary])"
    return f"""
{heads} {{ min-height: 26px; gap: 2px 14px !important; }}
{buttons} {{ min-height: 26px; padding: 0 2px; }}
{buttons} p {{ text-decoration: none; white-space: nowrap; }}
{buttons}:focus-visible {{ outline: 2px solid {look.ink}; }}"""


def _cards(look: Look) -> str:
    return f"""
.st-key-mode_cards {{ display: grid !important; grid-template-columns: 1fr 1fr; gap: 8px;
  container: modes / inline-size; }}
.st-key-mode_cards > * {{ width: auto !important; min-width: 0; }}
.st-key-mode_cards > :last-child:nth-child(odd) {{ grid-column: 1 / -1; }}
.st-key-mode_cards button {{ min-height: 68px; padding: 5px 6px 5px 94px; display: block;
  background-repeat: no-repeat; background-position: 9px 50%; text-align: left; }}
.st-key-mode_cards button > * {{ justify-content: flex-start; }}
.st-key-mode_cards button:focus-visible {{ outline: 2px solid {look.ink}; outline-offset: 2px; }}
.st-key-mode_cards p {{ font-size: 12.5px; line-height: 1.45; white-space: normal;
  overflow-wrap: normal; font-variant-numeric: tabular-nums; }}
.st-key-mode_cards p > strong:first-child {{ font-size: 14px; }}
.st-key-mode_cards:has(> :nth-child(6)) p > strong:first-child {{ font-size: 12.5px;
  letter-spacing: -.02em; }}
.st-key-mode_cards p > :is(strong:not(:first-child), em)::before {{
  content: "\\A"; white-space: pre; }}
.st-key-mode_cards p > span {{ position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); white-space: nowrap; }}
.st-key-mode_cards p > em {{ font-style: normal; color: {look.muted}; }}
.st-key-mode_cards p > em > strong {{ color: {look.ink}; }}"""


def _findings() -> str:
    """A finding and its link stand on one line where there is room."""
    return """
:is(.st-key-cliff, .st-key-finding) > :first-child { flex: 1 1 0; min-width: 240px; }
:is(.st-key-cliff, .st-key-finding) > :not(:first-child) { flex: 0 0 auto; }
.st-key-cliff { padding-top: 10px; padding-bottom: 10px; }"""


def _narrow() -> str:
    """The words beside Run are for pages whose plan may be out of sight; so are fewer pixels."""
    return """
.run-words { line-height: 1.35; white-space: nowrap; }
@media (min-width: 1001px) { .st-key-run > :first-child:not(:last-child) { display: none; } }
@media (max-width: 1000px) {
  .st-key-run > :first-child:not(:last-child) { width: auto !important; flex: 0 0 auto; }
  .st-key-introduction .st-key-lead { flex-wrap: wrap; }
  .st-key-introduction .st-key-lead > :first-child { flex: 1 1 100%; }
  .headline span { display: block; }
}
@container modes (max-width: 380px) {
  .st-key-mode_cards button { background-image: none !important; padding-left: 10px; }
}
@media (max-width: 640px) {
  .st-key-introduction .st-key-lead { gap: 6px !important; }
  .st-key-introduction .st-key-lead > :not(:last-child) :has(> [data-testid=stIconMaterial]) {
    display: none; }
  .st-key-chunks_head > :first-child { flex: 1 1 100%; }
}"""
