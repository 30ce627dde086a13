"""Seams: places in a text where a tokenizer always begins a new piece.

There the counts on both sides add up exactly. A space after a character that is not white
space is one: neither pattern of OpenAI's lets anything but white space run on into a space. So
are Chinese punctuation after a Chinese character, and in ASCII the end of a run of letters or
digits. None lies inside a special token. tests/test_tokens.py holds this against plain encoding
on random text; `add_up` asks it of a tokenizer that somebody brings.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from random import Random
from string import ascii_letters, digits, punctuation

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]

# Whether a character is white space. No character after U+3000 is: the last entry is for them all.
_WHITE = np.array([chr(point).isspace() for point in range(0x3002)])
_MARK = "▁"  # which SentencePiece writes for a space, and so reads as one
_STOPS = "，。！？；：、"
_HAN = (0x4E00, 0x9FA5)
# What ends a run of letters: no apostrophe (o200k reads "don't" as one piece), and nothing
# that special tokens like <|fim_prefix|> have inside.
_AFTER = "\n" + punctuation.translate(str.maketrans("", "", "'|_"))
# What may be a special token, which is read as one before anything is cut: <|im_end|>, [INST].
_SPECIAL = re.compile(r"<[^\s<>]{1,60}>|\[[^\s\[\]]{1,60}\]")
_NOT_ASCII = 0x80  # stands for every such character
_RUNS = (ascii_letters, digits + _AFTER), (digits, ascii_letters + _AFTER)


class Seams:
    """The seams of a tokenizer, at none of which one of these tokens could lie on both sides.

    Where a pattern cuts a text before byte pairs are joined, only special tokens can do so.
    """

    def __init__(self, tokens: Iterable[str] = ()) -> None:
        inside = {pair for token in tokens for pair in pairwise(token)}
        before_space = {_MARK, *(left for left, right in inside if right == " ")}
        self._no_space = _WHITE.copy()
        self._no_space[[min(ord(left), len(_WHITE) - 1) for left in before_space]] = True
        stops = "".join(sorted(set(_STOPS) - {right for _, right in inside}))
        self._stops = np.array([*map(ord, stops)], np.uint32)
        runs, afters = bytearray(256), bytearray(256)  # of ASCII characters; the rest are 0
        places = [
            rf"(?<=[^\s{re.escape(''.join(before_space))}]) ",
            f"(?<=[{chr(_HAN[0])}-{chr(_HAN[1])}])[{stops}]" if stops else "(?!)",
        ]
        for kind, (run, after) in enumerate(_RUNS, 1):
            ends = "".join(sorted(set(after) - {right for left, right in inside if left in run}))
            for character in run:
                runs[ord(character)] = kind
            for character in ends:
                afters[ord(character)] |= kind
            places.append(f"(?<=[{run}])[{re.escape(ends)}]" if ends else "(?!)")
        self._runs, self._afters = bytes(runs), bytes(afters)
        seam = f"(?={'|'.join(places)})"
        self._between = re.compile(f"(.+?){seam}(.*){seam}", re.DOTALL)
        self.split = lru_cache(maxsize=4_096)(self._split)

    def _split(self, text: str) -> tuple[str, str, str]:
        """A text as a head, what is between two seams inside it (or nothing), and a tail."""
        match = self._between.match(text)
        if match is None:
            return text, "", ""
        return match[1], match[2], text[match.end() :]

    def at(self, points: NDArray[np.uint32]) -> Bools:
        """Whether each offset of a text is one; both its ends are. `points` are its characters."""
        seams = np.zeros(len(points) + 1, np.bool_)
        spaces = np.flatnonzero(points[1:] == ord(" "))  # the offset before each space
        left = np.minimum(points[spaces], len(_WHITE) - 1)
        seams[spaces[~self._no_space[left]] + 1] = True
        wide = np.flatnonzero(points[1:] >= ord(min(_STOPS)))
        stops = wide[np.isin(points[1:][wide], self._stops)]
        seams[stops[(points[stops] >= _HAN[0]) & (points[stops] <= _HAN[1])] + 1] = True
        small = np.empty(len(points), np.uint8)
        characters = np.minimum(points, _NOT_ASCII, out=small, casting="unsafe").tobytes()
        # Not by numpy's indexing, which makes eight bytes of each character first.
        runs, afters = (
            np.frombuffer(characters.translate(kinds), np.uint8)
            for kinds in (self._runs, self._afters)
        )
        seams[1:-1] |= runs[:-1] & afters[1:] > 0
        seams[[0, -1]] = True
        return seams

    def add_up(self, count: Callable[[str], int], texts: Iterable[str]) -> bool:
        """Whether a tokenizer's counts add up at them in each text; `count` reads a text alone."""
        for text in texts:
            cuts = np.flatnonzero(self.at(points_of(text))).tolist()
            if count(text) != sum(count(text[start:end]) for start, end in pairwise(cuts)):
                return False
        return True


def points_of(text: str) -> NDArray[np.uint32]:
    """The characters of a text as numbers; halves of characters stay what they are."""
    return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


SEAMS = Seams()
"""Those of a tokenizer to which special tokens are plain text, or are all like <|endoftext|>."""


def atom_bounds(text: str) -> list[int]:
    """The offsets that cut a text at every seam, outside of what may be a special token.

    The counts of its parts add up, and few of these differ: a server that is asked for each
    different one once need not be asked again for any text that is made of them.
    """
    seams = SEAMS.at(points_of(text))
    for special in _SPECIAL.finditer(text):
        seams[special.start() + 1 : special.end()] = False
    bounds: list[int] = np.flatnonzero(seams).tolist()
    return bounds


# Of these texts are made in which the tokens of most tokenizers differ from those of any other.
_PARTS = (
    *("a", "The", " word", "pool", "was", "SET", "to", "8,", "isn't", "don't", "we'll", "I'LL"),
    *("O'Neil’s", "naïve", "12", "1,048.50", "2024-03-14", "0x1F", "3rd", "v7.14.0", "10:31"),
    *("50%", "a1b2", "1e-9", "x9", "7", "٣", "²", "½", "aaaaaaaaaaaa", "camelCaseName"),
    *("HTTPServer", "ANSI_C", "e.g.", "U.S.", "Answer:", "'s", "''", "_", '"so"', "$5", "@a"),
    *("\n", "\n\n", "\n---\n", "\r\n", "\n- ", "\n1. ", "\n| a | b |\n", "\t", " ", "  ", "   "),
    *("    ", "\u00a0", "\u3000", "\u200b", "▁", "\\n", ".", ",", "--", "...", "?!", "***", "="),
    *("#", "##", "`x`", "|", "||", "/", "//", "(", "){\n", "(see", "below)", "[1]", "{x}"),
    *("x=y;", "foo_bar()", "/usr/bin", "https://a.b/c?d=e", "&amp;", "<", ">", "</p>", "<b>"),
    *("中", "文字", "，", "。", "连接池", "设置为，", "八。", "其中：", "あ", "日本語の"),
    "テスト。",
    *("한국", "한국어", "é", "e\u0301", "ß", "Å", "ﬁ", "Größe", "Straße,", "что", "это?"),
    *("हिन्दी", "ไทย", "שלום", "العربية", "مرحبا", "🎉", "🚀", "👩\u200d👧"),
    *("<|im_end|>", "<|im_start|>user\n", "<|eot_id|>", "<end_of_turn>", "</s>", "<s>", "[INST]"),
    *("[/INST]", "<|endoftext|>", "<think>", "<｜end▁of▁sentence｜>", "<|end|>", "<tool_call>"),
)
_TEXTS = 300
_MOST_PARTS = 9  # of a text
_PLAIN = "The pool was set to 8 instead of 80, so requests waited."


def hard_texts(more: Sequence[str] = ()) -> list[str]:
    """Texts, the same each time, that together have what is hard.

    That are seams of all kinds, scripts, special tokens, and what is `more`. The first is plain.
    """
    dice, parts, texts = Random(0), (*_PARTS, *more), [_PLAIN]
    while len(texts) < _TEXTS:
        chosen = dice.choices(parts, k=dice.randint(1, _MOST_PARTS))
        texts.append("".join(part + dice.choice(("", "", " ")) for part in chosen))
    return texts
