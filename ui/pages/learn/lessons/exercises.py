"""What lessons are built of: texts, requests, scripted answers, choices, and sums of a plan."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import ceil
from pathlib import Path
from random import Random
from typing import Any

from pydantic import BaseModel
from typing_extensions import override

from synth.llms import LLM, LLMMetadata
from synth.modes.llama_index import PlainPacker
from synth.prompts.packing import JOINT
from synth.prompts.prompt import Prompt, SpanKind
from synth.prompts.window import CHUNK_OVERLAP_RATIO
from synth.quality.samples import SAMPLES
from synth.runs.calls import PlacedCall
from synth.runs.llm import Completion
from synth.runs.trace import Plan, Trace
from synth.text.diff import count_common
from synth.text.spans import Text
from synth.text.tokens import DEFAULT_ENCODING
from synth.text.wording import counted
from ui.pages.learn.lessons.lesson import (
    TEMPLATE_SETS,
    Asked,
    Choice,
    Lesson,
    LessonFacts,
    Solution,
    read_values,
)
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


_SOURCES = {
    "lighthouse": LIGHTHOUSE,
    "keepers": KEEPERS,
    "post_mortem": POST_MORTEM,
    "bridge": BRIDGE,
    "both": Source("Summarize the main points.", BRIDGE.chunks + LIGHTHOUSE.chunks),
}


class DrawnLesson(Lesson):
    """A lesson whose input chance makes of what stands in lessons.toml."""

    @override
    def _request(self, chance: Random, seed: int) -> Request:
        given = {**self.words.input, **({} if seed else self.words.first)}
        source = _SOURCES[_choose(chance, given.pop("source"))]
        chunks = sample(chance, source.chunks, *given.pop("chunks"))
        limits = {name: _choose(chance, values) for name, values in given.items()}
        limits.setdefault("query_str", source.question)
        limits["templates"] = TEMPLATE_SETS[limits.get("templates", "behind the chunks")]
        return request_of(limits.pop("mode"), limits.pop("query_str"), chunks, **limits)


def _choose(chance: Random, given: Any) -> Any:
    values = read_values(given)
    return values[0] if len(values) == 1 else chance.choice(values)


def request_of(mode: str, query: str, chunks: tuple[str, ...], **limits: Any) -> Request:
    """A request with the default templates; `limits` must give window and num_output, in tokens."""
    values: dict[str, Any] = {
        "behaviour": "documented",
        "chunk_overlap_ratio": CHUNK_OVERLAP_RATIO,
        "chunk_size_limit": None,
        "response_padding_size": None,
        "tokenizer": DEFAULT_ENCODING,
        "structured_answer_filtering": False,
        "templates": TEMPLATE_SETS["behind the chunks"],
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


def choose_number(
    facts: LessonFacts, answer: int, bounds: tuple[int, int], *traps: int, **names: object
) -> Solution:
    """Let the answer be chosen from five sorted numbers, or as many as the bounds allow.

    They are the answer, the traps (likely mistakes) and neighbours of the answer; the input decides
    how many neighbours are below it. Both bounds are included.
    """
    least, most = bounds
    below = 1 + facts.characters % 3
    near = [answer - step for step in range(1, below + 1)]
    near += [answer + step for step in range(1, 6)]
    near += [answer - step for step in range(below + 1, 6)]
    possible = [number for number in (*traps, *near) if least <= number <= most]
    choices = sorted(list(dict.fromkeys([answer, *possible]))[:5])
    return Solution(answer, tuple(choices), names=names)


def choose_mistake(
    answer: int, asks: Asked, mistakes: Sequence[tuple[int, str]], turn: int, **names: object
) -> Solution:
    """Let the answer be chosen among four likely mistakes, each with its words; `turn` picks."""
    first = turn % len(mistakes)
    in_turn = [*mistakes[first:], *mistakes[:first]]
    possible = {value: how for value, how in in_turn if 0 < value != answer}
    picked = dict(list(possible.items())[:4])
    return Solution(answer, tuple(sorted([*picked, answer])), asks, {"mistakes": picked, **names})


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


ROOM = "room"
"""The part of a call that is the room for its chunks."""


def parts_of(request: Request, *, later: bool = False) -> dict[str, int]:
    """The window that the packer gives the first call, or each `later` one of a chain, in parts.

    They are the kinds of text in a call but for its chunks, for which there is ROOM; all in tokens.
    BudgetError where there is too little of it.
    """
    synthesizer = request.synthesizer()
    count = synthesizer.prompt_helper.tokenizer.count
    packer, names = synthesizer.packer, synthesizer.templates
    values = {"query_str": request.query_str, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values) for name in names]
    padding = packer.padding if len(filled) > 1 else packer.margin
    variables, answer, used = request.variables, 0, filled[0]
    if isinstance(packer, PlainPacker):
        if len(filled) > 1:
            used = packer.choose_tighter(*(one.partial(existing_answer="") for one in filled))
        room = packer.helper.chunk_size(used.measured, padding=padding)
        variables = ()  # LlamaIndex leaves them out when it packs
    else:
        if later and len(filled) > 1:
            used, answer = packer.with_longest_answer(filled[-1]), request.num_output + JOINT
        room = packer.room(used, padding)
    parts = {
        "query": count(request.query_str),
        "variable": sum(count(text) for _, text in variables),
        "answer": answer,
        ROOM: room,
        "reserved": request.num_output,
        "padding": padding,
    }
    return {"template": request.context_window - sum(parts.values()), **parts}


def answers_change(trace: Trace) -> bool:
    """Whether each call of a chain changes the answer; a last one with little text need not."""
    answers = [call.answer for call in trace.calls]
    return all(before != after for before, after in pairwise(answers[:-1] or answers))


def chunk_tokens(facts: LessonFacts) -> list[int]:
    """The tokens of each chunk."""
    return list(map(facts.tokens, facts.request.text_chunks))


def context(call: PlacedCall) -> Text:
    """The chunk text of a call."""
    [text] = [span.text for span in call.prompt.spans if span.kind == "context"]
    return text


def calls_per_level(run: Plan | Trace) -> list[int]:
    """The number of calls on each level of a tree, from the one that reads the chunks."""
    counts = Counter(call.depth for call in run.calls)
    return [counts[level] for level in sorted(counts)]


def texts_of_answers(request: Request, answers: Sequence[Text]) -> list[Text]:
    """The texts into which a level packs these answers."""
    synthesizer = request.synthesizer()
    variables = dict(request.variables)
    template = synthesizer.filled("summary_template", query_str=request.query_str, **variables)
    return synthesizer.packer.repack(template, answers)


def count_new_tokens(plan: Plan) -> list[int]:
    """The tokens of the joined chunks that each call sends and no call before it sends."""
    texts = [context(call) for call in plan.calls]
    count = plan.setup.tokenizer.count
    joined = texts[0].document.text if texts else ""
    counts = [0, *(count(joined[: text.end]) for text in texts)]
    return [after - before for before, after in pairwise(counts)]


def count_shared_tokens(plan: Plan, other: Plan) -> int:
    """The tokens with which the first prompts of both plans begin."""
    first, second = (
        call.prompt.encode(call.tokenizer, before_answers=True)
        for call in (plan.calls[0], other.calls[0])
    )
    return count_common(first, second)


def least_calls(facts: LessonFacts) -> int:
    """The calls for this text if each of them is filled completely."""
    first, later = (parts_of(facts.request, later=later)[ROOM] for later in (False, True))
    left = sum(count_new_tokens(facts.high)) - first
    overlap = int(later * facts.request.chunk_overlap_ratio)
    return 1 + max(0, ceil(left / (later - overlap)))


def missed_calls(plan: Plan) -> Callable[[Choice], str]:
    """What is wrong with another number of calls than the plan has."""
    tokens = count_new_tokens(plan)

    def miss(guess: Choice) -> str:
        if int(guess) > len(tokens):
            return f"no text is left after call {len(tokens)}"
        return f"that leaves {counted(sum(tokens[int(guess) :]), 'token')} unsent"

    return miss
