"""The citations of a response, such as [2]: whether chunk 2 exists and was sent."""

import re
from functools import cache
from itertools import islice
from typing import NamedTuple

from synth.runs.trace import Trace

CITATION = re.compile(r"[\[【［](?P<numbers>\d{1,3}(?:\s*[,;，、]\s*\d{1,3})*)[\]】］]")
_MOST = 1_000  # citations of a response


class Citation(NamedTuple):
    """Chunk `number` is cited; `problem` is what is wrong with that, None if nothing is."""

    number: int
    problem: str | None


def read_citations(trace: Trace) -> tuple[Citation, ...]:
    """Read the citations of the response in order, at most 1,000; [1, 3] is two of them."""

    @cache
    def citation(number: int) -> Citation:
        if not 1 <= number <= len(trace.setup.chunks):
            return Citation(number, f"[{number}] names no chunk of this run")
        if any(stretch.calls for stretch in trace.coverage[number - 1].stretches):
            return Citation(number, None)
        return Citation(number, f"[{number}] names a chunk that no call carried")

    every = (
        citation(int(number))
        for match in CITATION.finditer(trace.response or "")
        for number in re.findall(r"\d+", match["numbers"])
    )
    return tuple(islice(every, _MOST))
