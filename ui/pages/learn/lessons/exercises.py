"""Building blocks of lessons: texts, requests, scripted answers, number choices."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from synth.llms import LLM, LLMMetadata
from synth.prompts.defaults import DEFAULTS
from synth.prompts.kinds import SpanKind
from synth.prompts.prompt import Prompt
from synth.quality.samples import SAMPLES
from synth.runs.steps import Completion
from synth.text.sizes import CHUNK_OVERLAP_RATIO
from synth.text.tokens import DEFAULT_ENCODING
from ui.pages.learn.lessons.lesson import LessonFacts
from ui.settings.request import Model, Request

_TEXTS = Path(__file__).with_name("texts")


@dataclass(frozen=True)
class Source:
    """A text of our own, cut into chunks, and a question about it."""

    question: str
    chunks: tuple[str, ...]


def chunks_of(name: str) -> tuple[str, ...]:
    """The chunks of a text in the folder `texts`; blank lines separate them."""
    text = _TEXTS.joinpath(f"{name}.txt").read_text(encoding="utf-8")
    return tuple(text.strip().split("\n\n"))


def lines_of(name: str) -> list[list[str]]:
    """Return the lines of each paragraph of a text in the folder `texts`."""
    return [paragraph.splitlines() for paragraph in chunks_of(name)]


LIGHTHOUSE = Source("How did life at the lighthouse change over time?", chunks_of("lighthouse"))
KEEPERS = Source("What did the keepers do?", LIGHTHOUSE.chunks)
[POST_MORTEM] = [Source(one.question, one.chunks) for one in SAMPLES if one.name == "post_mortem"]
BRIDGE = Source("What does the engineer recommend for the old bridge?", chunks_of("bridge"))


def sample(
    chance: Random, chunks: tuple[str, ...], least: int, most: int | None = None
) -> tuple[str, ...]:
    """Some of the chunks in their order, from `least` to `most`, or as many as `least`."""
    count = least if most is None else chance.randint(least, most)
    positions = sorted(chance.sample(range(len(chunks)), count))
    return tuple(chunks[position] for position in positions)


def request_of(mode: str, query: str, chunks: tuple[str, ...], **limits: Any) -> Request:
    """A request with the default templates; `limits` must give window and num_output, in tokens."""
    values: dict[str, Any] = {
        "behaviour": "documented",
        "chunk_overlap_ratio": CHUNK_OVERLAP_RATIO,
        "chunk_size_limit": None,
        "response_padding_size": None,
        "tokenizer": DEFAULT_ENCODING,
        "structured_answer_filtering": False,
        "templates": tuple((name, (("user", text.template),)) for name, text in DEFAULTS.items()),
        "variables": (),
        "model": Model(),
    }
    return Request(
        mode=mode,
        query_str=query,
        text_chunks=chunks,
        positions=tuple(range(len(chunks))),
        scores=(None,) * len(chunks),
        **values | limits,
    )


def numbers_beside(
    facts: LessonFacts, answer: int, bounds: tuple[int, int], *traps: int
) -> tuple[int, ...]:
    """Five sorted numbers to choose from, or as many as the bounds (both included) allow.

    They are the answer, the traps (likely mistakes) and neighbours of the answer; the input decides
    how many neighbours are below it.
    """
    least, most = bounds
    below = 1 + facts.characters % 3
    near = [answer - step for step in range(1, below + 1)]
    near += [answer + step for step in range(1, 6)]
    near += [answer - step for step in range(below + 1, 6)]
    possible = [number for number in (*traps, *near) if least <= number <= most]
    return tuple(sorted(list(dict.fromkeys([answer, *possible]))[:5]))


def four_of(mistakes: Sequence[tuple[int, str]], turn: int, answer: int) -> dict[int, str]:
    """Four likely wrong answers, each with its mistake; `turn` decides which of them."""
    first = turn % len(mistakes)
    in_turn = [*mistakes[first:], *mistakes[:first]]
    possible = {value: how for value, how in in_turn if 0 < value != answer}
    return dict(list(possible.items())[:4])


Script = Callable[[str, str], str]
"""From the answer so far (empty in a first call) and the chunk text to the answer."""


class ScriptedLLM(LLM):
    """Answers each prompt as the script says."""

    def __init__(self, script: Script, request: Request) -> None:
        self.metadata = LLMMetadata(
            request.context_window, request.num_output, "scripted", request.tokenizer
        )
        self._script = script

    @override
    def complete(self, prompt: Prompt, schema: type[BaseModel] | None = None) -> Completion:
        existing, context = (
            "".join(str(span.text) for span in prompt.spans if span.kind == kind)
            for kind in (SpanKind.ANSWER, SpanKind.CONTEXT)
        )
        return Completion(self._script(existing, context))
