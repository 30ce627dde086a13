"""Cutting texts at separators: as LlamaIndex does, and so that each part is as long as it can be.

Both cut at the separator, which stays in front of the piece that follows it; what is too large
between two of them at the backup separators, and what is still too large between characters.
`TokenTextSplitter` adds up what the pieces count, each alone, as llama-index-core's splitter of the
same name does. `TextFiller` asks of the whole part whether it fits.

    >>> TokenTextSplitter(chunk_size=3, chunk_overlap=1).split_text("one two three four five")
    ['one two three', 'three four five']
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate

from synth.errors import whole
from synth.text.model_tokenizers import DEFAULT_ENCODING, get_tokenizer
from synth.text.spans import Text
from synth.text.tokenizer import Encode, Tokenizer

BACKUP_SEPARATORS = ("\n",)

_JOINT = 4  # tokens by which a beginning may count more than what goes on
_MOST_BYTES = 4  # of a character
_GUESSES = 5  # of where a part ends, before what is left is halved


class TokenTextSplitter:
    """Cuts text into chunks of at most `chunk_size` tokens, with `chunk_overlap` tokens in two."""

    def __init__(
        self,
        chunk_size: int = 1024,
        chunk_overlap: int = 20,
        separator: str = " ",
        backup_separators: Sequence[str] = BACKUP_SEPARATORS,
        keep_whitespaces: bool = False,
        tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING,
    ) -> None:
        self.chunk_size = whole("chunk_size", chunk_size, least=1)
        self.chunk_overlap = whole("chunk_overlap", chunk_overlap, most=self.chunk_size)
        self.keep_whitespaces = keep_whitespaces
        self.tokenizer = get_tokenizer(tokenizer).text_only
        self._separators = (separator, *backup_separators)

    def split_text(self, text: str) -> list[str]:
        """Return the chunks of `text`, in order; an empty text is one empty chunk."""
        return [str(part) for part in self.split(Text.of(text))]

    def split(self, text: Text) -> list[Text]:
        """Return the chunks of `text` as views of its document, so that they keep their origins."""
        if not len(text):
            return [text]
        string = str(text)
        # A beginning that is clearly too long spares the count of megabytes, for which others wait.
        likely = self.tokenizer.count(string[: 32 * self.chunk_size]) <= self.chunk_size + _JOINT
        if likely and self.tokenizer.count(string) <= self.chunk_size:
            ends = [(0, len(string))]
        else:
            pieces, counts = self._pieces(string)
            ends = list(self._chunks([0, *accumulate(map(len, pieces))], [0, *accumulate(counts)]))
        views = (text.slice(start, end) for start, end in ends)
        trimmed = (view if self.keep_whitespaces else view.strip() for view in views)
        return [view for view in trimmed if len(view)]

    def _pieces(self, text: str) -> tuple[list[str], list[int]]:
        """Cut at the first separator that cuts at all, and again what is too large; count it."""
        for separator in (*self._separators, ""):
            pieces = _cut_before(text, separator)
            if len(pieces) > 1:
                break
        tokens = {piece: self.tokenizer.count(piece) for piece in dict.fromkeys(pieces)}
        counts = [tokens[piece] for piece in pieces]
        if len(pieces) == 1 or max(counts) <= self.chunk_size:
            return pieces, counts
        smaller: list[str] = []
        their_counts: list[int] = []
        for piece, count in zip(pieces, counts, strict=True):
            inner = self._pieces(piece) if count > self.chunk_size else ([piece], [count])
            smaller += inner[0]
            their_counts += inner[1]
        return smaller, their_counts

    def _chunks(self, bounds: list[int], sums: list[int]) -> Iterator[tuple[int, int]]:
        """Give start and end of each chunk, by the characters and the tokens before each piece."""
        total = len(bounds) - 1
        first = last = 0  # the pieces of the chunk at hand, `last` included
        while True:
            reach = bisect_right(sums, sums[first] + self.chunk_size) - 1
            following = max(reach, last + 1)
            yield bounds[first], bounds[following]
            if following == total:
                return
            floor = max(sums[following] - self.chunk_overlap, sums[following + 1] - self.chunk_size)
            first = min(max(bisect_left(sums, floor), first), following)
            last = following


def _cut_before(text: str, separator: str) -> list[str]:
    if not separator:
        return list(text)
    head, *others = text.split(separator)
    pieces = [separator + other for other in others]
    return [head, *pieces] if head else pieces


Excess = Callable[[Text], int]
"""A function that says by how many tokens a text is too long; where it fits, 0 or less."""


class TextFiller:
    """Cuts a text into the fewest parts that each fit, as `excess` tells of a whole part.

    The next part begins with at most `overlap` tokens of the one before; a text may have `room`
    tokens about.
    """

    def __init__(
        self,
        excess: Excess,
        room: int,
        overlap: int,
        tokenizer: Tokenizer,
        separator: str = " ",
    ) -> None:
        self._excess = excess
        self._room = room
        self._overlap = overlap
        self._tokenizer = tokenizer
        self._separators = (separator, *BACKUP_SEPARATORS, "")
        self._characters_a_token = 0.0
        self._reached: dict[int, int] = {}

    def split(self, text: Text) -> Iterator[Text]:
        """Give the parts without white space at their ends, and none that is nothing else."""
        rest: Text | None = text
        while rest is not None:
            part, rest = self.split_off(rest)
            if len(part):
                yield part

    def split_off(self, text: Text) -> tuple[Text, Text | None]:
        """Return the first part, and what is left, which begins with the overlap."""
        end = self.find_end(text)
        part = Text(text.document, text.start, end).strip()
        return part, self.leave(text, end) if end < text.end else None

    def find_end(self, text: Text) -> int:
        """Return where the first part of a text ends."""
        if (reached := self._reached.pop(text.start, None)) is not None:
            return reached
        guess = text.start + int(self._room * self._find_pace(text))
        reach = _Reach(text, self._excess, self._room, guess)
        end = reach.furthest(self._separators)
        self._characters_a_token = reach.characters_a_token or self._characters_a_token
        return end

    def leave(self, text: Text, end: int) -> Text:
        """Return what is left behind `end`, with the overlap if more than that follows."""
        begin = self._overlap_begin(text, end)
        if begin < end:
            reached = self.find_end(Text(text.document, begin, text.end))
            if text.document.text[end:reached].strip():
                self._reached = {begin: reached}
                return Text(text.document, begin, text.end)
        return Text(text.document, end, text.end)

    def _find_pace(self, text: Text) -> float:
        """Return about how many characters a token has."""
        if not self._characters_a_token:
            sample = str(text)[: 4 * self._room]
            self._characters_a_token = len(sample) / max(1, self._tokenizer.estimate(sample))
        return self._characters_a_token

    def _overlap_begin(self, text: Text, end: int) -> int:
        """Return where the overlap of a part that ends there begins; at the end, if it has none."""
        document = text.document.text
        begin = max(text.start + 1, end - int(self._overlap * self._find_pace(text)))
        while begin < end:
            middle = (begin + end) // 2
            places = (document.find(separator, begin, middle) for separator in self._separators)
            place = next((place for place in places if place >= 0), begin)
            if self._tokenizer.estimate(document[place:end]) <= self._overlap:
                return place
            begin = max(begin + 1, end - (end - place) * 7 // 8)
        return end


class _Reach:
    """How far a part may go: it fits to `_fits` and, at no separator, `_near`; not to `_over`."""

    def __init__(self, text: Text, excess: Excess, room: int, guess: int) -> None:
        self._text = text
        self._characters = text.document.text
        self._excess = excess
        self._room = room
        self._guess = guess
        self._fits = text.start
        self._near = (text.start, -room)
        self._over: tuple[int, int] | None = None
        self._tries = 0

    @property
    def characters_a_token(self) -> float:
        """Return the characters for each token of the part as far as it was counted, or 0."""
        place, excess = self._near
        return (place - self._text.start) / max(1, self._room + excess)

    def furthest(self, separators: Sequence[str]) -> int:
        """Return the furthest place, but at least one character on."""
        most = self._text.end
        for separator in separators:
            self._extend(separator, most)
            if self._fits == self._text.end:
                break
            if self._fits > self._text.start:
                place = self._characters.find(separator, self._fits + 1, most)
                most = place if place >= 0 else most
                if not self._is_too_large(self._fits, most):
                    break
        return max(self._fits, min(self._text.start + 1, self._text.end))

    def _extend(self, separator: str, most: int) -> None:
        size = len(separator)
        while self._fits < most:
            if self._over is not None:
                limit = min(most, self._over[0])
            else:  # no further than need be: a text may have no separator for megabytes
                limit = min(most, self._guess + (self._guess - self._text.start) // 8 + 64)
            place = limit
            if self._guess < limit:
                place = self._characters.rfind(separator, self._fits + 1, self._guess + size)
                if place < 0:
                    place = self._characters.find(separator, self._fits + 1, limit + size - 1)
                if place < 0:
                    place = limit
            if self._over is not None and place >= self._over[0]:
                return
            self._try(place, is_place=place < limit or place == most)

    def _try(self, place: int, is_place: bool) -> None:
        excess = self._excess(Text(self._text.document, self._text.start, place))
        self._tries += 1
        if excess > 0:
            self._over = place, excess
        else:
            self._near = place, excess
            if is_place:
                self._fits = place
        near, room = self._near[0], -self._near[1]
        if self._over is None:
            step = room * (self.characters_a_token or 4)
            if self._tries > _GUESSES:  # the text is lighter and lighter
                step = max(step, near - self._text.start)
            self._guess = near + max(1, int(step))
        elif self._tries > _GUESSES:
            self._guess = (near + self._over[0]) // 2
        else:
            self._guess = near + (self._over[0] - near) * room // (room + self._over[1])

    def _is_too_large(self, start: int, end: int) -> bool:
        """Return whether the piece between two places is too large for a part of its own."""
        if _MOST_BYTES * (end - start) <= self._room:  # no token is less than a byte
            return False
        size = 2 * max(1, self._fits - self._text.start)
        while self._excess(Text(self._text.document, start, min(end, start + size))) <= 0:
            if start + size >= end:
                return False
            size *= 2
        return True
