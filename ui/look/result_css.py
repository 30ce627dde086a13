"""The styles of what is shown of a run: rows that open, the tagged answer, its steps."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ui.look.theme import Look, rgba

_SCREENS = (  # as for pictures of three widths
    "(min-width: 1000.1px)",
    "(max-width: 1000px) and (min-width: 600.1px)",
    "(max-width: 600px)",
)
_THUMB = 6  # pixels by which the thumb of a slider stands beyond its line


def result_css(look: Look) -> str:
    """The rules for the views of a run."""
    return "\n".join(part(look) for part in (_rows, _tagged, _steps, _person))


def _rows(look: Look) -> str:
    context, answer = look.paint("context"), look.paint("answer")
    return f"""
.unseen {{ position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
  white-space: nowrap; }}
.rows {{ display: flex; flex-direction: column; gap: 4px; }}
.row {{ border: 1px solid {look.grid}; border-radius: 6px; font-size: 13.5px; }}
.row > summary {{ display: flex; align-items: center; gap: 10px; padding: 4px 10px 4px 8px;
  cursor: pointer; list-style: none; min-height: 30px; border-radius: 6px; }}
.row > summary::-webkit-details-marker {{ display: none; }}
.row > summary:focus-visible {{ outline: 2px solid {look.ink}; outline-offset: -1px; }}
.row .badge {{ flex: none; min-width: 24px; padding: 0 4px; text-align: center; font-size: 12px;
  line-height: 20px; font-weight: 650; border-radius: 4px; border: 1px solid {look.muted};
  box-sizing: border-box; }}
.row-context:not(.dim) .badge {{ background: {context.fill}; border-color: {context.edge};
  color: {context.label}; }}
.row-answer:not(.dim) .badge {{ background: {answer.fill}; border-color: {answer.edge};
  color: {answer.label}; }}
.row .detail {{ flex: none; min-width: 136px; max-width: 50%; overflow: hidden;
  text-overflow: ellipsis; white-space: nowrap; font-size: 12.5px; color: {look.muted}; }}
.row .first {{ flex: 1 1 0; min-width: 0; overflow: hidden; text-overflow: ellipsis;
  white-space: nowrap; }}
.row .note {{ flex: none; font-size: 12.5px; color: {look.muted}; }}
.row.dim .first {{ color: {look.muted}; }}
.row[open] .first {{ visibility: hidden; }}
.row .whole {{ padding: 0 12px 8px; line-height: 1.55; white-space: pre-wrap;
  overflow-wrap: anywhere; }}
@media (max-width: 640px) {{ .row .detail {{ display: none; }} }}"""


def _tagged(look: Look) -> str:
    context = look.paint("context")
    return f"""
.prompt.tagged {{ line-height: 1.75; }}
.prompt.tagged [class^="q-"] {{ padding: 0; unicode-bidi: normal; }}
.prompt .source {{ padding: 1px 4px; margin: 0 0 0 3px; font-size: 11px; font-weight: 650;
  border-radius: 3px; background: {context.fill}; color: {context.label};
  border: 1px solid {context.edge}; user-select: none; }}"""


def _steps(look: Look) -> str:
    return f"""
.st-key-step_slider {{ margin-top: -14px; }}
.st-key-step_slider [data-testid=stSliderThumbValue],
.st-key-step_slider [data-testid=stSliderTickBar] {{ display: none; }}
.prompt .rest {{ color: {look.muted}; }}"""


def _person(look: Look) -> str:
    answer, room = look.paint("answer"), look.paint("reserved")
    return f"""
@media (min-width: 1000.1px) {{
  .st-key-two_person > * > [data-testid=stColumn]:last-child,
  .st-key-two_person > [data-testid=stHorizontalBlock] > [data-testid=stColumn]:last-child {{
    position: sticky; top: 3.6rem; align-self: flex-start; }}
}}
.meter {{ display: flex; align-items: center; gap: 10px; }}
.meter > i {{ flex: 1; height: 8px; border-radius: 2px; overflow: hidden;
  border: 1px solid {room.edge}; background: {rgba(room.fill, 0.5)}; }}
.meter > i > i {{ display: block; height: 100%; background: {answer.fill}; }}
.meter.over > i > i {{ background: {look.ink}; }}
.st-key-head .st-key-answer_yourself_box {{ align-items: center; }}
@media (max-width: 1000px) {{
  .st-key-lead:has(.st-key-answer_yourself_box) > :first-child {{ order: -2; }}
  .st-key-lead > :has(.st-key-answer_yourself_box) {{ order: -1; }}
  .st-key-head > :first-child:has(.st-key-answer_yourself_box) {{ height: auto; }}
}}"""


def slider_css(ends: Sequence[tuple[int, int, float, float]]) -> str:
    """The rules that put the ends of the slider under the first and the last step of a figure.

    `ends` are the margins of the figure in pixels, and the shares of the rest at which the two
    steps stand: at the only width of the figure, or at each of its widths.
    """
    screens = ("all",) if len(ends) == 1 else _SCREENS
    rules = []
    for screen, (left, right, first, last) in zip(screens, ends, strict=True):
        drawn = f"(100% - {left + right}px)"
        padding = (
            f"padding-left: calc({left}px + {drawn} * {first:.4f} - {_THUMB}px);"
            f" padding-right: calc({right}px + {drawn} * {1 - last:.4f} - {_THUMB}px);"
        )
        rules.append(f"@media {screen} {{ .st-key-step_slider {{ {padding} }} }}")
    return "\n".join(rules)


def lit_css(look: Look, chunks: Iterable[int]) -> str:
    """The rules that light the words of a chunk while its row is pointed at, and the reverse."""
    fill = rgba(look.paint("context").fill, 0.62)
    page = ".st-key-two_answer"
    return "\n".join(
        f"{page}:has(.from-{chunk}:is(:hover, :focus-within, [open])) .q-{chunk} .s-context"
        f" {{ background: {fill}; }}\n"
        f"{page}:has(.q-{chunk}:hover) .from-{chunk} {{ border-color: {look.ink};"
        f" box-shadow: inset 0 0 0 1px {look.ink}; }}"
        for chunk in chunks
    )
