"""How much is read of a file: what goes beyond is refused with its numbers, never half read.

The slowest files found within them are read in seconds, with half a GB of memory.
"""

from synth.errors import ImportedRunError

MOST_BYTES = 10_000_000
MOST_SPANS = 10_000
MOST_RUNS = 1_000
MOST_CALLS = 2_000  # calls of one run
MOST_TEXTS = 10_000  # texts of one run that a synthesizer was given
MOST_VALUES = 100  # values of one call
MOST_ATTRIBUTES = 20_000  # attributes of one span; the recorder of this package keeps up to 10,000
DEEPEST_SPANS = 100  # spans in spans
DEEPEST_ATTRIBUTES = 20  # attributes in attributes


def require(most: int, number: int, what: str, action: str) -> None:
    """Raise ImportedRunError where a number is too large; `what` has a place for it."""
    if number > most:
        found = what.format(f"{number:,}")
        raise ImportedRunError(f"{found}, and {most:,} is the limit: {action}.")
