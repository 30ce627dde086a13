"""Seams: places in a text where the encodings always begin a new piece.

There the counts on both sides add up exactly. A space after a character that is not white
space is one: neither pattern lets anything but white space run on into a space. So are
Chinese punctuation after a Chinese character, and in ASCII the end of a run of letters or
digits. tests/test_tokens.py holds this against plain encoding on random text.
"""

import re
from functools import lru_cache
from string import ascii_letters, digits, punctuation

import numpy as np
from numpy.typing import NDArray

Bools = NDArray[np.bool_]

# Whether a character is white space. No character after U+3000 is: the last entry is for them all.
_WHITE = np.array([chr(point).isspace() for point in range(0x3002)])
_STOPS = "，。！？；：、"
_STOP_POINTS = np.array([ord(stop) for stop in _STOPS], np.uint32)
_HAN = (0x4E00, 0x9FA5)
# What ends a run of letters: no apostrophe (o200k reads "don't" as one piece), and nothing
# that special tokens like <|fim_prefix|> have inside.
_AFTER = "\n" + punctuation.translate(str.maketrans("", "", "'|_"))
_LETTER, _DIGIT, _OTHER = 1, 2, 3
_KINDS = np.zeros(0x81, np.uint8)  # of ASCII characters, and one more for all others
for _kind, _members in ((_LETTER, ascii_letters), (_DIGIT, digits), (_OTHER, _AFTER)):
    _KINDS[[ord(member) for member in _members]] = _kind
_SEAM = (
    rf"(?=(?<=\S) |(?<=[{chr(_HAN[0])}-{chr(_HAN[1])}])[{_STOPS}]"
    rf"|(?<=[A-Za-z])[0-9{re.escape(_AFTER)}]|(?<=[0-9])[A-Za-z{re.escape(_AFTER)}])"
)
_BETWEEN_SEAMS = re.compile(f"(.+?){_SEAM}(.*){_SEAM}", re.DOTALL)


@lru_cache(maxsize=4_096)
def split_at_seams(text: str) -> tuple[str, str, str]:
    """A text as a head, what is between two seams inside it (or nothing), and a tail."""
    match = _BETWEEN_SEAMS.match(text)
    if match is None:
        return text, "", ""
    return match[1], match[2], text[match.end() :]


def at_seams(points: NDArray[np.uint32]) -> Bools:
    """Whether each offset of a text is a seam; both its ends are. `points` are its characters."""
    seams = np.zeros(len(points) + 1, np.bool_)
    spaces = np.flatnonzero(points[1:] == ord(" "))  # the offset before each space
    seams[spaces[~_WHITE[np.minimum(points[spaces], len(_WHITE) - 1)]] + 1] = True
    wide = np.flatnonzero(points[1:] >= _STOP_POINTS.min())
    stops = wide[np.isin(points[1:][wide], _STOP_POINTS)]
    seams[stops[(points[stops] >= _HAN[0]) & (points[stops] <= _HAN[1])] + 1] = True
    kinds = _KINDS[np.minimum(points, len(_KINDS) - 1)]
    left, right = kinds[:-1], kinds[1:]
    seams[1:-1] |= (left > 0) & (left < _OTHER) & (right > 0) & (left != right)
    seams[[0, -1]] = True
    return seams
