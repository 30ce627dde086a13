"""The styles of the popovers Export and Share."""

from __future__ import annotations


def export_css() -> str:
    """Both are as wide as a line of text is easy to read."""
    return """
.st-key-export_contents, .st-key-share_contents {width: 27rem; max-width: calc(100vw - 5rem);}
.st-key-export_contents [class*="st-key-file_"] {flex-wrap: nowrap;}
"""
