"""A reader of what others wrote, tried on damaged files."""

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from synth.errors import SynthError
from tests.soak.damage import damaged


@dataclass(frozen=True)
class Reader:
    """A reader: `use` reads a damaged file and does what the app does with it.

    It may raise `refuses` and nothing else. `share` is its share of the cases, against 1 of most.
    """

    name: str
    files: Callable[[], tuple[str, ...]]
    use: Callable[[str], object]
    refuses: tuple[type[Exception], ...] = (SynthError,)
    share: float = 1.0

    def try_one(self, seed: str) -> bool:
        """Whether the damaged file of this seed was read; False if it was refused in words."""
        dice = Random(f"{self.name} {seed}")
        file = damaged(dice, dice.choice(self.files()))
        try:
            self.use(file)
        except self.refuses as problem:
            if not str(problem).strip():
                raise AssertionError("It is refused without a word.") from problem
            return False
        return True
