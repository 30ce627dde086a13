"""The Shakespeare variable: the cost of a custom variable in a template."""

from random import Random

from synth.prompts.defaults import DEFAULTS
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

_NAME = "tone_name"
_TONES = (
    "Shakespeare",
    "a weather report",
    "a patient teacher of small children",
    "a ship's cook who has seen everything twice",
    "an old lighthouse keeper who would rather talk about birds than about people",
)


def _toned(name: str) -> str:
    """A default template that also asks for a tone."""
    text = DEFAULTS[name].template
    return text.removesuffix("Answer: ") + f"Write it in the tone of {{{_NAME}}}.\nAnswer: "


_TEMPLATES = tuple((name, (("user", _toned(name)),)) for name in DEFAULTS)


def _request(chance: Random, seed: int) -> Request:
    return exercises.request_of(
        "compact",
        exercises.KEEPERS.question,
        exercises.sample(chance, exercises.KEEPERS.chunks, 4, 7),
        context_window=chance.randrange(280, 361, 10),
        num_output=48,
        templates=_TEMPLATES,
        variables=((_NAME, chance.choice(_TONES) if seed else _TONES[0]),),
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    spent = [facts.high.budget(call).parts["variable"] for call in facts.high.calls]
    paid = spent == [facts.tokens(dict(facts.request.variables)[_NAME])] * facts.calls
    return paid and facts.calls > 1 and len(facts.call_counts) == 1


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    value, calls, chunks = dict(facts.request.variables)[_NAME], facts.calls, facts.chunks
    tokens = facts.tokens(value)
    cost = tokens * calls
    paid = lesson.SumLine("", f"tokens of {_NAME}", tokens)

    def miss(guess: lesson.Choice) -> str:
        if int(guess) == tokens:
            return f"that is the cost of one call, and there are {calls}"
        return f"{counted(calls, 'call')} send {counted(tokens, 'token')} each"

    return lesson.Task(
        text=f"{_NAME} is “{value}”, which is {counted(tokens, 'token')}. compact makes"
        f" {counted(calls, 'call')} for these {chunks} chunks. How many tokens does the variable"
        " cost in the whole run?",
        choices=exercises.numbers(cost, (1, cost + 99), facts.characters, tokens, tokens * chunks),
        answer=cost,
        hint="Both text_qa_template and refine_template contain the variable, and every call"
        " sends one of them.",
        to_do=(
            (
                paid,
                lesson.SumLine("×", "prompts that hold it", None),
                lesson.SumLine("=", "tokens in the whole run", None),
            ),
        ),
        head=f"{counted(cost, 'token')}.",
        miss=miss,
        sums=(
            sums.room_sum(facts.request),
            (
                paid,
                lesson.SumLine("×", "calls", calls),
                lesson.SumLine("=", "tokens in the whole run", cost),
            ),
        ),
        remark="A variable is sent in every call, and its tokens take room from the chunks. A"
        " long one, such as a page of style rules, may even add calls.",
    )


VARIABLE = lesson.Lesson(
    key="variable",
    title="The Shakespeare variable",
    aim="what a variable in a template costs in a whole run.",
    text="You can edit the templates, and put variables of your own into them. Here both"
    f" templates end with a request: write it in the tone of {{{_NAME}}}. The value that you"
    " give, such as Shakespeare, becomes part of every prompt.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control(f"variable {_NAME}", _NAME, _TONES),
    pictures=("prompt", "picture"),
)
