"""What a chat template puts around the messages of a prompt, and so what a call weighs more.

It is found with words that stand in for the contents of the messages.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple


class Frame(NamedTuple):
    """What stands around the contents of messages of given roles.

    `texts` are those before, between and after the contents, one more than there are messages; an
    empty one stands for tokens that are not known as text, and what stands beside it is read apart.
    `extra_tokens` are those that stand in no text. `strips` says whether white space at the ends of
    each content is left out.
    """

    texts: tuple[str, ...]
    extra_tokens: int = 0
    strips: bool = False


ChatTemplate = Callable[[tuple[str, ...]], Frame | None]
"""A function from the roles of messages to what stands around them; None if it takes none such."""


@dataclass(frozen=True)
class ChatFormat:
    """A chat template that writes each message by its role alone, and then begins the reply.

    `roles` has what stands before and behind the content of a message of each role.
    """

    roles: Mapping[str, tuple[str, str]]
    reply: str
    begin: str = ""

    def __call__(self, roles: tuple[str, ...]) -> Frame | None:
        """What stands around messages of these roles, if a person speaks last."""
        if roles[-1:] != ("user",) or not set(roles) <= set(self.roles):
            return None
        texts, behind = [], self.begin
        for role in roles:
            before, after = self.roles[role]
            texts.append(behind + before)
            behind = after
        return Frame((*texts, behind + self.reply))


_MESSAGE_TOKENS = 3  # before and after each message
_ROLE_TOKENS = 1
_REPLY_TOKENS = 3  # with which the reply begins


def openai_frame(roles: tuple[str, ...]) -> Frame:
    """What OpenAI's chat models read around messages; it is published as numbers, not as text.

    The numbers are those of "How to count tokens with tiktoken" in OpenAI's cookbook.
    """
    tokens = len(roles) * (_MESSAGE_TOKENS + _ROLE_TOKENS) + _REPLY_TOKENS
    return Frame(("",) * (len(roles) + 1), tokens)


WHITE = " \t"
"""White space that no template ends or begins with; it shows whether contents are stripped."""

_WORD = "Standin{}x"


def stand_ins(count: int, white: str = "") -> list[str]:
    """So many different contents of messages, with this before each, and backwards behind it."""
    return [f"{white}{_WORD.format(number)}{white[::-1]}" for number in range(count)]


def frame_around(contents: Sequence[str], chat: str) -> Frame | None:
    """What stands in a chat around these contents, and whether they were stripped.

    None if a content isn't found once in the chat, each after the one before, or if some are
    stripped and some are not.
    """
    for given, strips in ((list(contents), False), ([one.strip() for one in contents], True)):
        places = [chat.find(one) for one in given]
        if any(chat.count(one) != 1 for one in given) or places != sorted(places):
            continue
        ends = [place + len(one) for place, one in zip(places, given, strict=True)]
        bounds = zip([0, *ends], [*places, len(chat)], strict=True)
        texts = tuple(chat[start:end] for start, end in bounds)
        left = any(text.startswith(WHITE[::-1]) or text.endswith(WHITE) for text in texts)
        if not strips or not left:
            return Frame(texts, strips=strips)
    return None
