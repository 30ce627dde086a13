"""The styles of the popovers Export and Share."""

from __future__ import annotations


def export_css() -> str:
    """As wide as a line is easy to read; on a narrow page the button stands beside Inputs."""
    return """
.st-key-export_contents, .st-key-share_contents { width: 27rem; max-width: calc(100vw - 5rem); }
.st-key-export_contents [class*="st-key-file_"] { flex-wrap: nowrap; }
.st-key-export_contents [class*="st-key-file_"] > :first-child { flex: 0 0 10rem; }
.st-key-export_contents [class*="st-key-file_"] button div { justify-content: flex-start; }
@media (max-width: 1000px) {
  .st-key-lead:has([role=radiogroup]) > :has(.st-key-export) { order: -1; }
}"""
