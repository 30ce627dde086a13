"""Calling a synthesizer by the entry that a case names; ours and the package's have the same."""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import Any

from tests.parity.cases import Case


def final(
    case: Case,
    synthesizer: Any,
    nodes: Sequence[Any],
    read: Callable[[Any], Coroutine[Any, Any, Any]],
) -> Any:
    """What the entry gave in the end; `read` waits for whatever a result may be."""
    chunks = nodes if case.entry.endswith("synthesize") else list(case.chunks)
    entry = getattr(synthesizer, case.entry)
    if not case.is_async:
        return asyncio.run(read(entry(case.query, chunks, **case.variables)))

    async def run() -> Any:
        return await read(await entry(case.query, chunks, **case.variables))

    return asyncio.run(run())
