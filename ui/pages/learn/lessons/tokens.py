"""Tokens in Chinese and emoji: the same note, counted in two languages."""

import re
from random import Random

from synth.text.tokens import get_tokenizer
from ui.pages.learn.lessons import exercises, lesson, sums
from ui.settings.request import Request

_NOTES = exercises.chunks_of("notes")  # English, Chinese, English, Chinese, ...
_ENCODINGS = ("cl100k_base", "o200k_base")
_EMOJI = re.compile(r"[\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]+ ?")


def _request(chance: Random, seed: int) -> Request:
    """One or two notes in English, and the same in Chinese."""
    notes = chance.sample(range(0, len(_NOTES), 2), chance.randint(1, 2))
    chunks = tuple(" ".join(_NOTES[note + chinese] for note in notes) for chinese in (0, 1))
    limits = {"context_window": 512, "num_output": chance.choice((96, 128))}
    return exercises.request_of("accumulate", "What does the note say?", chunks, **limits)


def _claim(facts: lesson.LessonFacts) -> bool:
    first, second = facts.request.text_chunks
    english, chinese = sums.chunk_tokens(facts)
    shorter = len(second) < len(first)
    return shorter and chinese > english and facts.trace.call_count == facts.chunks


def _mistakes(facts: lesson.LessonFacts) -> dict[int, str]:
    """Likely wrong answers, each with its mistake; which ones depends on the input."""
    text = facts.request.text_chunks[1]
    english, chinese = sums.chunk_tokens(facts)
    [other] = set(_ENCODINGS) - {facts.request.tokenizer}
    mistakes = [
        (english, "that is the number for the English note"),
        (get_tokenizer(other).count(text), f"that is the number with {other}"),
        (len(text) // 4, "one token for four characters is a rule of thumb for English only"),
        (len(text) * 2, "that would be two tokens for every character"),
        (len(text) * 3, "that would be three tokens for every character"),
    ]
    return exercises.four_of(mistakes, len(text), chinese)


def _task(facts: lesson.LessonFacts) -> lesson.Task:
    first, second = facts.request.text_chunks
    english, chinese = sums.chunk_tokens(facts)
    mistakes, words = _mistakes(facts), facts.tokens(_EMOJI.sub("", second))
    parts = (("Chinese text", words), ("emoji", chinese - words))
    both = (("tokens in Chinese", chinese), ("tokens in English", english))
    larger, smaller = both if chinese >= english else both[::-1]
    more = larger[0].replace("tokens", "more")
    return lesson.Task(
        text=f"Two chunks say the same. The English one has {len(first):,} characters and"
        f" {english:,} tokens. The Chinese one has {len(second):,} characters. How many tokens"
        " does it have?",
        choices=tuple(sorted([*mistakes, chinese])),
        answer=chinese,
        asks="chunk tokens",
        hint=f"{facts.request.tokenizer}, the list of pieces that this tokenizer knows, contains"
        " many whole English words. It contains only some Chinese characters, and cuts the"
        " others into several tokens.",
        head=f"{chinese:,} tokens.",
        miss=exercises.miss_of(mistakes),
        sums=(sums.added(parts, "tokens in Chinese"), sums.difference(larger, smaller, more)),
        remark="Windows and prices are counted in tokens, not in characters or words: the same"
        " content fills more of a window in one language than in another. A newer tokenizer may"
        " need fewer tokens.",
    )


TOKENS = lesson.Lesson(
    key="tokens",
    title="Tokens in Chinese and emoji",
    aim="why the same text fills more of a window in one language than in another.",
    text="A tokenizer cuts text into pieces from a fixed list, which was learned from examples,"
    " most of them English. So a common English word is one token, while a Chinese character or"
    " an emoji may need several.",
    request=_request,
    claim=_claim,
    task=_task,
    control=lesson.Control("tokenizer", "Tokenizer", _ENCODINGS),
    pictures=("picture", "prompt"),
)
