"""Never ends: answers that are as long as the text they summarize."""

from collections.abc import Iterator
from dataclasses import replace

from synth.llms import LLM
from synth.prompts.window import PARAGRAPH
from synth.text.spans import Text
from synth.text.splitter import TokenTextSplitter
from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

_LENGTHS = tuple(range(24, 145, 8))
_SCRIPTED = (
    "The answers were written for this lesson: each of them repeats the text that it is to"
    " summarize until the answer length is used up."
)


def _wordy(request: Request) -> LLM:
    """A model that repeats what it reads until num_output is used up."""
    count = get_tokenizer(request.tokenizer).count
    splitter = TokenTextSplitter(request.num_output, 0, tokenizer=request.tokenizer)

    def script(existing: str, context: str) -> str:
        times = 1 + request.num_output // max(count(context), 1)
        return splitter.split_text(" ".join([context] * times))[0]

    return exercises.ScriptedLLM(script, request)


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    for chance in exercises.attempts(seed):
        source = chance.choice((exercises.BRIDGE, exercises.LIGHTHOUSE))
        chunks = exercises.sample(chance, source.chunks, chance.randint(4, 9))
        limits = {"context_window": 256, "num_output": chance.randrange(80, 145, 8)}
        request = exercises.request_of(
            "tree_summarize", "Summarize the main points.", chunks, **limits
        )
        shortest = replace(request, num_output=_LENGTHS[0])
        if (
            sums.calls_per_level(lesson.planned(shortest, _LENGTHS[0]))[0] > 1
        ):  # else there is no level 1
            yield lesson.Preset(request, _wordy, _SCRIPTED)


def _answers(facts: lesson.LessonFacts) -> list[Text]:
    """The answers of level 0, as the run gave them."""
    return [Text.of(call.answer or "") for call in facts.trace.calls if call.depth == 0]


def _calls_of_level_1(facts: lesson.LessonFacts) -> int:
    """Calls that level 1 needs to read the answers of level 0."""
    return len(sums.texts_of_answers(facts.request, _answers(facts)))


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    calls, answer = len(_answers(facts)), _calls_of_level_1(facts)
    return lesson.LessonQuestion(
        text=f"Level 0 makes {counted(calls, 'call')}. Every answer is as long as it may be, up to"
        f" {facts.request.num_output:,} tokens. How many calls does level 1 need to read these"
        " answers?",
        choices=exercises.numbers(
            answer, (1, 2 * answer + 3), facts.request.num_output // 8 + calls, 1, calls
        ),
        answer=answer,
        hint="The answers are packed like chunks. If one of them is about as long as the room in"
        " a call, packing can't save a call.",
        to_do=(
            sums.room_sum(facts.request),
            *sums.further_call_sum(facts.request),
            _read_sum(facts),
            (lesson.SumLine("=", "calls that level 1 needs", None),),
        ),
    )


def _read_sum(facts: lesson.LessonFacts) -> lesson.Sum:
    """The tokens of the answers of level 0, alone and joined."""
    count, answers = facts.high.setup.tokenizer.count, list(map(str, _answers(facts)))
    alone, joined = sum(map(count, answers)), count(PARAGRAPH.join(answers))
    return (
        lesson.SumLine("", f"{counted(len(answers), 'answer')} of level 0", alone),
        lesson.SumLine("+" if joined >= alone else "−", "by the blank lines", abs(joined - alone)),
        lesson.SumLine("=", "tokens for level 1 to read", joined),
    )


def _sent_sum(facts: lesson.LessonFacts) -> lesson.Sum:
    """The tokens of the texts that level 1 would send, which repeat some of those read."""
    texts = sums.texts_of_answers(facts.request, _answers(facts))
    count, read = facts.high.setup.tokenizer.count, _read_sum(facts)[-1]
    sent = sum(count(str(text)) for text in texts)
    again = sent - (read.amount or 0)
    return (
        replace(read, sign=""),
        lesson.SumLine("+" if again >= 0 else "−", "sent again, by the overlap", abs(again)),
        lesson.SumLine("=", f"tokens in {counted(len(texts), 'text')} of level 1", sent),
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    calls, above = len(_answers(facts)), _calls_of_level_1(facts)

    def miss(guess: lesson.Choice) -> str:
        return f"You said {guess}: the answers of level 0 fill {counted(above, 'call')}."

    counts = (("calls that level 1 needs", above), ("calls that level 0 made", calls))
    more, fewer = counts if above >= calls else counts[::-1]
    difference = "more calls" if above >= calls else "fewer calls"
    compared = sums.difference(more, fewer, difference)
    return lesson.Reveal(
        head=f"{counted(above, 'call')} on level 1.",
        miss=miss,
        sums=(sums.room_sum(facts.request), _read_sum(facts), _sent_sum(facts), compared),
        remark=_remark(facts),
    )


def _remark(facts: lesson.LessonFacts) -> str:
    if facts.high.problem is None:
        levels = counted(facts.high.longest_chain, "level")
        return (
            "The answers are short enough: each level has less to read than the one before, and"
            f" the tree ends after {levels}."
        )
    calls = counted(facts.high.call_count, "call")
    return (
        f"So the tree would never end, and the Playground stops it after {calls}. A spending cap"
        " would stop it too; llama-index-core goes on until Python reports a RecursionError."
        " With shorter answers or a larger window the tree ends."
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    stopped = facts.trace.error_kind == "NotShrinking" and facts.high.problem is not None
    grows = _calls_of_level_1(facts) >= len(_answers(facts))
    return stopped and grows and facts.high.longest_chain == 1 and facts.low.problem is None


ENDLESS = lesson.Lesson(
    key="endless",
    title="Never ends",
    aim="when a tree of summaries can't end, and what to change then.",
    text="A tree of summaries ends because every level has less text to read than the level"
    " before. That is so only if answers are shorter than the text they summarize. If a model"
    " writes as much as it reads, the tree never reaches a last call.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("num_output", "Answer length (num_output)", _LENGTHS),
    pictures=("picture",),
    claim=_claim,
)
