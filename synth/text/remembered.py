"""Results of functions of texts, remembered as long as the texts are not too long together."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

_EACH = 50  # characters as which a result counts beside its texts


def remembered(most_characters: int) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Remember the latest results of a function, whose texts have so many characters together.

    Its arguments are texts, and tuples of texts; they are given by position.
    """

    def decorate(function: Callable[P, T]) -> Callable[P, T]:
        kept: OrderedDict[Hashable, T] = OrderedDict()
        lock = threading.Lock()
        characters = 0

        @wraps(function)
        def recall(*texts: P.args, **none: P.kwargs) -> T:
            nonlocal characters
            with lock:
                if texts in kept:
                    kept.move_to_end(texts)
                    return kept[texts]
            made, size = function(*texts, **none), _size(texts)
            with lock:
                if texts not in kept and size <= most_characters:
                    kept[texts] = made
                    characters += size
                while characters > most_characters:
                    characters -= _size(kept.popitem(last=False)[0])
            return made

        return recall

    return decorate


def _size(texts: object) -> int:
    if isinstance(texts, str):
        return _EACH + len(texts)
    return sum(map(_size, texts)) if isinstance(texts, tuple) else _EACH
