"""What presets are made of: our own texts, the request of an input, choices in order."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from synth.default_prompts import DEFAULTS
from synth.llms import LLM, ExtractiveLLM
from synth.sizes import CHUNK_OVERLAP_RATIO
from synth.tokens import DEFAULT_ENCODING
from ui.request.request import Request

_TEXTS = Path(__file__).with_name("texts")


@dataclass(frozen=True)
class Source:
    """A text of ours as chunks, and a question to it."""

    question: str
    chunks: tuple[str, ...]


def chunks_of(name: str) -> tuple[str, ...]:
    """The chunks of a text beside this file, which a blank line separates."""
    text = _TEXTS.joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(text.strip().split("\n\n"))


LIGHTHOUSE = Source("How did life at the lighthouse change over time?", chunks_of("lighthouse"))
BRIDGE = Source("What does the engineer recommend for the old bridge?", chunks_of("bridge"))


def some(chance: Random, chunks: tuple[str, ...], count: int) -> tuple[str, ...]:
    """So many of the chunks, in their order."""
    places = sorted(chance.sample(range(len(chunks)), count))
    return tuple(chunks[place] for place in places)


def request_of(mode: str, query: str, chunks: tuple[str, ...], **limits: Any) -> Request:
    """A request with our own templates; `limits` must give window and num_output, in tokens."""
    values: dict[str, Any] = {
        "behaviour": "documented",
        "overlap": CHUNK_OVERLAP_RATIO,
        "chunk_limit": None,
        "padding": None,
        "encoding": DEFAULT_ENCODING,
        "filtering": False,
        "templates": tuple((name, (("user", text.template),)) for name, text in DEFAULTS.items()),
        "variables": (),
        "model": "offline",
    }
    return Request(
        mode=mode,
        query=query,
        chunks=chunks,
        positions=tuple(range(len(chunks))),
        scores=(None,) * len(chunks),
        **values | limits,
    )


def offline(request: Request) -> LLM:
    """The model that quotes the chunks."""
    return ExtractiveLLM(request.window, request.num_output, request.encoding)


def numbers(answer: int, within: tuple[int, int], shift: int, *traps: int) -> tuple[int, ...]:
    """Five numbers in order, or as many as there are from `within[0]` to `within[1]`.

    They are the answer, the traps, and neighbours; `shift` decides how many are below it.
    """
    least, most = within
    below = 1 + shift % 3
    near = [answer - step for step in range(1, below + 1)]
    near += [answer + step for step in range(1, 6)]
    near += [answer - step for step in range(below + 1, 6)]
    possible = [number for number in (*traps, *near) if least <= number <= most]
    return tuple(sorted(list(dict.fromkeys([answer, *possible]))[:5]))


def tries(seed: int) -> Iterator[Random]:
    """Sources of chance, always the same for a seed: a generator takes the first that serves."""
    for attempt in range(200):
        yield Random(f"{seed} {attempt}")


def first_that(holds: Callable[[Any], bool], found: Iterator[Any]) -> Any:
    """The first that the condition holds for; a lesson's presets are tested to have one."""
    return next(candidate for candidate in found if holds(candidate))
