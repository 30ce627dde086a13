"""The texts of an exercise: its question and its chunks, each with its tokens."""

from __future__ import annotations

from synth.wording import counted
from ui.lessons.lesson import LessonFacts
from ui.look.escape import escape


def given_html(facts: LessonFacts, sizes: bool = True) -> str:
    """The question and all chunks, open; without `sizes`, no tokens are told."""
    count = facts.high.setup.tokenizer.count
    texts = [("query", "?", "question", facts.request.query)]
    texts += [
        ("context", f"{number}", f"chunk {number}", text)
        for number, text in enumerate(facts.request.chunks, 1)
    ]
    return "".join(
        f'<div class="given num"><div class="head"><span class="number n-{kind}">{sign}</span>'
        f"<span>{name}</span><span>{counted(count(text), 'token') if sizes else ''}</span></div>"
        f'<p dir="auto">{escape(text)}</p></div>'
        for kind, sign, name, text in texts
    )
