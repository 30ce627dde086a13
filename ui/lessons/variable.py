"""The Shakespeare variable: what a custom variable in a template costs."""

from __future__ import annotations

from collections.abc import Iterator

from synth.default_prompts import DEFAULTS
from synth.wording import counted
from ui.lessons.exercises import LIGHTHOUSE, first_that, numbers, offline, request_of, some, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal, facts
from ui.lessons.sums import room_block

_NAME = "tone_name"
_TONES = (
    "Shakespeare",
    "a weather report",
    "a patient teacher of small children",
    "a ship's cook who has seen everything twice",
    "an old lighthouse keeper who would rather talk about birds than about people",
)


def _toned(name: str) -> str:
    """A template of ours that asks for a tone as well."""
    text = DEFAULTS[name].template
    return text.removesuffix("Answer: ") + f"Write it in the tone of {{{_NAME}}}.\nAnswer: "


_TEMPLATES = tuple((name, (("user", _toned(name)),)) for name in DEFAULTS)


def _candidates(seed: int) -> Iterator[Preset]:
    for chance in tries(seed):
        chunks = some(chance, LIGHTHOUSE.chunks, chance.randint(4, 7))
        request = request_of(
            "compact",
            LIGHTHOUSE.question,
            chunks,
            window=chance.randrange(280, 361, 10),
            num_output=48,
            padding=48,
            templates=_TEMPLATES,
            variables=((_NAME, chance.choice(_TONES) if seed else _TONES[0]),),
        )
        yield Preset(request, offline)


def _tone(found: Facts) -> tuple[str, int]:
    """The value of the variable, and its tokens."""
    value = dict(found.request.variables)[_NAME]
    return value, found.high.setup.tokenizer.count(value)


def _ask(found: Facts) -> Question:
    (value, tokens), calls = _tone(found), found.high.call_count
    chunks, cost = len(found.request.chunks), tokens * calls
    return Question(
        f"{_NAME} is “{value}”, {counted(tokens, 'token')}. compact makes {counted(calls, 'call')}"
        f" for these {chunks} chunks. How many tokens does the variable cost in the whole run?",
        numbers(cost, (1, cost + 99), found.request.window // 10, tokens, tokens * chunks),
        cost,
        "Both text_qa_template and refine_template hold the variable, and every call sends one of"
        " them.",
    )


def _show(found: Facts) -> Reveal:
    (_, tokens), calls = _tone(found), found.high.call_count

    def miss(guess: Choice) -> str:
        if int(guess) == tokens:
            return f"You said {guess}: that is one call, and there are {calls}."
        return f"You said {guess}: it is {counted(tokens, 'token')} in {counted(calls, 'call')}."

    cost = (
        Line("", f"tokens of {_NAME}", tokens),
        Line("×", "calls", calls),
        Line("=", "tokens in the whole run", tokens * calls),
    )
    return Reveal(
        f"{counted(tokens * calls, 'token')}.",
        miss,
        (room_block(found.request), cost),
        "A variable is paid for in every call, and its tokens are no longer there for chunks. A"
        " long one, such as a page of style rules, may even add calls.",
    )


def _claim(found: Facts) -> bool:
    spent = [found.high.budget(call).parts["variable"] for call in found.high.calls]
    paid = spent == [_tone(found)[1]] * found.high.call_count
    return paid and 1 < found.high.call_count == found.trace.call_count == found.low.call_count


VARIABLE = Lesson(
    "variable",
    "The Shakespeare variable",
    "Templates are yours to edit, and may hold variables that you name yourself. Here both"
    f" templates end in a wish: write it in the tone of {{{_NAME}}}. What you give for it, such as"
    " Shakespeare, becomes part of each prompt.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control(f"variable {_NAME}", _NAME, _TONES),
    ("prompt", "budget"),
    _claim,
)
