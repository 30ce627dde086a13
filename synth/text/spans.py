"""Text that knows where it came from.

A `Document` is a string with a list of segments, each saying from which chunk or earlier
answer its characters were taken. A `Text` is a view of a document: two offsets. Stripping
and slicing move the offsets, joining makes a new document, and nothing is ever found by
searching. So every character of a prompt can be followed back to the chunk it stood in:

    >>> one, two = Text.of("  alpha", "chunk", 1), Text.of("beta", "chunk", 2)
    >>> joined = join([one.strip(), two], "-").slice(3, 8)
    >>> str(joined)
    'ha-be'
    >>> [tuple(origin) for origin in joined.origins]
    [('chunk', 1, 5, 7), ('chunk', 2, 0, 2)]
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

SourceKind = Literal["chunk", "answer"]


class Origin(NamedTuple):
    """Characters `start` to `end` of chunk or answer `number` (counted from 1)."""

    kind: SourceKind
    number: int
    start: int
    end: int


class Segment(NamedTuple):
    """An origin and the offset in the document at which its characters begin."""

    at: int
    origin: Origin


@dataclass(frozen=True, eq=False)
class Document:
    """A string, and the origins of its parts in order."""

    text: str
    segments: tuple[Segment, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Text:
    """The characters `start` to `end` of a document."""

    document: Document
    start: int
    end: int

    @classmethod
    def of(cls, text: str, kind: SourceKind | None = None, number: int = 0) -> Text:
        """Return the whole of `text`, as chunk or answer `number`, or with no origin at all."""
        origin = () if kind is None else (Segment(0, Origin(kind, number, 0, len(text))),)
        return cls(Document(text, origin), 0, len(text))

    def __str__(self) -> str:
        return self.document.text[self.start : self.end]

    def __repr__(self) -> str:
        return f"Text({str(self)!r})"

    def __len__(self) -> int:
        return self.end - self.start

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Text):
            return NotImplemented
        return str(self) == str(other) and self.origins == other.origins

    def __hash__(self) -> int:
        return hash(str(self))

    def slice(self, start: int, end: int) -> Text:
        """Return the characters `start` to `end` of this view."""
        return Text(self.document, self.start + start, min(self.start + end, self.end))

    def strip(self) -> Text:
        """Return this view without white space at its ends."""
        text = str(self)
        bare = text.lstrip()
        start = self.start + len(text) - len(bare)
        return Text(self.document, start, start + len(bare.rstrip()))

    @property
    def placed(self) -> tuple[Segment, ...]:
        """Return the origins of this view's characters, each with its offset in the view."""
        segments = self.document.segments
        first = max(0, bisect_right(segments, self.start, key=lambda segment: segment.at) - 1)
        segments_in_view = []
        for at, (kind, number, start, end) in segments[first:]:
            if at >= self.end:
                break
            left, right = max(self.start, at), min(self.end, at + end - start)
            if left < right:
                origin = Origin(kind, number, start + left - at, start + right - at)
                segments_in_view.append(Segment(left - self.start, origin))
        return tuple(segments_in_view)

    @property
    def origins(self) -> tuple[Origin, ...]:
        """Return where this view's characters came from, in order; separators come from nowhere."""
        return tuple(segment.origin for segment in self.placed)


def join(texts: Sequence[Text], separator: str) -> Text:
    """Return the texts one after the other, with `separator` between them, as one new document."""
    if len(texts) == 1:
        return texts[0]
    segments, at = [], 0
    for text in texts:
        segments += [Segment(at + offset, origin) for offset, origin in text.placed]
        at += len(text) + len(separator)
    whole = separator.join(map(str, texts))
    return Text(Document(whole, tuple(segments)), 0, len(whole))
