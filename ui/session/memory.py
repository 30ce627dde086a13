"""Memory that is free is given back to the system, where the C library is glibc.

By itself glibc keeps what was freed, in an arena for each few threads: a server whose people have
left would stay as large as it was when most of them were there.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

_M_ARENA_MAX = -8  # malloc.h
_ARENAS = 2


def keep_few_arenas() -> None:
    """Let all threads that begin from now on share two arenas."""
    if (library := _glibc()) is not None:
        library.mallopt(_M_ARENA_MAX, _ARENAS)


def give_back() -> None:
    """Give memory that is free back to the system."""
    if (library := _glibc()) is not None:
        library.malloc_trim(0)


@cache
def _glibc() -> Any:
    library = ctypes.CDLL(None) if sys.platform == "linux" else None
    return library if hasattr(library, "malloc_trim") else None
