"""Which settings make a recording fit: they are tried, not guessed.

A trace doesn't say the overlap, the padding, the chunk size limit or the tokenizer, and an
application may give its prompt helper another window than its model has. Each of these is
tried alone, then each size with each overlap. A size is searched by halves: where our first
prompt that differs is the longer one, there is too much room.

Several sizes may do the same: less of a window is as good as more padding. The one whose
number is round is likelier to stand in somebody's settings.
"""

from dataclasses import dataclass

from synth.errors import ImportedRunError
from synth.traces.imported_run import ImportedRun
from synth.traces.settings import Size, choices, overlaps, sizes
from synth.traces.verification import Verification

_MOST_TRIES, _FEWEST, _MOST_CHARACTERS = 1_000, 50, 50_000_000  # of one search
_ROUND = (1_024, 1_000, 512, 500, 256, 250, 100, 64, 50, 10, 5, 1)


@dataclass(frozen=True)
class Fit:
    """The run under settings that make all prompts equal, and what was changed, in words."""

    run: ImportedRun
    changes: tuple[str, ...]


def fits(run: ImportedRun) -> list[Fit]:
    """Settings under which all prompts are equal, the likeliest first; none where none is found.

    The run as it is, where its prompts are equal. ImportedRunError where its mode isn't known, or
    where none was found when as many settings were tried as its length allows.
    """
    search = _Search(run)
    if search.verify(run).equal:
        return [Fit(run, ())]
    for change, candidate in choices(run):
        if search.verify(candidate).equal:
            return [Fit(candidate, (change,))]
    for changes, start in [((), run), *(((change,), each) for change, each in overlaps(run))]:
        solved = [(size, search.solve(start, size)) for size in sizes(run)]
        found = [(size, value) for size, value in solved if value is not None]
        if found:
            found.sort(key=lambda pair: _unit(pair[1]), reverse=True)
            return [
                Fit(size.at(start, value), (*changes, f"{size.name} {value:,}"))
                for size, value in found
            ]
    search.require_end()
    return []


class _Search:
    """Verifications of one run under other settings, so many and no more."""

    def __init__(self, run: ImportedRun) -> None:
        self._characters = sum(map(len, run.texts))
        self._most = min(_MOST_TRIES, max(_MOST_CHARACTERS // (self._characters + 1), _FEWEST))
        self._left = self._most

    def verify(self, run: ImportedRun) -> Verification:
        self._left -= 1
        return run.verify()

    def require_end(self) -> None:
        """ImportedRunError where more would have been tried."""
        if self._left <= 0:
            raise ImportedRunError(
                f"{self._most:,} settings were tried with {self._characters:,} characters of"
                " chunks, and none made all prompts equal; more are not tried: set those of the"
                " application by hand, or record a shorter run."
            )

    def solve(self, run: ImportedRun, size: Size) -> int | None:
        """The roundest value of the size under which all prompts are equal."""
        low, high = size.least, size.most
        while low <= high and self._left > 0:
            middle = (low + high) // 2
            side = self._side(run, size, middle)
            if not side:
                return _roundest(
                    self._edge(run, size, middle, low - 1), self._edge(run, size, middle, high + 1)
                )
            low, high = (low, middle - 1) if side > 0 else (middle + 1, high)
        return None

    def _edge(self, run: ImportedRun, size: Size, equal: int, unequal: int) -> int:
        """The value furthest from `equal`, towards `unequal`, under which they are equal too."""
        while abs(equal - unequal) > 1 and self._left > 0:
            middle = (equal + unequal) // 2
            if self._side(run, size, middle):
                unequal = middle
            else:
                equal = middle
        return equal

    def _side(self, run: ImportedRun, size: Size, value: int) -> int:
        """0 where all prompts are equal; 1 where the value is too large, -1 if too small."""
        found = self.verify(size.at(run, value))
        if found.equal:
            return 0
        difference = found.first_difference
        if difference is None:  # there is no room for a chunk, or an answer is missing
            longer = False
        elif difference.recorded is None or difference.ours is None:
            longer = difference.ours is None  # fewer calls carry more each
        else:
            longer = len(difference.ours) > len(difference.recorded)
        return 1 if longer == size.rising else -1


def _unit(value: int) -> int:
    return next(unit for unit in _ROUND if value % unit == 0)


def _roundest(low: int, high: int) -> int:
    multiples = (-(-low // unit) * unit for unit in _ROUND)
    return next(value for value in multiples if low <= value <= high)
