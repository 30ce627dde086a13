"""What a chat template puts around messages, found with words that stand in for their contents."""

from collections.abc import Sequence

from synth.text.frames import Frame

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
        if not strips or not any(_white(text) for text in texts):
            return Frame(texts, strips=strips)
    return None


def _white(text: str) -> bool:
    """Whether white space that stood round a content is left in a text beside it."""
    return text.startswith(WHITE[::-1]) or text.endswith(WHITE)
