"""What a call reads, in words."""

from __future__ import annotations

from synth.runs.calls import CallRecord, PlannedCall
from synth.text.wording import listed, numbered


def reads(call: PlannedCall | CallRecord, brief: bool = False) -> str:
    """The chunks and answers in the prompt of a call, in words; `brief` is for a table."""
    chunks, answers = (
        sorted({origin.number for origin in call.origins if origin.kind == kind})
        for kind in ("chunk", "answer")
    )
    words = [numbered("chunk", chunks)] if chunks or not answers else []
    if answers:
        prefix = "the answer of " if len(answers) == 1 else "the answers of "
        words.append(("" if brief else prefix) + numbered("call", answers))
    return listed(words)
