"""The answer that the pieces of a reply make, and which of them are no answer."""

from collections.abc import Callable
from io import StringIO

from synth.errors import BadResponse
from synth.llms.chat_completions import Piece, Usage
from synth.runs.ends import is_cut, is_known
from synth.runs.steps import Completion

_UNCOUNTED = "The server gave no usable count of its tokens: those here are counted here."
_RAISE = "raise the answer length (num_output), or lower the effort of reasoning."


class Reading:
    """Gathers one answer from a reply, or from the pieces of a streamed one.

    `source` names the model and its host in messages, in which `hide` takes out the key; an answer
    is the model's own text and is left as it is.
    """

    def __init__(self, source: str, hide: Callable[[str], str]) -> None:
        self._source = source
        self._hide = hide
        self._is_chosen = False
        self._is_complete = False
        self._reason: str | None = None
        self._is_counted = False
        self._usage = Usage()
        self._text = StringIO()
        self._reasoning = StringIO()
        self._refusal = StringIO()
        self._other = ""

    @property
    def has_begun(self) -> bool:
        """Return whether anything has arrived that was paid for."""
        parts = (self._text, self._reasoning, self._refusal)
        return self._is_counted or any(part.tell() > 0 for part in parts)

    @property
    def has_ended(self) -> bool:
        """Return whether the server has said that the answer is all there."""
        return self._is_complete or (self._reason is not None and is_known(self._reason))

    def explain_garbled(self) -> BadResponse:
        """Return the error for a reply that can't be read, from its start or after some text."""
        if not self._text.tell():
            return BadResponse(
                f"{self._source} sent no answer of a model: check the base URL, which often ends"
                " in /v1."
            )
        return BadResponse(
            f"{self._source} sent something after {self._text.tell():,} characters that is no"
            " piece of an answer: try again, or check the server."
        )

    def add(self, piece: Piece) -> str:
        """Add a piece, and return its text."""
        if piece.usage is not None:
            self._is_counted = True
            self._usage = _take_larger(self._usage, piece.usage)
        # A usage ends a stream if nothing comes after it: it may be the first piece, or in each.
        self._is_complete = piece.usage is not None and not piece.is_answer
        if not piece.is_answer:
            return ""
        self._is_chosen = True
        # LiteLLM sends the usage with one more choice, which has no reason.
        self._reason = piece.finish_reason or self._reason
        self._other = piece.other or self._other
        self._refusal.write(piece.refusal)
        self._reasoning.write(piece.reasoning)
        self._text.write(piece.text)
        return piece.text

    def end(self) -> None:
        """Take the reply for complete: it came as a whole, or its stream said that it ends."""
        self._is_complete = True

    def reply(self, notes: tuple[str, ...] = ()) -> Completion:
        """Return what has come so far, with the notes."""
        text, reasoning, usage = self._text.getvalue(), self._reasoning.getvalue(), self._usage
        prompt, output = usage.prompt or None, usage.output
        if text or reasoning:  # which took tokens: a count of 0 is none
            output = output or None
        if self._is_counted and (prompt is None or output is None):
            notes = (*notes, _UNCOUNTED)
        return Completion(
            text,
            prompt,
            output,
            self._reason,
            notes,
            reasoning,
            usage.reasoning,
            usage.cached,
            usage.written,
        )

    def completion(self, notes: tuple[str, ...]) -> Completion:
        """Return the whole answer; BadResponse with it as its reply where it is none."""
        reply = self.reply(notes)
        if problem := self._problem(reply):
            error = BadResponse(f"{self._source} {problem}")
            error.reply = reply
            raise error
        return reply

    def _problem(self, reply: Completion) -> str | None:
        """Return why the reply is no answer, in words that follow the name of its source."""
        refusal, other = self._hide(self._refusal.getvalue()), self._hide(self._other)
        reason, size = self._hide(self._reason or ""), f"{len(reply.text):,} characters"
        has_text = bool(reply.text.strip())
        problems: tuple[tuple[object, str], ...] = (
            (
                not self._is_chosen,
                "sent a reply with no answer in it: try again, or check the base URL.",
            ),
            (refusal, f"refused to answer: {refusal:.500}"),
            (
                other and not has_text,
                f"sent no answer, only {other:.60}: try again, or take another model.",
            ),
            (
                not is_known(self._reason),
                f"ended with “{reason:.60}” after {size}, which is not the end of an answer: run"
                " again, or change the question or the chunks.",
            ),
            (
                self._reason is None and not self._is_complete,
                f"broke off after {size}: run again.",
            ),
            (
                is_cut(self._reason) and not has_text,
                f"spent all its output tokens before the first word: {_RAISE}",
            ),
            (
                reply.reasoning and not has_text,
                f"gave no answer yet, only its reasoning: {_RAISE}",
            ),
            (
                not has_text,
                "sent no answer, only an empty text: try again, or take another model.",
            ),
        )
        return next((problem for applies, problem in problems if applies), None)


def _take_larger(before: Usage, after: Usage) -> Usage:
    """Return the larger of each count: a last piece may take an earlier one back."""
    return Usage(
        *(
            max((count for count in pair if count is not None), default=None)
            for pair in zip(vars(before).values(), vars(after).values(), strict=True)
        )
    )
