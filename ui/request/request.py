"""A request: everything that a plan and a run depend on, as one frozen value."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import get_args

from pydantic import ConfigDict, with_config

from synth.export.recipe import Recipe
from synth.models import Price
from synth.response_synthesizers.factory import Behaviour

BEHAVIOURS: tuple[Behaviour, ...] = get_args(Behaviour)

_AS_JSON = ConfigDict(extra="forbid")  # a field that is not known is named, not skipped

_CALL = 400  # characters that take as long to read as a call takes to be planned
_LETTERS = 4  # characters of a token
SHORT = 20  # tokens of an answer that a plan takes as short


@with_config(_AS_JSON)
@dataclass(frozen=True)
class Model:
    """The model that answers, and the settings of it that its answers depend on.

    `kind` is offline, endpoint, human or recorded, or scripted in a lesson. `address` holds no
    user and no password. `price` is the list price, None if none is known.
    """

    kind: str = "offline"
    name: str = ""
    address: str = ""
    temperature: float | None = None
    seed: int | None = None
    price: Price | None = None

    @property
    def free(self) -> bool:
        """Whether its calls cost nothing; those of an endpoint may cost something."""
        return self.kind != "endpoint"

    @property
    def label(self) -> str:
        """The model in words."""
        if self.free:
            return self.name or self.kind
        parts = [self.name or "no model", f"at {self.address or 'the default address'}"]
        options = {"temperature": self.temperature, "seed": self.seed}
        parts += [f"{name} {value}" for name, value in options.items() if value is not None]
        return " · ".join(parts)


@with_config(_AS_JSON)
@dataclass(frozen=True, kw_only=True)
class Request(Recipe):
    """A recipe, the model that answers, and where the chunks stand in the whole list.

    `positions` are counted from 0. `scores` are None where the chunks were not ranked.
    """

    positions: tuple[int, ...]
    scores: tuple[float | None, ...]
    model: Model

    @property
    def answers(self) -> tuple[int, int]:
        """The tokens of a short answer and of the longest, for the two plans of a request."""
        return min(SHORT, self.num_output), self.num_output

    @cached_property
    def work(self) -> int:
        """How much a plan of it reads, about: its characters, and so many more for each call."""
        texts = [self.query, *self.chunks, *(value for _, value in self.variables)]
        texts += [text for _, messages in self.templates for _, text in messages]
        characters = sum(map(len, texts))
        step = max(1, min(self.window, self.chunk_limit or self.window) * (1 - self.overlap))
        calls = max(len(self.chunks), characters / (_LETTERS * step))
        return characters + round(_CALL * calls)

    def with_own_chunk_list(self) -> Request:
        """The same request of a list that has these chunks alone, in the order of their sending."""
        count = len(self.chunks)
        return replace(self, positions=tuple(range(count)), scores=(None,) * count)

    @property
    def lacks_question(self) -> bool:
        """Whether a model would be asked without a question; a mode without templates asks none."""
        return bool(self.templates) and not self.query.strip()
