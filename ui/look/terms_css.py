"""The rules for terms, for earlier plans, for what still loads, and for text from the right."""

from __future__ import annotations

from ui.look.theme import Look


def terms_css(look: Look) -> str:
    """The rules for one look.

    Streamlit makes shortcuts pale, and everything that waits to be drawn again; both then have
    too little contrast. An explanation stands below its whole sentence or legend, so it never
    leaves the page.
    """
    return f"""
dfn {{ font-style: normal; cursor: help; text-decoration: underline dotted {look.muted};
  text-underline-offset: 3px; }}
dfn:focus-visible {{ outline: 2px solid {look.ink}; outline-offset: 2px; border-radius: 2px; }}
[data-testid=stElementContainer] > [data-testid=stSkeleton] {{ min-height: 100%; }}
kbd, [data-testid=stElementContainer][data-stale=true] {{ opacity: 1 !important; }}
:not([data-testid=stBaseButton-primary]) > * kbd {{ color: {look.muted}; }}
#announcements {{ position: absolute; width: 1px; height: 1px; overflow: hidden;
  clip-path: inset(50%); }}
.lede:focus {{ outline: none; }}
.lede, .key {{ position: relative; }}
dfn:is(:hover, :focus)::after {{ content: attr(aria-description); position: absolute; left: 0;
  top: 100%; z-index: 999; width: max-content; max-width: min(100%, 46ch); padding: 6px 10px;
  font-size: 13px; font-weight: 400; line-height: 1.45; letter-spacing: 0; white-space: normal;
  color: {look.ink}; background: {look.panel}; border: 1px solid {look.outline};
  border-radius: 6px; }}
.st-key-earlier_plan .lede, .st-key-earlier_plan .lede b {{ color: {look.muted}; }}
.st-key-earlier_plan :is([data-testid=stPlotlyChart], .key i) {{ filter: grayscale(1);
  opacity: .6; }}
:is(textarea, input, [data-baseweb=select], [role=option], [data-testid=stCode] code,
  [data-testid=stMarkdownContainer] :is(p, li, h1, h2, h3, td)) {{ unicode-bidi: plaintext; }}"""
