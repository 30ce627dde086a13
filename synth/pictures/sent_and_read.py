"""One call whose prompt its server cut: what was sent, and what was read of it.

How long both are is the server's count, as far as it is known; the kinds of text have of that the
shares that we count.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from synth.pictures.meanings import MEANINGS
from synth.pictures.shapes import Anchor, Box, Path, Picture, Text
from synth.pictures.words import fitting
from synth.runs.budget import Budget, tokens_by_kind
from synth.runs.cuts import Cut
from synth.runs.trace import Trace
from synth.text.wording import Bold

_LEFT, _RIGHT, _TOP, _BAR, _APART, _BOTTOM = 82, 112, 26, 30, 15, 20  # pixels
_AROUND = 12  # pixels beside words in a bar


class Cutting(NamedTuple):
    """What a server did to the prompt of `call`: the tokens `sent` and `kept`, and its window.

    `unread` are about the tokens of each kind of text that it cut off, by our count, as those of
    the `budget` are.
    """

    call: int
    budget: Budget
    sent: int
    kept: int
    window: int
    unread: Mapping[str, int]


def longest_cut(trace: Trace, cut: Cut) -> Cutting:
    """What was done to the longest of the prompts that a server cut."""
    number, sent = max(zip(cut.calls, cut.sent, strict=True), key=lambda pair: pair[1])
    [call] = [call for call in trace.calls if call.number == number]
    unread = tokens_by_kind(trace.unread_spans[number], trace.setup.tokenizer)
    return Cutting(number, trace.budget(call), sent, cut.kept, cut.window, unread)


def sent_and_read(cutting: Cutting, width: int) -> Picture:
    """Two bars on one scale, with the server's window and the one that was planned for."""
    _, budget, sent, kept, window, unread = cutting
    scale = sent / max(1, budget.prompt)
    parts = [(kind, tokens * scale) for kind, tokens in budget.parts.items() if tokens]
    left = [(kind, (tokens - unread.get(kind, 0)) * scale) for kind, tokens in budget.parts.items()]
    read = [("unread", float(sent - kept)), *((kind, rest) for kind, rest in left if rest > 0)]
    end = max(sent + budget.reserved, window, budget.window)
    alt = f"{sent:,} tokens were sent, {kept:,} were read: the first {sent - kept:,} were cut."
    bottom = _TOP + 2 * _BAR + _APART
    picture = Picture(width, bottom + _BOTTOM, alt, (0, end * 1.002), _LEFT, _RIGHT)
    over = [Bold(f"{sent:,}"), " tokens", "\n", Bold(f"▲ {sent - window:,} over")]
    _bar(picture, "sent", [*parts, ("reserved", float(budget.reserved))], over, _TOP, window)
    _bar(picture, "read", read, [Bold(f"{kept:,}"), " tokens"], _TOP + _BAR + _APART)
    _line(picture, window, "the server's window", (_TOP - 5, _TOP + _BAR + 5), _TOP - 12)
    if budget.window != window:
        _line(picture, budget.window, "this page's window", (_TOP, bottom + 4), bottom + 11)
    return picture


def _line(picture: Picture, at: int, name: str, ends: tuple[float, float], y: float) -> None:
    """A line at so many tokens, from pixel to pixel, and its words at `y`."""
    anchor: Anchor = "end" if at > picture.ends[1] / 2 else "start"
    picture.add(Path([[(at, one) for one in ends]], "rule"))
    picture.add(Text(at, y, [f"{name} ", Bold(f"{at:,}")], anchor=anchor))


def _bar(
    picture: Picture,
    name: str,
    parts: Sequence[tuple[str, float]],
    total: list[str],
    top: float,
    line: float = 0,
) -> None:
    """A bar with its name: kinds of text in their order, each with its tokens, and their total.

    Words stand beside a `line` through the bar.
    """
    middle, start, words = top + _BAR / 2, 0.0, []
    for kind, tokens in parts:
        end, meaning = start + tokens, MEANINGS[kind]
        picture.add(Box(start, end, top, _BAR, f"k-{kind}", f"{meaning.label} {tokens:,.0f}"))
        choices = (f"{meaning.label} {tokens:,.0f}", f"{tokens:,.0f}")
        inner = line if start < line < end else start
        left, right = max((start, inner), (inner, end), key=lambda part: part[1] - part[0])
        if text := fitting(choices, (right - left) / picture.pixel - _AROUND):
            plate = "plate " * meaning.hatched
            words.append(Text((left + right) / 2, middle, text, f"{plate}on-{kind}"))
        start = end
    picture.add(*words, Text(picture.ends[1], middle, total, "", "end", _RIGHT - 2, 13))
    picture.name(middle, name, size=13)
