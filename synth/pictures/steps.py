"""The refine chain: the chunks that go in below the line, the growing answer above it."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from math import ceil

from synth.pictures.shapes import Box, Head, Label, Path, Picture
from synth.pictures.walk import Step
from synth.pictures.words import thinned, wide
from synth.text.wording import Bold, counted, numbered

LEFT, RIGHT = 104, 20  # pixels beside the steps
_TOP, _BOTTOM, _HEIGHT = 4, 30, 310  # pixels above and below them, and of the whole
_BELOW = 0.66  # how far the picture reaches below the line, in heights of the longest answer
_WIDEST, _WIDEST_COLUMN = 110, 160
"""Pixels of a bar, and from one step to the next, however few they are."""
_LABELS = 51  # pixels for three lines of a label on the longest answer
_BEYOND = 0.6  # how far the picture reaches before the first and beyond the last step, in steps
_LABEL, _LINE = 34, 15  # pixels of half a label in one line, and of a line
_LEAST, _ARROWED, _TICK = 26, 36, 24
"""Pixels of a column that has numbers, and of one that has arrows; of the number of a step."""
_THIN = 60  # steps above which a column is too thin for any hatch or outline
_SIGNS = {"lost": "↓", "filtered": "∅", "failed": "✕"}


@dataclass(frozen=True)
class StepColumns:
    """The steps side by side on `span` pixels; those after `current` are still to come.

    `height` is that of the whole picture, in pixels. All other heights are in words above the
    line and, below it, in tokens times `scale`.
    """

    steps: Sequence[Step]
    span: float
    current: int
    height: int = _HEIGHT

    @property
    def column(self) -> float:
        """Pixels from one step to the next."""
        return min(self.span / len(self.steps), _WIDEST_COLUMN)

    @property
    def range(self) -> tuple[float, float]:
        """The ends of the picture, counted in steps: 1 is the middle of the first one."""
        needed = len(self.steps) - 1 + 2 * _BEYOND
        return 1 - _BEYOND, 1 - _BEYOND + max(needed, self.span / _WIDEST_COLUMN)

    @property
    def ends(self) -> tuple[float, float]:
        """The middles of the first and the last step, as shares of the span."""
        start, end = self.range
        return (1 - start) / (end - start), (len(self.steps) - start) / (end - start)

    @property
    def half(self) -> float:
        """Half of the part of a column that its bar takes."""
        part = 0.66 if self.labelled else 0.84 if self.hatched else 1.0
        return min(part, _WIDEST / self.column) / 2

    @property
    def labelled(self) -> bool:
        """Whether a column holds numbers: "+36"."""
        return self.column >= _LEAST

    @property
    def hatched(self) -> bool:
        """Whether a column is wide enough for hatches and outlines."""
        return len(self.steps) <= _THIN

    @cached_property
    def longest(self) -> int:
        """Words of the longest answer."""
        return max(1, *map(_words, self.steps))

    @cached_property
    def scale(self) -> float:
        """Words that one token below the line is drawn as: the largest chunk is half as high."""
        return 0.55 * self.longest / max(1, *(step.tokens for step in self.steps))

    @property
    def pixel(self) -> float:
        """Words that are one pixel high."""
        return (_BELOW + 1) * self.longest / (self.height - _TOP - _BOTTOM - _LABELS)

    def y(self, words: float) -> float:
        """The pixel at which so many words end; 0 is the line."""
        return _TOP + _LABELS + (self.longest - words) / self.pixel

    def deep(self, step: Step) -> float:
        """The pixels of a step's chunks."""
        return step.tokens * self.scale / self.pixel

    def crest(self, number: int) -> int:
        """Words above which a step's label touches no answer: its own, or those of near steps."""
        near = 0 if self.labelled else ceil(_LABEL / self.column)
        return max(map(_words, self.steps[max(0, number - 1 - near) : number + near]))


def _words(step: Step) -> int:
    """The words of the answer after a step."""
    return step.diff.kept + step.diff.added


def steps_picture(
    steps: Sequence[Step], width: int, current: int | None = None, height: int = _HEIGHT
) -> Picture:
    """The steps of a chain, the `current` one framed and later ones pale.

    `width` and `height` are in pixels. A click tells "step" and its number.
    """
    columns = step_columns(steps, width, current, height)
    picture = Picture(width, height, steps_alt(steps, current), columns.range, LEFT, RIGHT)
    for step in steps:
        picture.add(*_bars(columns, step))
    picture.add(*_arrows(columns, picture.pixel))
    for step in steps:
        picture.add(*_labels(columns, step))
    start = columns.range[0]
    picture.add(Path([[(start, columns.y(0)), (len(steps) + 1 - start, columns.y(0))]], "line"))
    if current is not None:
        picture.add(_frame(columns, steps[current - 1]))
    picture.add(*_beside(columns))
    picture.add(*_numbers(columns))
    return picture


def step_columns(
    steps: Sequence[Step], width: int, current: int | None = None, height: int = _HEIGHT
) -> StepColumns:
    """The columns of a picture of this size in pixels."""
    return StepColumns(steps, width - LEFT - RIGHT, current or len(steps), height)


def _bars(columns: StepColumns, step: Step) -> Iterator[Box]:
    """A chunk below the line, kept and added words above it."""
    line, kept, added = columns.y(0), step.diff.kept, step.diff.added
    style = "" if columns.hatched else " bare"
    style += " pale" * (step.number > columns.current)
    unused = " assumed bare" * (step.filtered or bool(step.failed))
    heights = (
        (line, columns.deep(step), f"k-context{unused}", _chunk_says(step)),
        (columns.y(kept), line - columns.y(kept), "k-answer", _answer_says(step)),
        (columns.y(kept + added), added / columns.pixel, "k-answer plain", _answer_says(step)),
    )
    for top, high, kind, says in heights:
        if high:
            tone = " kept" if kind == "k-answer" and not columns.hatched else ""
            ends = step.number - columns.half, step.number + columns.half
            yield Box(*ends, top, high, kind + tone + style, says, ("step", step.number))


def _chunk_says(step: Step) -> str:
    chunks = dict.fromkeys(piece.label for piece in step.pieces)
    named = list(chunks) if len(chunks) <= 3 else [*list(chunks)[:2], f"{len(chunks) - 2} more"]
    ending = ", filtered" if step.filtered else ", no answer" if step.failed else ""
    return f"step {step.number}{ending}\n{'; '.join(named)}\n{step.tokens:,} tokens"


def _answer_says(step: Step) -> str:
    lost = "\nthe answer was lost" if step.lost else ""
    return f"step {step.number}{lost}\n{step.diff.in_words}"


def _arrows(columns: StepColumns, pixel: float) -> Iterator[Path | Head]:
    """The arrows from step to step, where there is room to see them."""
    if columns.column < _ARROWED:
        return
    y = columns.y(0.06 * columns.longest)
    numbers = [step.number for step in columns.steps]
    legs = [(one + columns.half, other - columns.half - pixel) for one, other in pairwise(numbers)]
    yield Path([[(start, y), (end - 4 * pixel, y)] for start, end in legs], "arrow")
    yield from (Head(end, y) for _, end in legs)


def _labels(columns: StepColumns, step: Step) -> Iterator[Label]:
    """The label above the answer, and in the chunks, or under those that are too short."""
    framed = not columns.labelled and step.number == columns.current
    top = columns.y(columns.crest(step.number) if framed else _words(step))
    if above := _above(columns, step):
        yield Label(step.number, top - (9 if framed else 3), above, side="above")
    lines = _chunk_lines(columns, step)
    fitting = int(columns.deep(step) / _LINE)
    words: list[str] = []
    for line in lines[: fitting or None]:
        words += ["\n"] * bool(words) + [line]
    if not words:
        return
    if fitting:
        pale = step.number > columns.current or step.filtered or step.failed
        middle = columns.y(0) + columns.deep(step) / 2
        yield Label(step.number, middle, words, "" if pale else "on-context")
    else:
        yield Label(step.number, columns.y(0) + columns.deep(step), words, side="below")


def _chunk_lines(columns: StepColumns, step: Step) -> list[str]:
    """The name of the chunks and their tokens, each if there is room for those of all steps."""
    room = 2 * columns.half * columns.column - 4
    names = max(wide(_name(one)) for one in columns.steps) * 1.1
    tokens = max(wide(f"{one.tokens:,}") for one in columns.steps)
    if not step.pieces or names > room:
        return []
    return [Bold(_name(step))] + [f"{step.tokens:,}"] * (tokens <= room)


def _name(step: Step) -> str:
    """The chunks that went in: "3a", "5–9"."""
    names = [piece.name for piece in step.pieces]
    return "–".join(dict.fromkeys((names[0], names[-1]))) if names else ""


def _above(columns: StepColumns, step: Step) -> list[str]:
    """The change of the answer: "+36" over "−27", and in bold what went wrong."""
    diff, flag = step.diff, _flag(step)
    lines: list[str] = []
    if flag:
        lines.append(Bold(flag if _fits(columns, flag) else _SIGNS[flag]))
    if columns.labelled or step.number == columns.current:
        lines += [f"+{diff.added:,}"] if diff.added else []
        lines += [f"−{diff.dropped:,}"] if diff.dropped else []
        lines = lines or ["="]
    between = "\n" if columns.labelled else " "
    return [part for line in lines for part in (between, line)][1:]


def _flag(step: Step) -> str:
    if step.failed:
        return "failed"
    if step.filtered:
        return "filtered"
    return "lost" if step.lost else ""


def _fits(columns: StepColumns, flag: str) -> bool:
    return not flag or wide(flag) * 1.1 <= columns.column


def _frame(columns: StepColumns, step: Step) -> Box:
    """The frame around the current step and its labels."""
    lines = "".join(_above(columns, step)).count("\n") + 1
    room = 16 * lines + 8 if columns.labelled else 6
    top = max(columns.y(columns.crest(step.number)) - room, _TOP - 2)
    bottom = columns.y(-0.61 * columns.longest)
    return Box(step.number - 0.46, step.number + 0.46, top, bottom - top, "frame")


def _beside(columns: StepColumns) -> Iterator[Label]:
    """The legend beside the picture: what is above the line and what below."""
    flags = dict.fromkeys(_flag(step) for step in columns.steps)
    signs = [f"\n{_SIGNS[flag]} {flag}" for flag in flags if not _fits(columns, flag)]
    kept = "hatched" if columns.hatched else "stronger"
    answer = [Bold("answer, words"), "\nplain: added", f"\n{kept}: kept", *signs]
    chunk = [Bold("chunk in"), "\ntokens"]
    for share, words in ((0.5, answer), (-0.28, chunk)):
        y = columns.y(share * columns.longest)
        yield Label(columns.range[0], y, words, "muted", "end", -10)


def _numbers(columns: StepColumns) -> Iterator[Label]:
    """The steps below: "step 3", or of many the first and every fifth, tenth …"""
    roomy = columns.column >= wide("step 14") + 2
    places = {step.number: step.number * columns.column for step in columns.steps}
    for number in thinned(places, _TICK):
        words = f"step {number}" if roomy else f"{number:,}"
        yield Label(number, columns.height - _BOTTOM / 2, words, "muted")


def steps_alt(steps: Sequence[Step], current: int | None = None) -> str:
    """The chain in one sentence, for those who can't see it."""
    first, last = _words(steps[0]), _words(steps[-1])
    lost = [step.number for step in steps if step.lost]
    loss = f"; an answer is lost in {numbered('step', lost)}" if lost else ""
    position = f"; step {current:,} is shown" if current else ""
    return (
        f"Steps: the answer goes from {first:,} to {last:,} words in"
        f" {counted(len(steps), 'step')}{loss}{position}."
    )
