"""What a lesson consists of: an input, and a task about it, computed from its plan and its run.

And what lessons are built of: texts, scripted answers, choices, sums of a plan. The words of all
lessons stand in lessons.toml; no answer is written down there or here.
"""

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise
from math import ceil
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal, NamedTuple

from jinja2 import Environment, StrictUndefined
from pydantic import AfterValidator, BaseModel, BeforeValidator, TypeAdapter
from typing_extensions import override

from synth.llms import LLM, ExtractiveLLM, LLMMetadata
from synth.modes.llama_index import PlainPacker
from synth.prompts.packing import JOINT
from synth.prompts.prompt import Prompt, SpanKind
from synth.prompts.templates import DEFAULTS
from synth.quality.samples import SAMPLES
from synth.runs.calls import PlacedCall
from synth.runs.events import Finished
from synth.runs.llm import Completion
from synth.runs.trace import Plan, Trace
from synth.text.diff import count_common
from synth.text.model_tokenizers import DEFAULT_ENCODING
from synth.text.spans import Text
from synth.text.wording import counted, listed, numbered
from ui.plans.plan_range import answer_lengths
from ui.settings.request import SAME_NAME, Model, Request
from ui.settings.schema import DEFAULT

Choice = int | str
PictureName = Literal["picture", "steps", "prompt", "compare"]
Asked = Literal["chunk tokens", "room", "other"]
"""What the numbers of a task count: what is asked is not told before."""

VARIABLE = "variable "


_DEFAULT_TEXTS = {name: template.template for name, template in DEFAULTS.items()}
_QUESTION_FIRST = "Question: {query_str}\nWhat our sources say:\n{context_str}\nAnswer: "
TEMPLATE_SETS = {
    place: tuple((name, (("user", text),)) for name, text in texts.items())
    for place, texts in (
        ("behind the chunks", _DEFAULT_TEXTS),
        ("in front of the chunks", _DEFAULT_TEXTS | {"text_qa_template": _QUESTION_FIRST}),
    )
}
"""The templates of a request by where the question of a first call stands in them."""


@dataclass(frozen=True)
class LessonFacts:
    """A request, its plans with short and with long answers, and its run."""

    request: Request
    low: Plan
    high: Plan
    trace: Trace

    @property
    def chunks(self) -> int:
        """The number of chunks."""
        return len(self.request.text_chunks)

    @property
    def characters(self) -> int:
        """The characters of all chunks."""
        return sum(map(len, self.request.text_chunks))

    @property
    def calls(self) -> int:
        """The number of calls that are planned if answers are long."""
        return self.high.call_count

    @property
    def call_counts(self) -> set[int]:
        """The numbers of calls: with short answers, with long ones, and in the run."""
        return {self.low.call_count, self.high.call_count, self.trace.call_count}

    def tokens(self, text: str) -> int:
        """The tokens of a text."""
        return self.high.setup.tokenizer.count(text)


@dataclass(frozen=True)
class Solution:
    """The `answer` of an exercise, which is one of the `choices`.

    `names` is what the words of the lesson name beside what all lessons do.
    """

    answer: Choice
    choices: tuple[Choice, ...]
    asks: Asked = "other"
    names: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class Task(Solution):
    """A question to predict, and its solution in words; `miss` says what a wrong guess misses."""

    text: str
    hint: str
    head: str
    miss: Callable[[Choice], str]
    remark: str

    def verdict(self, guess: Choice) -> str:
        """Return the sentence about a guess."""
        if guess == self.answer:
            return "That is what you said."
        name = guess if isinstance(guess, str) else f"{guess:,}"
        return f"You said {name}: {self.miss(guess)}."


def read_values(given: Any) -> tuple[Any, ...]:
    """Read values that are listed, or that go from one to another in steps; or a single one."""
    if isinstance(given, Mapping):
        return tuple(range(given["from"], given["to"] + 1, given.get("step", 1)))
    return tuple(given) if isinstance(given, list) else (given,)


def _join(text: str) -> str:
    return " ".join(text.split())


@dataclass(frozen=True)
class Control:
    """One thing to change: a field of the request and the values that it may take.

    Two names are not fields: "order" (of the chunks) and "variable x" (a custom variable x). The
    values of "templates" are the names of `TEMPLATE_SETS`.
    """

    field: str
    label: str
    values: Annotated[tuple[Any, ...], BeforeValidator(read_values)]


@dataclass(frozen=True)
class LessonWords:
    """The words of a lesson; those of its task are templates. `miss` says what a guess misses.

    Without `miss` it is what `missed_calls` says. `answers_from` says whose answers there are, if
    not the offline model's. `input` and `first` are as lessons.toml says.
    """

    title: str
    aim: str
    text: Annotated[str, AfterValidator(_join)]
    question: str
    hint: str
    head: str
    remark: str
    control: Control
    input: Mapping[str, Any] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)
    pictures: tuple[PictureName, ...] = ("picture",)
    miss: str = "{{ missed(guess) }}"
    answers_from: Annotated[str, AfterValidator(_join)] = ""


_TABLES = tomllib.loads(Path(__file__).with_name("lessons.toml").read_text("utf-8"))
_WORDS = TypeAdapter(dict[str, LessonWords]).validate_python(_TABLES)
_templates = Environment(undefined=StrictUndefined, autoescape=False)
_templates.globals.update(counted=counted, listed=listed, numbered=numbered)
_templates.filters["n"] = "{:,}".format


class Lesson:
    """One idea to learn, shown by an input for each seed: seed 0 is the lesson, others exercises.

    A subclass makes an input by chance (`_request`), says whether it shows what the lesson teaches
    (`_claim`), and solves it (`_solve`). Its words and its control are in lessons.toml under its
    key, and its input where chance alone makes it (`exercises.DrawnLesson`).
    """

    key: str

    @property
    def control(self) -> Control:
        """Return the one thing to change."""
        return self.words.control

    @property
    def words(self) -> LessonWords:
        """Return its words."""
        return _WORDS[self.key]

    def _request(self, chance: Random, seed: int) -> Request:
        raise NotImplementedError

    def _claim(self, facts: LessonFacts) -> bool:
        """Return whether this input shows what the lesson teaches, as each preset does."""
        raise NotImplementedError

    def _solve(self, facts: LessonFacts) -> Solution:
        raise NotImplementedError

    def llm(self, request: Request) -> LLM:
        """Return the model that answers: the offline one, which quotes sentences of the chunks."""
        return ExtractiveLLM(request.context_window, request.num_output, request.tokenizer)

    def preset(self, seed: int) -> Request:
        """Return the first input of this seed for which the claim is true."""
        requests = (self._request(Random(f"{seed} {attempt}"), seed) for attempt in range(200))
        return next(request for request in requests if self._claim(self.facts(request)))

    def facts(self, request: Request) -> LessonFacts:
        """Return the facts of an input, answered as this lesson has it answered."""
        return facts_of(request, self.llm)

    def task(self, facts: LessonFacts) -> Task:
        """Return the task of an input, in words."""
        solution, words, request = self._solve(facts), self.words, facts.request
        names = {
            "answer": solution.answer,
            "chunks": facts.chunks,
            "calls": facts.calls,
            "window": request.context_window,
            "num_output": request.num_output,
            "mode": request.mode,
            **solution.names,
        }

        def write(template: str, **more: Choice) -> str:
            return _join(_templates.from_string(template).render(names, **more))

        return Task(
            **vars(solution),
            text=write(words.question),
            hint=write(words.hint),
            head=write(words.head),
            miss=lambda guess: write(words.miss, guess=guess),
            remark=write(words.remark),
        )


@lru_cache(maxsize=16)  # whoever looks for a preset has made its facts, and shows them then
def facts_of(request: Request, llm: Callable[[Request], LLM]) -> LessonFacts:
    """The plans of a request and its run with this model."""
    synthesizer = request.synthesizer(llm(request))
    variables: dict[str, Any] = dict(request.variables)
    *_, last = synthesizer.stream(request.query_str, request.text_chunks, **variables)
    assert isinstance(last, Finished)
    low, high = (planned(request, tokens) for tokens in answer_lengths(request))
    calls = tuple(replace(call, seconds=0.0) for call in last.trace.calls)  # nobody waited for them
    return LessonFacts(request, low, high, replace(last.trace, calls=calls))


def planned(request: Request, answer_tokens: int) -> Plan:
    """The plan of a request if every answer has `answer_tokens` tokens, num_output at most."""
    synthesizer = request.synthesizer()
    tokens = min(answer_tokens, request.num_output)
    values: dict[str, Any] = dict(request.variables)
    return synthesizer.plan(request.query_str, request.text_chunks, answer_tokens=tokens, **values)


def calls_of(request: Request, **changes: Any) -> int:
    """The number of calls that are planned with these changes if answers are long."""
    changed = replace(request, **changes)
    return planned(changed, changed.num_output).call_count


def value_of(request: Request, control: Control) -> Any:
    """The value that the request has for the control."""
    if control.field.startswith(VARIABLE):
        return dict(request.variables)[control.field.removeprefix(VARIABLE)]
    if control.field == "order":
        return "as given" if list(request.positions) == sorted(request.positions) else "reversed"
    if control.field == "templates":
        return next(name for name, texts in TEMPLATE_SETS.items() if texts == request.templates)
    return getattr(request, control.field)


def with_value(request: Request, control: Control, value: Any) -> Request:
    """The request with one thing changed."""
    if control.field.startswith(VARIABLE):
        name = control.field.removeprefix(VARIABLE)
        return replace(request, variables=tuple({**dict(request.variables), name: value}.items()))
    if control.field == "order":
        if value_of(request, control) == value:
            return request
        return replace(
            request, text_chunks=request.text_chunks[::-1], positions=request.positions[::-1]
        )
    if control.field == "templates":
        return replace(request, templates=TEMPLATE_SETS[value])
    return replace(request, **{control.field: value})


_TEXTS = Path(__file__).with_name("texts")


class Source(NamedTuple):
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
    values: dict[str, Any] = {name: DEFAULT.value(name) for name in SAME_NAME} | {
        "mode": mode,
        "query_str": query,
        "text_chunks": chunks,
        "positions": tuple(range(len(chunks))),
        "scores": (None,) * len(chunks),
        "tokenizer": DEFAULT_ENCODING,
        "reasoning_output": 0,
        "templates": TEMPLATE_SETS["behind the chunks"],
        "variables": (),
        "model": Model(),
    }
    return Request(**values | limits)


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
