"""What a lesson is: a preset, a question about it, and the sums that answer it.

Nothing here is a number of its own: questions, answers and sums are computed from the
`Facts` of a preset, which are the plan and the run of that very input.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from synth.errors import SynthError
from synth.events import Finished
from synth.llms import LLM
from synth.trace import Plan, Trace
from ui.request.request import Request
from ui.settings.names import VARIABLE

Choice = int | str
Picture = Literal["budget", "flow", "coverage", "curve", "steps", "prompt", "compare"]


@dataclass(frozen=True)
class Preset:
    """An input and the model that answers it, offline; `scripted` where its answers are given."""

    request: Request
    llm: Callable[[Request], LLM]
    scripted: bool = False


@dataclass(frozen=True)
class Facts:
    """What running a preset shows: its plan with short and with long answers, and its run.

    An input that is refused has plans without calls, whose `problem` says why.
    """

    request: Request
    low: Plan
    high: Plan
    trace: Trace


@dataclass(frozen=True)
class Question:
    """What to predict; `answer` is computed and one of the choices, which are in order.

    `asks` is what the numbers count: all calls of the run, the tokens of a chunk, or another thing.
    """

    text: str
    choices: tuple[Choice, ...]
    answer: Choice
    hint: str
    asks: Literal["calls", "chunk tokens", "other"] = "other"


@dataclass(frozen=True)
class Line:
    """A line of a sum on paper: `amount` is put to what stands above it by `sign`.

    "÷" is rounded up to whole numbers. "=" is the result so far, and ends a block.
    """

    sign: Literal["", "−", "+", "×", "÷", "="]
    label: str
    amount: int


@dataclass(frozen=True)
class Reveal:
    """The answer, what a wrong guess missed, the sums behind it, and what to remember."""

    head: str
    miss: Callable[[Choice], str]
    sums: tuple[tuple[Line, ...], ...]
    remark: str


@dataclass(frozen=True)
class Control:
    """One thing to change: a field of the request and the values that it may take.

    Two names are no fields: "order" of the chunks, and "variable x", a custom variable x.
    """

    field: str
    label: str
    values: tuple[Any, ...]


@dataclass(frozen=True)
class Lesson:
    """One idea. `preset` of seed 0 is the lesson, of another seed an exercise of its kind.

    `claim` is what the lesson says that it shows; it holds for the facts of every preset.
    """

    key: str
    title: str
    text: str
    preset: Callable[[int], Preset]
    question: Callable[[Facts], Question]
    reveal: Callable[[Facts], Reveal]
    control: Control
    pictures: tuple[Picture, ...]
    claim: Callable[[Facts], bool]


def facts(preset: Preset) -> Facts:
    """Plan the preset and run it with its own model; a failure is in the plan and the trace."""
    request = preset.request
    synthesizer = request.synthesizer(preset.llm(request))
    variables: dict[str, Any] = dict(request.variables)
    *_, last = synthesizer.stream(request.query, request.chunks, **variables)
    assert isinstance(last, Finished)
    low, high = (planned(request, tokens) for tokens in request.answers)
    return Facts(request, low, high, last.trace)


def planned(request: Request, answer_tokens: int) -> Plan:
    """The plan of a request whose answers have that many tokens, num_output at most."""
    synthesizer = request.synthesizer()
    tokens = min(answer_tokens, request.num_output)
    values: dict[str, Any] = dict(request.variables)
    try:
        return synthesizer.plan(request.query, request.chunks, answer_tokens=tokens, **values)
    except SynthError as refused:
        setup = synthesizer.setup(request.query, request.chunks)
        return Plan(setup, (), tokens, str(refused))


def value_of(request: Request, control: Control) -> Any:
    """What the request has for the control now."""
    if control.field.startswith(VARIABLE):
        return dict(request.variables)[control.field.removeprefix(VARIABLE)]
    if control.field == "order":
        return "as given" if list(request.positions) == sorted(request.positions) else "reversed"
    return getattr(request, control.field)


def with_value(preset: Preset, control: Control, value: Any) -> Preset:
    """The preset with one thing changed."""
    return replace(preset, request=_changed(preset.request, control, value))


def _changed(request: Request, control: Control, value: Any) -> Request:
    if control.field.startswith(VARIABLE):
        name = control.field.removeprefix(VARIABLE)
        return replace(request, variables=tuple({**dict(request.variables), name: value}.items()))
    if control.field == "order":
        if value_of(request, control) == value:
            return request
        return replace(request, chunks=request.chunks[::-1], positions=request.positions[::-1])
    return replace(request, **{control.field: value})
