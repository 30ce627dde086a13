"""What a chat template adds to the messages of a call."""

from typing import NamedTuple


class Frame(NamedTuple):
    """What a chat template puts around the messages of these roles."""

    texts: tuple[str, ...]
    extra_tokens: int
    strips: bool
