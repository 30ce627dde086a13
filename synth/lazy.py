"""Values of objects that are computed when they are first asked for."""

from collections.abc import Callable
from contextlib import nullcontext
from functools import cached_property
from typing import Any, TypeVar

T = TypeVar("T")


def defer(compute: Callable[[Any], T]) -> cached_property[T]:
    """Defer a value as `functools.cached_property`, and hold up nobody who asks another object.

    The one of Python 3.11 computes behind a lock that all objects of a class share.
    """
    value = cached_property(compute)
    vars(value)["lock"] = nullcontext()
    return value
