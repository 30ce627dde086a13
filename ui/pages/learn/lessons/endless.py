"""Never ends: answers that are as long as the text they summarize."""

from dataclasses import replace
from random import Random

from synth.llms import LLM
from synth.prompts.window import PARAGRAPH
from synth.text.spans import Text
from synth.text.splitter import TokenTextSplitter
from synth.text.tokens import get_tokenizer
from synth.text.wording import counted
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

_LENGTHS = tuple(range(24, 145, 8))


def _wordy(request: Request) -> LLM:
    """A model that repeats what it reads until num_output is used up."""
    count = get_tokenizer(request.tokenizer).count
    splitter = TokenTextSplitter(request.num_output, 0, tokenizer=request.tokenizer)

    def script(existing: str, context: str) -> str:
        times = 1 + request.num_output // max(count(context), 1)
        return splitter.split_text(" ".join([context] * times))[0]

    return exercises.ScriptedLLM(script, request)


def _request(chance: Random, seed: int) -> Request:
    source = chance.choice((exercises.BRIDGE, exercises.LIGHTHOUSE))
    return exercises.request_of(
        "tree_summarize",
        "Summarize the main points.",
        exercises.sample(chance, source.chunks, 4, 9),
        context_window=256,
        num_output=chance.randrange(80, 145, 8),
    )


def _answers(facts: lesson.LessonFacts) -> list[Text]:
    """The answers of level 0, as the run gave them."""
    return [Text.of(call.answer or "") for call in facts.trace.calls if call.depth == 0]


def _texts(facts: lesson.LessonFacts) -> list[Text]:
    """The texts into which level 1 packs the answers of level 0, one for each call."""
    return sums.texts_of_answers(facts.request, _answers(facts))


def _claim(facts: lesson.LessonFacts) -> bool:
    stopped = facts.trace.error_kind == "NotShrinking" and facts.high.problem is not None
    if not stopped or facts.high.longest_chain > 1 or facts.low.problem is not None:
        return False
    shortest = lesson.planned(replace(facts.request, num_output=_LENGTHS[0]), _LENGTHS[0])
    has_level_1 = sums.calls_per_level(shortest)[0] > 1
    return has_level_1 and len(_texts(facts)) >= len(_answers(facts))


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    request, answers, texts = facts.request, _answers(facts), _texts(facts)
    calls, above = len(answers), len(texts)
    read = _read_sum(facts, list(map(str, answers)))
    counts = (("calls that level 1 needs", above), ("calls that level 0 made", calls))
    more, fewer = counts if above >= calls else counts[::-1]
    compared = sums.difference(more, fewer, "more calls" if above >= calls else "fewer calls")
    return lesson.Task(
        text=f"Level 0 makes {counted(calls, 'call')}. Every answer is as long as it may be, up to"
        f" {request.num_output:,} tokens. How many calls does level 1 need to read these"
        " answers?",
        choices=exercises.numbers(
            above, (1, 2 * above + 3), request.num_output // 8 + calls, 1, calls
        ),
        answer=above,
        hint="The answers are packed like chunks. If one of them is about as long as the room in"
        " a call, packing can't save a call.",
        to_do=(
            *sums.rooms(request),
            read,
            (lesson.SumLine("=", "calls that level 1 needs", None),),
        ),
        head=f"{counted(above, 'call')} on level 1.",
        miss=f"the answers of level 0 fill {counted(above, 'call')}",
        sums=(sums.room_sum(request), read, _sent_sum(facts, read[-1], texts), compared),
        remark=_remark(facts),
    )


def _read_sum(facts: lesson.LessonFacts, answers: list[str]) -> lesson.Sum:
    """The tokens of the answers of level 0, alone and joined."""
    alone, joined = sum(map(facts.tokens, answers)), facts.tokens(PARAGRAPH.join(answers))
    return (
        lesson.SumLine("", f"{counted(len(answers), 'answer')} of level 0", alone),
        lesson.SumLine("+" if joined >= alone else "−", "by the blank lines", abs(joined - alone)),
        lesson.SumLine("=", "tokens for level 1 to read", joined),
    )


def _sent_sum(facts: lesson.LessonFacts, read: lesson.SumLine, texts: list[Text]) -> lesson.Sum:
    """The tokens of the texts that level 1 would send, which repeat some of those read."""
    sent = sum(facts.tokens(str(text)) for text in texts)
    again = sent - (read.amount or 0)
    return (
        replace(read, sign=""),
        lesson.SumLine("+" if again >= 0 else "−", "sent again, by the overlap", abs(again)),
        lesson.SumLine("=", f"tokens in {counted(len(texts), 'text')} of level 1", sent),
    )


def _remark(facts: lesson.LessonFacts) -> str:
    if facts.high.problem is None:
        levels = counted(facts.high.longest_chain, "level")
        return (
            "The answers are short enough: each level has less to read than the one before, and"
            f" the tree ends after {levels}."
        )
    return (
        f"So the tree would never end, and the Playground stops it after"
        f" {counted(facts.calls, 'call')}. A spending cap"
        " would stop it too; llama-index-core goes on until Python reports a RecursionError."
        " With shorter answers or a larger window the tree ends."
    )


ENDLESS = lesson.Lesson(
    key="endless",
    title="Never ends",
    aim="when a tree of summaries can't end, and what to change then.",
    text="A tree of summaries ends because every level has less text to read than the level"
    " before. That is so only if answers are shorter than the text they summarize. If a model"
    " writes as much as it reads, the tree never reaches a last call.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("num_output", "Answer length (num_output)", _LENGTHS),
    pictures=("picture",),
    llm=_wordy,
    answers_from="The answers were written for this lesson: each of them repeats the text that it"
    " is to summarize until the answer length is used up.",
)
