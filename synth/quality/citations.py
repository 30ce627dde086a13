"""The citations of a response, such as [2]: whether chunk 2 exists and was sent."""

import re
from functools import cache
from itertools import islice
from typing import NamedTuple

from synth.runs.trace import Trace

CITATION = re.compile(r"[\[【［](?P<numbers>\d{1,3}(?:\s*[,;，、]\s*\d{1,3})*)[\]】］]")
_MOST = 1_000  # citations of a response


class Citation(NamedTuple):
    """Chunk `number` is cited; `sent` says whether a call carried text of it."""

    number: int
    exists: bool
    sent: bool

    @property
    def problem(self) -> str | None:
        """Say what is wrong with the citation; None if nothing is."""
        if not self.exists:
            return f"[{self.number}] names no chunk of this run"
        if not self.sent:
            return f"[{self.number}] names a chunk that no call carried"
        return None


def citations(trace: Trace) -> tuple[Citation, ...]:
    """Read the citations of the response in order, at most 1,000; [1, 3] is two of them."""

    @cache
    def citation(number: int) -> Citation:
        if not 1 <= number <= len(trace.setup.chunks):
            return Citation(number, False, False)
        stretches = trace.coverage[number - 1].stretches
        return Citation(number, True, any(stretch.calls for stretch in stretches))

    every = (
        citation(int(number))
        for found in CITATION.finditer(trace.response or "")
        for number in re.findall(r"\d+", found["numbers"])
    )
    return tuple(islice(every, _MOST))
