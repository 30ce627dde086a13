"""Tokens in Chinese and emoji: the same note, counted in two languages."""

from __future__ import annotations

import re
from collections.abc import Iterator

from synth.tokens import get_tokenizer
from ui.lessons.exercises import chunks_of, first_that, offline, request_of, tries
from ui.lessons.lesson import Choice, Control, Facts, Lesson, Line, Preset, Question, Reveal, facts

_NOTES = chunks_of("notes")  # English, Chinese, English, Chinese, ...
_ENCODINGS = ("cl100k_base", "o200k_base")
_EMOJI = re.compile(r"[\u2600-\u27bf\ufe0f\u200d\U0001f300-\U0001faff]+ ?")


def _candidates(seed: int) -> Iterator[Preset]:
    """One or two notes in English, and the same in Chinese."""
    for chance in tries(seed):
        notes = chance.sample(range(0, len(_NOTES), 2), chance.randint(1, 2))
        chunks = tuple(" ".join(_NOTES[note + chinese] for note in notes) for chinese in (0, 1))
        limits = {"window": 512, "num_output": chance.choice((96, 128)), "padding": 5}
        request = request_of("accumulate", "What does the note say?", chunks, **limits)
        yield Preset(request, offline)


def _tokens(found: Facts) -> tuple[int, int]:
    """Tokens of the note in English and in Chinese."""
    english, chinese = found.high.coverage
    return english.tokens, chinese.tokens


def _mistakes(found: Facts) -> dict[int, str]:
    """Some wrong answers, and how one gets at them; others for other inputs."""
    english, chinese = _tokens(found)
    characters = len(found.request.chunks[1])
    [other] = set(_ENCODINGS) - {found.request.encoding}
    made = [
        (english, "the English note has as many"),
        (get_tokenizer(other).count(found.request.chunks[1]), f"so many are there in {other}"),
        (characters // 4, "a quarter of the characters is a rule of thumb for English"),
        (characters * 2, "that would be two tokens for every character"),
        (characters * 3, "that would be three tokens for every character"),
    ]
    turn = characters % len(made)
    possible = {value: how for value, how in made[turn:] + made[:turn] if value != chinese}
    return dict(list(possible.items())[:4])


def _ask(found: Facts) -> Question:
    english, chinese = _tokens(found)
    first, second = found.request.chunks
    return Question(
        f"Two chunks say the same. In English that takes {len(first):,} characters and {english:,}"
        f" tokens. In Chinese it takes {len(second):,} characters. How many tokens?",
        tuple(sorted([*_mistakes(found), chinese])),
        chinese,
        f"{found.request.encoding}, the list of pieces that this tokenizer knows, has whole English"
        " words in it. Of Chinese it knows some characters, and cuts the others up.",
        asks="chunk tokens",
    )


def _show(found: Facts) -> Reveal:
    english, chinese = _tokens(found)
    mistakes = _mistakes(found)
    words = get_tokenizer(found.request.encoding).count(_EMOJI.sub("", found.request.chunks[1]))

    def miss(guess: Choice) -> str:
        return f"You said {int(guess):,}: {mistakes[int(guess)]}."

    parts = (
        Line("", "Chinese text", words),
        Line("+", "emoji", chinese - words),
        Line("=", "tokens in Chinese", chinese),
    )
    both = (("in Chinese", chinese), ("in English", english))
    larger, smaller = both if chinese >= english else both[::-1]
    compared = (
        Line("", f"tokens {larger[0]}", larger[1]),
        Line("−", f"tokens {smaller[0]}", smaller[1]),
        Line("=", f"more {larger[0]}", larger[1] - smaller[1]),
    )
    return Reveal(
        f"{chinese:,} tokens.",
        miss,
        (parts, compared),
        "Windows and prices are in tokens, not in characters or words: the same content fills a"
        " window sooner in one language than in another, and a newer tokenizer may be kinder.",
    )


def _claim(found: Facts) -> bool:
    english, chinese = _tokens(found)
    first, second = found.request.chunks
    shorter = len(second) < len(first)
    return shorter and chinese > english and found.trace.call_count == len(found.request.chunks)


TOKENS = Lesson(
    "tokens",
    "Tokens in Chinese and emoji",
    "A tokenizer cuts text into pieces from a fixed list, which was learned from examples, most"
    " of them English. So a common English word is a single token, while a Chinese character or an"
    " emoji may need several.",
    lambda seed: first_that(lambda preset: _claim(facts(preset)), _candidates(seed)),
    _ask,
    _show,
    Control("encoding", "Tokenizer", _ENCODINGS),
    ("budget", "prompt"),
    _claim,
)
