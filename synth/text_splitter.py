"""TokenTextSplitter, on character offsets.

The rules are those of llama-index-core's splitter of the same name, so that both cut
alike: cut at the separator, which stays in front of the piece that follows it; cut what
is still too large at the backup separators, and then between characters; then fill chunks
piece by piece, where a piece weighs what it counts on its own. A new chunk begins with as
many of the last pieces as the overlap allows.

    >>> TokenTextSplitter(chunk_size=3, chunk_overlap=1).split_text("one two three four five")
    ['one two three', 'three four five']
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from synth.errors import SynthError
from synth.measure import Ints, Measure, Pieces, measured
from synth.spans import Text
from synth.tokens import DEFAULT_ENCODING, Encode, Tokenizer, get_tokenizer


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
        if chunk_size < 1:
            raise SynthError(f"A chunk size of {chunk_size} tokens holds nothing: give 1 or more.")
        if not 0 <= chunk_overlap <= chunk_size:
            raise SynthError(
                f"An overlap of {chunk_overlap} tokens does not go with chunks of {chunk_size}:"
                f" give 0 to {chunk_size}."
            )
        self.chunk_size = chunk_size
        self.chunk_overlap = chunk_overlap
        self.keep_whitespaces = keep_whitespaces
        self.tokenizer = get_tokenizer(tokenizer)
        self._separators = (separator, *backup_separators)

    def split_text(self, text: str) -> list[str]:
        """The chunks of `text`, in order; an empty text is one empty chunk."""
        return [str(part) for part in self.split(Text.of(text))]

    def split(self, text: Text) -> list[Text]:
        """The chunks of `text` as views of its document, so that they keep their origins."""
        if not len(text):
            return [text]
        if self.tokenizer.fits([text], self.chunk_size):
            return self._trimmed([text])
        measure = measured(self.tokenizer, text.document)
        pieces = self._pieces(measure, text.start, text.end)
        views = [Text(text.document, start, end) for start, end in self._merged(pieces)]
        return self._trimmed(views)

    def largest_piece(self, text: Text) -> int:
        """Tokens of the largest piece that a cut of the text leaves whole; 0 if it is empty."""
        measure = measured(self.tokenizer, text.document)
        return int(self._pieces(measure, text.start, text.end).counts.max(initial=0))

    def _trimmed(self, views: list[Text]) -> list[Text]:
        kept = views if self.keep_whitespaces else [view.strip() for view in views]
        return [view for view in kept if len(view)]

    def _pieces(self, measure: Measure, start: int, end: int) -> Pieces:
        """Cut at the first separator that cuts at all, and cut again what is too large."""
        for separator in (*self._separators, ""):
            pieces = measure.pieces(start, end, separator)
            if len(pieces.counts) > 1:
                break
        large = np.flatnonzero(pieces.counts > self.chunk_size).tolist()
        if not large or len(pieces.counts) == 1:
            return pieces
        bounds: list[Ints] = []
        counts: list[Ints] = []
        done = 0
        for index in large:
            inner = self._pieces(measure, int(pieces.bounds[index]), int(pieces.bounds[index + 1]))
            bounds += [pieces.bounds[done:index], inner.bounds[:-1]]
            counts += [pieces.counts[done:index], inner.counts]
            done = index + 1
        return Pieces(
            np.concatenate([*bounds, pieces.bounds[done:]]),
            np.concatenate([*counts, pieces.counts[done:]]),
        )

    def _merged(self, pieces: Pieces) -> Iterator[tuple[int, int]]:
        """Start and end of each chunk: pieces while their counts add up to the chunk size."""
        sums, bounds, total = pieces.sums, pieces.bounds, len(pieces.counts)
        first = last = 0  # the pieces of the chunk at hand, `last` included
        while True:
            reach = int(np.searchsorted(sums, sums[first] + self.chunk_size, side="right")) - 1
            following = max(reach, last + 1)
            yield int(bounds[first]), int(bounds[following])
            if following == total:
                return
            floor = max(sums[following] - self.chunk_overlap, sums[following + 1] - self.chunk_size)
            first = min(max(int(np.searchsorted(sums, floor)), first), following)
            last = following
