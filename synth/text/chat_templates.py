"""Chat templates: what they put around the messages of a prompt, and so what a call weighs more."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NamedTuple


class Frame(NamedTuple):
    """What stands around the contents of messages: `texts` before, between and after them.

    Where a text is empty, `tokens` says how many stand there that are not known as text.
    """

    texts: tuple[str, ...]
    tokens: tuple[int, ...] = ()

    @property
    def extra_tokens(self) -> int:
        """Count the tokens that stand in no text."""
        return sum(self.tokens)


ChatTemplate = Callable[[tuple[str, ...]], Frame | None]
"""A function from the roles of messages to what stands around them; None if it takes none such."""


@dataclass(frozen=True)
class ChatFormat:
    """Writes `roles`, each before and behind its content, and begins the reply."""

    roles: Mapping[str, tuple[str, str]]
    reply: str
    begin: str = ""

    def __call__(self, roles: tuple[str, ...]) -> Frame | None:
        """Return what stands around messages of these roles, if a person speaks last."""
        if roles[-1:] != ("user",) or not set(roles) <= set(self.roles):
            return None
        texts = [self.begin]
        for role in roles:
            before, behind = self.roles[role]
            texts[-1] += before
            texts.append(behind)
        texts[-1] += self.reply
        return Frame(tuple(texts))


_BEFORE = 3  # tokens that begin a message: its start, its role, the start of its content
_BEHIND = 1


def openai_frame(roles: tuple[str, ...]) -> Frame:
    """Return what OpenAI's chat models read around messages, as its cookbook counts it."""
    tokens = (_BEFORE, *(_BEHIND + _BEFORE for _ in roles))  # the last of them begins the reply
    return Frame(("",) * len(tokens), tokens)
