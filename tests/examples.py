"""How much the tests try: all of it, or the share that a hypothesis profile asks for."""

from hypothesis import settings

ALL = 60
"""Examples of a property that names no number, where all is tried."""


def share(count: int) -> int:
    """Of so many examples, as many as the profile tries: one or more."""
    return max(1, count * settings().max_examples // ALL)


def examples(count: int) -> settings:
    """The settings of a property that wants so many examples where all is tried."""
    return settings(max_examples=share(count))
