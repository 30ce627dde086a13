"""The rules of the popover for one's own text, and of the places of scripts."""

from __future__ import annotations


def own_text_css() -> str:
    """The rules, which no theme changes."""
    return """
[class*=st-key-script_] { display: none; }
[class*=st-key-reports_text] > [data-testid=stLayoutWrapper] { position: absolute; }
.st-key-pasted [data-testid=InputInstructions] { display: none; }"""
