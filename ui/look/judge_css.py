"""Styles of the view Judge: its table, in which each cell is a verdict and a note."""

from __future__ import annotations


def judge_css() -> str:
    """The rules of what a judge said."""
    return """
.judged tbody :is(th, td) { vertical-align: top; }
.judged th { overflow-wrap: break-word; }
.judged thead th:first-child { width: 22%; }
.st-key-judge_head { flex-wrap: nowrap !important; }
.st-key-judge_head > :first-child { flex: 1 1 0; min-width: 0; }"""
