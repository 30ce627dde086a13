"""The picture of a prediction: chunks, and calls that are still empty, on one scale of tokens."""

from collections.abc import Iterator, Sequence

from synth.pictures.budget import BudgetRow, window_number
from synth.pictures.meanings import MEANINGS
from synth.pictures.shapes import Box, Label, Path, Picture
from synth.pictures.words import fitting
from synth.text.wording import Bold, counted

ROOM = "context"
"""The segment of an empty call that is the room for chunks, which is never told."""

_LABELS = {"query": "question", ROOM: "room for chunks", "answer": "answer so far"}
_FEW = 4  # calls whose bars are high
_HIGH, _LOW, _GAP, _HEAD = 40, 20, 8, 24  # pixels of a bar, between two, of the window's number
_LEFT = 84  # pixels for labels


def prediction(chunks: Sequence[int], calls: Sequence[BudgetRow], width: int) -> Picture:
    """The tokens of the chunks in a row, and below them a bar for each empty call."""
    window = calls[0].budget.window
    end = max(window, sum(chunks), *(sum(t for _, t in call.segments) for call in calls))
    row = (_HIGH if len(calls) <= _FEW else _LOW) + _GAP
    first = _HIGH + _HEAD
    bottom = first + row * len(calls)
    picture = Picture(width, bottom, _alt(chunks, calls), (0, end), _LEFT, 2)
    _chunks(picture, chunks)
    for at, call in enumerate(calls):
        _call(picture, call, first + row * at, row - _GAP)
    picture.add(Path([[(window, first - 5), (window, bottom - _GAP + 3)]], "rule"))
    picture.add(window_number(window, end, first - 6))
    return picture


def _chunks(picture: Picture, chunks: Sequence[int]) -> None:
    picture.name(_HIGH / 2, [counted(len(chunks), "chunk"), f"\n{sum(chunks):,} tokens"])
    start = 0
    for number, tokens in enumerate(chunks, 1):
        says = f"chunk {number}: {counted(tokens, 'token')}"
        picture.add(Box(start, start + tokens, 1, _HIGH - 2, "k-context", says))
        words = fitting((f"{number}\n{tokens:,}", f"{number}"), tokens / picture.pixel - 4)
        name, *size = words.split("\n")
        parts = [Bold(name), *(f"\n{line}" for line in size)]
        if name:
            picture.add(Label(start + tokens / 2, _HIGH / 2, parts, "on-context"))
        start += tokens


def _call(picture: Picture, call: BudgetRow, top: float, high: float) -> None:
    picture.name(top + high / 2, call.label, size=13)
    start = 0
    for kind, tokens in call.segments:
        style = "k-room" if kind == ROOM else f"k-{kind}"
        says = " ".join(segment_words(call, kind, tokens))
        picture.add(Box(start, start + tokens, top, high, style, says))
        if kind == ROOM:
            picture.add(Label(start + tokens / 2, top + high / 2, Bold("?")))
        start += tokens


def segment_words(call: BudgetRow, kind: str, tokens: int) -> tuple[str, str]:
    """The word for a segment of an empty call, and its tokens as they are told."""
    amount = "?" if kind == ROOM else call.number(kind, tokens)
    return _LABELS.get(kind, MEANINGS[kind].label), amount


def different_calls(calls: Sequence[BudgetRow]) -> Iterator[BudgetRow]:
    """The first call of each kind: others of the same parts differ by a token or two."""
    known = set()
    for call in calls:
        kinds = tuple(kind for kind, _ in call.segments)
        if kinds not in known:
            known.add(kinds)
            yield call


def _alt(chunks: Sequence[int], calls: Sequence[BudgetRow]) -> str:
    parts = [f"{counted(len(chunks), 'chunk')} of {sum(chunks):,} tokens in all"]
    for call in different_calls(calls):
        told = ", ".join(" ".join(segment_words(call, *segment)) for segment in call.segments)
        parts.append(f"{call.label}, which is still empty: {told}")
    return "; ".join(parts)
