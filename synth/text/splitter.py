"""TokenTextSplitter, on character offsets.

The rules are those of llama-index-core's splitter of the same name, so that both cut
alike: cut at the separator, which stays in front of the piece that follows it; cut what
is still too large at the backup separators, and then between characters; then fill chunks
piece by piece, where a piece weighs what it counts on its own. A new chunk begins with as
many of the last pieces as the overlap allows. ExactTextSplitter differs in how it fills.

    >>> TokenTextSplitter(chunk_size=3, chunk_overlap=1).split_text("one two three four five")
    ['one two three', 'three four five']
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from typing_extensions import override

from synth.elsewhere import says_what_to_take
from synth.text.sizes import whole
from synth.text.slice_counts import Pieces, SliceCounter, slice_counter
from synth.text.slices import Ints
from synth.text.spans import Text
from synth.text.tokenizer import Encode, Tokenizer
from synth.text.tokens import DEFAULT_ENCODING, get_tokenizer

_GUESSES = 4  # guesses of where a chunk ends, before the search halves


@says_what_to_take
class TokenTextSplitter:
    """Cuts text into chunks of at most `chunk_size` tokens, with `chunk_overlap` tokens in two."""

    def __init__(
        self,
        chunk_size: int = 1024,
        chunk_overlap: int = 20,
        separator: str = " ",
        backup_separators: Sequence[str] = ("\n",),
        keep_whitespaces: bool = False,
        tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING,
    ) -> None:
        self.chunk_size = whole("chunk_size", chunk_size, least=1)
        self.chunk_overlap = whole("chunk_overlap", chunk_overlap, most=self.chunk_size)
        self.keep_whitespaces = keep_whitespaces
        self.tokenizer = get_tokenizer(tokenizer).text_only
        self._separators = (separator, *backup_separators)

    def split_text(self, text: str) -> list[str]:
        """The chunks of `text`, in order; an empty text is one empty chunk."""
        return [str(part) for part in self.split(Text.of(text))]

    def split(self, text: Text) -> list[Text]:
        """The chunks of `text` as views of its document, so that they keep their origins."""
        return list(self._views(text)) if len(text) else [text]

    def first(self, text: Text) -> Text:
        """The first chunk of `text`, which has more than white space; no other is looked for."""
        return next(self._views(text))

    def _views(self, text: Text) -> Iterator[Text]:
        if self.tokenizer.fits([text], self.chunk_size):
            views: Iterable[Text] = [text]
        else:
            counter = slice_counter(self.tokenizer, text.document)
            pieces = self._pieces(counter, text.start, text.end)
            bounds = self._chunks(counter, pieces)
            views = (Text(text.document, start, end) for start, end in bounds)
        for view in views:
            trimmed = view if self.keep_whitespaces else view.strip()
            if len(trimmed):
                yield trimmed

    def largest_piece(self, text: Text) -> int:
        """Tokens of the largest piece that a cut of the text leaves whole; 0 if it is empty."""
        counter = slice_counter(self.tokenizer, text.document)
        return int(self._pieces(counter, text.start, text.end).counts.max(initial=0))

    def _pieces(self, counter: SliceCounter, start: int, end: int) -> Pieces:
        """Cut at the first separator that cuts at all, and cut again what is too large."""
        for separator in (*self._separators, ""):
            pieces = counter.pieces(start, end, separator)
            if len(pieces.counts) > 1:
                break
        large = np.flatnonzero(pieces.counts > self.chunk_size).tolist()
        if not large or len(pieces.counts) == 1:
            return pieces
        bounds: list[Ints] = []
        done = 0
        for index in large:
            inner = self._pieces(counter, int(pieces.bounds[index]), int(pieces.bounds[index + 1]))
            bounds += [pieces.bounds[done:index], inner.bounds[:-1]]
            done = index + 1
        return counter.weighed(np.concatenate([*bounds, pieces.bounds[done:]]))

    def _chunks(self, counter: SliceCounter, pieces: Pieces) -> Iterator[tuple[int, int]]:
        """Start and end of each chunk: pieces while their counts add up to the chunk size."""
        sums, bounds, total = pieces.sums, pieces.bounds, len(pieces.counts)
        first = last = 0  # the pieces of the chunk at hand, `last` included
        while True:
            reach = bisect_right(sums.data, sums[first] + self.chunk_size) - 1
            following = max(reach, last + 1)
            yield int(bounds[first]), int(bounds[following])
            if following == total:
                return
            floor = max(sums[following] - self.chunk_overlap, sums[following + 1] - self.chunk_size)
            first = min(max(bisect_left(sums.data, floor), first), following)
            last = following


class ExactTextSplitter(TokenTextSplitter):
    """The same pieces, but a chunk is filled until it has `chunk_size` tokens, read alone.

    With the next piece every chunk but the last would have more. The overlap is the most
    pieces of at most `chunk_overlap` tokens, read alone, that leave room for the next piece.
    White space at the ends of a chunk counts here, and is stripped afterwards.
    """

    @override
    def _chunks(self, counter: SliceCounter, pieces: Pieces) -> Iterator[tuple[int, int]]:
        run = _Runs(counter, pieces)
        first, least, total = 0, 1, len(pieces.counts)
        while True:
            end = run.furthest(first, range(first + least, total + 1), self.chunk_size)
            yield int(pieces.bounds[first]), int(pieces.bounds[end])
            if end == total:
                return
            first = run.furthest(end, range(end, first - 1, -1), self.chunk_overlap)
            first = run.furthest(end + 1, range(end, first - 1, -1), self.chunk_size)
            least = end + 1 - first


class _Runs:
    """What runs of pieces count, and how far one may go."""

    def __init__(self, counter: SliceCounter, pieces: Pieces) -> None:
        self._counter = counter
        self._pieces = pieces

    def furthest(self, origin: int, bounds: range, room: int) -> int:
        """The last of these bounds to which a run from `origin` has at most `room` tokens.

        The first is taken for granted. Counts nearly rise with the distance; where they do
        not, the bound after the one given is over the room, and that is all.
        """
        fits, over, tries = 0, len(bounds), 0  # positions in `bounds`
        wanted = room
        while over - fits > 1:
            position = self._position(origin, bounds, wanted)
            if tries > _GUESSES:  # the guesses don't meet: halve what is left
                position = min((fits + over) // 2, fits + 2**tries)
            position = min(max(position, fits + 1), over - 1)
            count = self._tokens(origin, bounds[position])
            if count <= room:
                fits = position
            else:
                over = position
            passed = abs(int(self._pieces.before[bounds[position]] - self._pieces.before[origin]))
            wanted = passed + (room - count) * max(passed, 1) // max(count, 1)
            tries += 1
        return bounds[fits]

    def _position(self, origin: int, bounds: range, wanted: int) -> int:
        """Where in `bounds` about so many tokens lie between it and the origin."""
        before = self._pieces.before
        wanted_before = before[origin] + wanted * bounds.step
        if bounds.step < 0:
            return bounds.start - bisect_right(before.data, wanted_before) + 1
        position = bisect_left(before.data, wanted_before)
        if position == len(before) or before[position] > wanted_before:
            position -= 1
        return position - bounds.start

    def _tokens(self, one: int, other: int) -> int:
        """The exact tokens between two bounds, read alone."""
        first, last = min(one, other), max(one, other)
        if self._pieces.seams[first] and self._pieces.seams[last]:
            return int(self._pieces.before[last] - self._pieces.before[first])
        bounds = self._pieces.bounds
        return self._counter.count(int(bounds[first]), int(bounds[last]))
