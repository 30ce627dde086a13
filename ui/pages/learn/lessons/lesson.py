"""What a lesson consists of: an input, and a task about it.

Tasks are computed from the `LessonFacts` of an input, that is from its plan and its run. The words
of all lessons stand in lessons.toml; no answer is written down there or here.
"""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Annotated, Any, Literal

from jinja2 import Environment, StrictUndefined
from pydantic import BeforeValidator, TypeAdapter

from synth.llms import LLM, ExtractiveLLM
from synth.prompts.templates import DEFAULTS
from synth.runs.events import Finished
from synth.runs.trace import Plan, Trace
from synth.text.wording import counted, listed, numbered
from ui.plans.plan_range import answer_lengths
from ui.settings.request import Request

Choice = int | str
PictureName = Literal["picture", "steps", "prompt", "compare"]
Asked = Literal["chunk tokens", "room", "other"]
"""What the numbers of a task count: what is asked is not told before."""

VARIABLE = "variable "


_TEXTS = {name: template.template for name, template in DEFAULTS.items()}
_QUESTION_FIRST = "Question: {query_str}\nWhat our sources say:\n{context_str}\nAnswer: "
TEMPLATE_SETS = {
    place: tuple((name, (("user", text),)) for name, text in texts.items())
    for place, texts in (
        ("behind the chunks", _TEXTS),
        ("in front of the chunks", _TEXTS | {"text_qa_template": _QUESTION_FIRST}),
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
    text: str
    question: str
    hint: str
    head: str
    remark: str
    control: Control
    input: Mapping[str, Any] = field(default_factory=dict)
    first: Mapping[str, Any] = field(default_factory=dict)
    pictures: tuple[PictureName, ...] = ("picture",)
    miss: str = "{{ missed(guess) }}"
    answers_from: str = ""


_TABLES = tomllib.loads(Path(__file__).with_name("lessons.toml").read_text("utf-8"))
_WORDS = TypeAdapter(dict[str, LessonWords]).validate_python(_TABLES)
_LINES = re.compile(r"[ \n]+")
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
        return _WORDS[self.key].control

    @property
    def words(self) -> LessonWords:
        """Return its words, with their lines joined."""
        words = _WORDS[self.key]
        return replace(words, text=_joined(words.text), answers_from=_joined(words.answers_from))

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
            return _joined(_templates.from_string(template).render(names, **more))

        return Task(
            **vars(solution),
            text=write(words.question),
            hint=write(words.hint),
            head=write(words.head),
            miss=lambda guess: write(words.miss, guess=guess),
            remark=write(words.remark),
        )


def _joined(text: str) -> str:
    return _LINES.sub(" ", text).strip()


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
