"""The kinds of text in a prompt, as one table: budget, prompt view and stylesheet read it.

A new kind is one line here; its colours can be added in synth/html/colours.css.
"""

from enum import StrEnum
from typing import Self


class SpanKind(StrEnum):
    """What a stretch of a prompt is, in the order of the budget bar; long ones may `fold`."""

    label: str
    short: str
    variables: tuple[str, ...]
    folds: bool

    def __new__(
        cls,
        name: str,
        label: str,
        short: str,
        variables: tuple[str, ...] = (),
        folds: bool = False,
    ) -> Self:
        """Make a member of the table, equal to its name."""
        kind = str.__new__(cls, name)
        kind._value_ = name
        kind.label, kind.short = label, short
        kind.variables, kind.folds = variables, folds
        return kind

    FRAME = "frame", "chat template", "chat template"
    SYSTEM = "system", "template", "template"
    TEMPLATE = "template", "template", "template"
    QUERY = "query", "query", "query", ("query_str",)
    VARIABLE = "variable", "variables", "variables", (), True
    CONTEXT = "context", "chunks", "chunks", ("context_str", "context_msg"), True
    ANSWER = "answer", "answers", "answer", ("existing_answer",), True


FIXED = (SpanKind.FRAME, SpanKind.SYSTEM, SpanKind.TEMPLATE)
"""The kinds that are text of templates; the others are values in one."""

VALUES = tuple(kind for kind in SpanKind if kind not in FIXED)
"""The kinds that are values of variables."""

KIND_OF = {name: kind for kind in SpanKind for name in kind.variables}
"""The kind of the value of each variable; that of any other is VARIABLE."""
