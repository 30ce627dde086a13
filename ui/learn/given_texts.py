"""The texts of an exercise: its question and its chunks, each with its tokens."""

from __future__ import annotations

from synth.text.wording import counted
from ui.lessons.lesson import LessonFacts
from ui.look.html import Html, tag, together


def given_html(facts: LessonFacts, sizes: bool = True) -> Html:
    """The question and all chunks, open; without `sizes`, no tokens are told."""
    count = facts.high.setup.tokenizer.count
    texts = [("query", "?", "question", facts.request.query_str)]
    texts += [
        ("context", f"{number}", f"chunk {number}", text)
        for number, text in enumerate(facts.request.text_chunks, 1)
    ]
    return together(
        tag(
            "div.given.num",
            tag(
                "div.head",
                tag(f"span.number.n-{kind}", sign),
                tag("span", name),
                tag("span", counted(count(text), "token") if sizes else ""),
            ),
            tag("p", text, dir="auto"),
        )
        for kind, sign, name, text in texts
    )
