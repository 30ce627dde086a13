"""What a lesson consists of: an input, a task about it, and the sums that solve it.

Tasks and sums are computed from the `LessonFacts` of an input, that is from its
plan and its run. No number is written down here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random
from typing import Any, Literal

from synth.llms import LLM, ExtractiveLLM
from synth.runs.events import Finished
from synth.runs.trace import Plan, Trace
from ui.settings.request import Request

Choice = int | str
PictureName = Literal["picture", "coverage", "curve", "steps", "prompt", "compare"]


VARIABLE = "variable "


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
class SumLine:
    """One line of a sum on paper: `sign` joins `amount` to the total of the lines above.

    "÷" rounds up to whole numbers. "=" gives the result and ends the sum. An `amount` of None is
    the number to find. `reason` says why there is such a line at all.
    """

    sign: Literal["", "−", "+", "×", "÷", "="]
    label: str
    amount: int | None
    reason: str = ""


Sum = tuple[SumLine, ...]


@dataclass(frozen=True)
class Task:
    """A question to predict, and its solution; `answer` is one of the `choices`, which are sorted.

    `asks` is what the numbers count: the calls of the run, the tokens of a chunk, or another thing.
    `to_do` are the sums that lead to the answer, as far as they are known; only the last one has
    numbers to find. The solution has a `head`, what a wrong guess would `miss`, the `sums`
    behind it, and a `remark` to remember.
    """

    text: str
    choices: tuple[Choice, ...]
    answer: Choice
    hint: str
    head: str
    miss: Callable[[Choice], str] | str
    sums: tuple[Sum, ...]
    remark: str
    to_do: tuple[Sum, ...] = ()
    asks: Literal["calls", "chunk tokens", "other"] = "other"

    def verdict(self, guess: Choice) -> str:
        """The sentence about a guess."""
        if guess == self.answer:
            return "That is what you said."
        miss = self.miss if isinstance(self.miss, str) else self.miss(guess)
        said = guess if isinstance(guess, str) else f"{guess:,}"
        return f"You said {said}: {miss}."


@dataclass(frozen=True)
class Control:
    """One thing to change: a field of the request and the values that it may take.

    Two names are not fields: "order" (of the chunks) and "variable x" (a custom variable x).
    """

    field: str
    label: str
    values: tuple[Any, ...]


def offline(request: Request) -> LLM:
    """The offline model, which quotes sentences of the chunks."""
    return ExtractiveLLM(request.context_window, request.num_output, request.tokenizer)


def attempts(seed: int) -> Iterator[Random]:
    """Random generators to try in turn, always the same ones for a seed."""
    for attempt in range(200):
        yield Random(f"{seed} {attempt}")


@dataclass(frozen=True)
class Lesson:
    """One idea to learn, shown by an input for each seed: seed 0 is the lesson, others exercises.

    `aim` completes the sentence "After it you can say". `request` makes an input by chance, and
    `llm` answers it; `answers_from` says whose answers they are, if not the offline model's.
    `claim` checks what the lesson teaches: it is true for every preset.
    """

    key: str
    title: str
    aim: str
    text: str
    request: Callable[[Random, int], Request]
    claim: Callable[[LessonFacts], bool]
    task: Callable[[LessonFacts], Task]
    control: Control
    pictures: tuple[PictureName, ...]
    llm: Callable[[Request], LLM] = offline
    answers_from: str = ""

    def preset(self, seed: int) -> Request:
        """The first input of this seed for which the claim is true."""
        requests = (self.request(chance, seed) for chance in attempts(seed))
        return next(request for request in requests if self.claim(self.facts(request)))

    def facts(self, request: Request) -> LessonFacts:
        """The facts of an input, answered as this lesson has it answered."""
        return facts_of(request, self.llm)


@lru_cache(maxsize=16)  # whoever looks for a preset has made its facts, and shows them then
def facts_of(request: Request, llm: Callable[[Request], LLM]) -> LessonFacts:
    """The plans of a request and its run with this model."""
    synthesizer = request.synthesizer(llm(request))
    variables: dict[str, Any] = dict(request.variables)
    *_, last = synthesizer.stream(request.query_str, request.text_chunks, **variables)
    assert isinstance(last, Finished)
    low, high = (planned(request, tokens) for tokens in request.answers)
    return LessonFacts(request, low, high, last.trace)


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
    return replace(request, **{control.field: value})
