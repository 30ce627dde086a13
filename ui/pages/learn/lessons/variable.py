"""The Shakespeare variable: the cost of a custom variable in a template."""

from collections.abc import Iterator

from synth.prompts.defaults import DEFAULTS
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums

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


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    for chance in exercises.attempts(seed):
        chunks = exercises.sample(chance, exercises.KEEPERS.chunks, chance.randint(4, 7))
        request = exercises.request_of(
            "compact",
            exercises.KEEPERS.question,
            chunks,
            context_window=chance.randrange(280, 361, 10),
            num_output=48,
            templates=_TEMPLATES,
            variables=((_NAME, chance.choice(_TONES) if seed else _TONES[0]),),
        )
        yield lesson.Preset(request, exercises.offline)


def _tone(facts: lesson.LessonFacts) -> tuple[str, int]:
    """The value of the variable, and its tokens."""
    value = dict(facts.request.variables)[_NAME]
    return value, facts.high.setup.tokenizer.count(value)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    (value, tokens), calls = _tone(facts), facts.high.call_count
    chunks, cost = len(facts.request.text_chunks), tokens * calls
    return lesson.LessonQuestion(
        text=f"{_NAME} is “{value}”, which is {counted(tokens, 'token')}. compact makes"
        f" {counted(calls, 'call')} for these {chunks} chunks. How many tokens does the variable"
        " cost in the whole run?",
        choices=exercises.numbers(
            cost, (1, cost + 99), sum(map(len, facts.request.text_chunks)), tokens, tokens * chunks
        ),
        answer=cost,
        hint="Both text_qa_template and refine_template contain the variable, and every call"
        " sends one of them.",
        to_do=(
            (
                lesson.SumLine("", f"tokens of {_NAME}", tokens),
                lesson.SumLine("×", "prompts that hold it", None),
                lesson.SumLine("=", "tokens in the whole run", None),
            ),
        ),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    (_, tokens), calls = _tone(facts), facts.high.call_count

    def miss(guess: lesson.Choice) -> str:
        if int(guess) == tokens:
            return f"You said {guess}: that is the cost of one call, and there are {calls}."
        return f"You said {guess}: {counted(calls, 'call')} send {counted(tokens, 'token')} each."

    cost = (
        lesson.SumLine("", f"tokens of {_NAME}", tokens),
        lesson.SumLine("×", "calls", calls),
        lesson.SumLine("=", "tokens in the whole run", tokens * calls),
    )
    return lesson.Reveal(
        head=f"{counted(tokens * calls, 'token')}.",
        miss=miss,
        sums=(sums.room_sum(facts.request), cost),
        remark="A variable is sent in every call, and its tokens take room from the chunks. A"
        " long one, such as a page of style rules, may even add calls.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    spent = [facts.high.budget(call).parts["variable"] for call in facts.high.calls]
    paid = spent == [_tone(facts)[1]] * facts.high.call_count
    return paid and 1 < facts.high.call_count == facts.trace.call_count == facts.low.call_count


VARIABLE = lesson.Lesson(
    key="variable",
    title="The Shakespeare variable",
    aim="what a variable in a template costs in a whole run.",
    text="You can edit the templates, and put variables of your own into them. Here both"
    f" templates end with a request: write it in the tone of {{{_NAME}}}. The value that you"
    " give, such as Shakespeare, becomes part of every prompt.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control(f"variable {_NAME}", _NAME, _TONES),
    pictures=("prompt", "picture"),
    claim=_claim,
)
