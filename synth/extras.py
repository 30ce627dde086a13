"""Packages that an extra of the install brings; each is imported where it is first used."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Around the imports that need an extra; ModuleNotFoundError says which one to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"The package {missing.name} is not installed: install synthesis-playground[{name}],"
            " which brings it.",
            name=missing.name,
        ) from missing
