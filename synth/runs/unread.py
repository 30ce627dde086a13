"""Which text of a prompt a server that cuts from the front did not read."""

from collections.abc import Iterator
from dataclasses import replace

from synth.prompts.prompt import Prompt, Span
from synth.text.spans import Text
from synth.text.tokenizer import Tokenizer


def unread_spans(prompt: Prompt, share: float, tokenizer: Tokenizer) -> Iterator[Span]:
    """The spans that have this share of the prompt's tokens, counted from its start.

    The few tokens that Ollama keeps at the start (cuts.py) are left aside: they are those of a
    chat template. By a tokenizer that is not the server's own, the place is about right.
    """
    spans = prompt.read_by(tokenizer)
    counts = [tokenizer.count_joined([span.text]) for span in spans]
    left = share * sum(counts)
    for span, tokens in zip(spans, counts, strict=True):
        if left <= 0:
            return
        end = len(span.text) if tokens <= left else _end(span.text, round(left), tokenizer)
        yield replace(span, text=span.text.slice(0, end))
        left -= tokens


def _end(text: Text, tokens: int, tokenizer: Tokenizer) -> int:
    """The character at which so many tokens of a text have ended."""
    ends = tokenizer.token_ends(str(text)) if tokens else None
    if ends is None:
        return len(text) * tokens // max(1, tokenizer.count_joined([text]))
    return int(ends[min(tokens, len(ends)) - 1])
