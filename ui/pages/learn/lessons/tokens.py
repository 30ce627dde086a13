"""Tokens in Chinese and emoji: the same note, counted in two languages."""

import re
from collections.abc import Iterator

from synth.text.tokens import get_tokenizer
from ui.pages.learn.lessons import exercises, lesson, sums

_NOTES = exercises.chunks_of("notes")  # English, Chinese, English, Chinese, ...
_ENCODINGS = ("cl100k_base", "o200k_base")
_EMOJI = re.compile(r"[\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]+ ?")


def _candidates(seed: int) -> Iterator[lesson.Preset]:
    """One or two notes in English, and the same in Chinese."""
    for chance in exercises.attempts(seed):
        notes = chance.sample(range(0, len(_NOTES), 2), chance.randint(1, 2))
        chunks = tuple(" ".join(_NOTES[note + chinese] for note in notes) for chinese in (0, 1))
        limits = {"context_window": 512, "num_output": chance.choice((96, 128))}
        request = exercises.request_of("accumulate", "What does the note say?", chunks, **limits)
        yield lesson.Preset(request, exercises.offline)


def _tokens(facts: lesson.LessonFacts) -> tuple[int, int]:
    """Tokens of the note in English and in Chinese."""
    english, chinese = facts.high.coverage
    return english.tokens, chinese.tokens


def _mistakes(facts: lesson.LessonFacts) -> dict[int, str]:
    """Likely wrong answers, each with its mistake; which ones depends on the input."""
    english, chinese = _tokens(facts)
    characters = len(facts.request.text_chunks[1])
    [other] = set(_ENCODINGS) - {facts.request.tokenizer}
    mistakes = [
        (english, "that is the number for the English note"),
        (
            get_tokenizer(other).count(facts.request.text_chunks[1]),
            f"that is the number with {other}",
        ),
        (characters // 4, "one token for four characters is a rule of thumb for English only"),
        (characters * 2, "that would be two tokens for every character"),
        (characters * 3, "that would be three tokens for every character"),
    ]
    return exercises.four_of(mistakes, characters, chinese)


def _question(facts: lesson.LessonFacts) -> lesson.LessonQuestion:
    english, chinese = _tokens(facts)
    first, second = facts.request.text_chunks
    return lesson.LessonQuestion(
        text=f"Two chunks say the same. The English one has {len(first):,} characters and"
        f" {english:,} tokens. The Chinese one has {len(second):,} characters. How many tokens"
        " does it have?",
        choices=tuple(sorted([*_mistakes(facts), chinese])),
        answer=chinese,
        hint=f"{facts.request.tokenizer}, the list of pieces that this tokenizer knows, contains"
        " many whole English words. It contains only some Chinese characters, and cuts the"
        " others into several tokens.",
        asks="chunk tokens",
    )


def _reveal(facts: lesson.LessonFacts) -> lesson.Reveal:
    english, chinese = _tokens(facts)
    words = get_tokenizer(facts.request.tokenizer).count(
        _EMOJI.sub("", facts.request.text_chunks[1])
    )
    parts = (("Chinese text", words), ("emoji", chinese - words))
    both = (("tokens in Chinese", chinese), ("tokens in English", english))
    larger, smaller = both if chinese >= english else both[::-1]
    more = larger[0].replace("tokens", "more")
    return lesson.Reveal(
        head=f"{chinese:,} tokens.",
        miss=exercises.miss_of(_mistakes(facts)),
        sums=(sums.added(parts, "tokens in Chinese"), sums.difference(larger, smaller, more)),
        remark="Windows and prices are counted in tokens, not in characters or words: the same"
        " content fills more of a window in one language than in another. A newer tokenizer may"
        " need fewer tokens.",
    )


def _claim(facts: lesson.LessonFacts) -> bool:
    english, chinese = _tokens(facts)
    first, second = facts.request.text_chunks
    shorter = len(second) < len(first)
    return (
        shorter and chinese > english and facts.trace.call_count == len(facts.request.text_chunks)
    )


TOKENS = lesson.Lesson(
    key="tokens",
    title="Tokens in Chinese and emoji",
    aim="why the same text fills more of a window in one language than in another.",
    text="A tokenizer cuts text into pieces from a fixed list, which was learned from examples,"
    " most of them English. So a common English word is one token, while a Chinese character or"
    " an emoji may need several.",
    preset=exercises.first_that_shows(_claim, _candidates),
    question=_question,
    reveal=_reveal,
    control=lesson.Control("tokenizer", "Tokenizer", _ENCODINGS),
    pictures=("picture", "prompt"),
    claim=_claim,
)
