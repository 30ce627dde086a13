"""Which text of a prompt a server that cuts from the front did not read."""

from collections.abc import Iterator

from synth.prompts.prompt import Prompt
from synth.text.spans import Origin, Text
from synth.text.tokens import Tokenizer


def unread_origins(prompt: Prompt, share: float, tokenizer: Tokenizer) -> tuple[Origin, ...]:
    """Where the text in this share of the prompt's tokens came from, counted from its start.

    The few tokens that Ollama keeps at the start (cuts.py) are left aside: they are those of a
    chat template. By a tokenizer that is not the server's own, the place is about right.
    """
    texts = [span.text for span in prompt.spans]
    counts = [tokenizer.count_joined([text]) for text in texts]
    left = share * sum(counts)
    return tuple(_front(texts, counts, left, tokenizer))


def _front(
    texts: list[Text], counts: list[int], left: float, tokenizer: Tokenizer
) -> Iterator[Origin]:
    for text, tokens in zip(texts, counts, strict=True):
        if left <= 0:
            return
        cut = text if tokens <= left else text.slice(0, _end(text, round(left), tokenizer))
        yield from cut.origins
        left -= tokens


def _end(text: Text, tokens: int, tokenizer: Tokenizer) -> int:
    """The character at which so many tokens of a text have ended."""
    ends = tokenizer.token_ends(str(text)) if tokens else None
    if ends is None:
        return len(text) * tokens // max(1, tokenizer.count_joined([text]))
    return int(ends[min(tokens, len(ends)) - 1])
