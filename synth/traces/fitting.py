"""Which settings make a recording fit: they are tried, not guessed.

A trace doesn't say the overlap, the padding, the chunk size limit or the tokenizer, and an
application may give its prompt helper another window than its model has. Each of these is
tried alone, then each size with each overlap. A size is searched by halves: where our first
prompt that differs is the longer one, there is too much room.

Several sizes may do the same: less of a window is as good as more padding. A person sets a round
number; where no number in the range that fits is rounder than the range is wide, something else
is as likely, such as a template that is not in the trace. These are looked for first. A window and
a num_output of the prompt helper's own count only by what is between them: a round pair is named.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from synth.errors import ImportedRunError
from synth.modes.registry import mode_class
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate, PromptTemplate
from synth.schema import Node, NodeWithScore
from synth.text.encodings import RECIPES
from synth.text.tokens import DEFAULT_ENCODING
from synth.traces.imported_run import OLDER, PRESENT, ImportedRun, Verification
from synth.traces.templates import of_chat_model, with_text_beside

_OVERLAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_LARGEST = 4_000_000  # tokens of a window
_LARGEST_TEMPLATE = 4_000  # tokens of one that is looked for
_STAND_IN = "This template is not in the trace, and is only as long as this text:"
_MOST_TRIES, _FEWEST, _MOST_CHARACTERS = 1_000, 50, 50_000_000  # of one search
_ROUND = (1_024, 1_000, 512, 500, 256, 250, 100, 50, 10, 5, 1)
_COMMON = (50, 64, 100, 128, 200, 250, 256, 300, 400, 500, 512, 1_000, 1_024, 2_048)  # num_output
_ROUND_WINDOW = 100  # a window that is a multiple of it was likely chosen
_ROUNDER, _MUCH_ROUNDER = 2, 8
"""Times the width of the range, for a number that was likely chosen; beside the trace's own."""


@dataclass(frozen=True)
class Size:
    """A number of tokens that decides how much a prompt carries.

    `rising` if more of it makes prompts longer, `is_chosen` if a person sets it, likely to a round
    number, `is_said` if the trace says another value.
    """

    words: Callable[[str], str]
    at: Callable[[ImportedRun, int], ImportedRun]
    least: int
    most: int
    rising: bool = True
    is_chosen: bool = True
    is_said: bool = False


def overlaps(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    """Yield the run with other overlaps, each with its name."""
    for ratio in _OVERLAPS:
        if ratio != run.helper.chunk_overlap_ratio:
            yield f"overlap {ratio:g}", run.with_helper(chunk_overlap_ratio=ratio)


def choices(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    """Yield changes of one setting that has a few values."""
    yield from overlaps(run)
    if "templates" not in run.certain:
        yield "templates compared as they were sent", _with_templates(run, _as_sent)
        yield "templates compared and measured as text", _with_templates(run, _as_text)
        yield "templates measured as chat messages", _with_templates(run, _as_chat)
    if "chunks" not in run.certain:
        yield "chunks without their metadata", with_metadata(run, shown=False)
        yield "chunks with all of their metadata", with_metadata(run, shown=True)
    for name in RECIPES:
        if name != run.helper.tokenizer.name:
            yield f"tokenizer {name}", run.with_helper(tokenizer=name)
            yield (
                f"tokenizer {name} in the prompt helper alone",
                run.with_helper(tokenizer=name, message_tokenizer=DEFAULT_ENCODING),
            )


def _limit(run: ImportedRun, name: str, tokens: str) -> str:
    words = f"{name.replace('context_', 'context ')} {tokens}"
    if "limits" not in run.certain:
        return words
    return f"{words} in the prompt helper (the model's is {getattr(run.helper, name):,})"


def lost_templates(run: ImportedRun) -> list[str]:
    """Return the templates that calls used, and that could not be recovered from their prompts."""
    used = {call.template for call in run.calls}
    return [name for name in _missing(run) if name in used]


def unused_templates(run: ImportedRun) -> list[str]:
    """List the templates that no call used, which the trace doesn't have; they are counted."""
    lost = lost_templates(run)
    return [name for name in _missing(run) if name not in lost]


def _missing(run: ImportedRun) -> list[str]:
    return [name for name in mode_class(run.mode).templates if name not in run.templates]


def unknown_sizes(run: ImportedRun) -> Iterator[Size]:
    """Yield what LlamaIndex counted, and the trace does not have: a template that no call used."""
    for name in unused_templates(run):
        yield Size(
            partial(
                "a {name} of about {} tokens, counted though no call used it".format, name=name
            ),
            partial(_with_stand_in, name=name),
            1,
            min(run.helper.context_window, _LARGEST_TEMPLATE),
            rising=False,
            is_chosen=False,
        )


def _with_stand_in(run: ImportedRun, tokens: int, name: str) -> ImportedRun:
    """Put in a template that is as long: of long words, since LlamaIndex compares characters."""
    begins = run.helper.tokenizer.count(_STAND_IN)
    text = _STAND_IN if tokens >= begins else ""
    text += " responsibilities" * (tokens - begins if text else tokens)
    variables = "".join(f"{{{name}}}" for name in TEMPLATES[name].passed)
    template = PromptTemplate(text + variables)
    return replace(run, templates={**run.templates, name: template})


def sizes(run: ImportedRun) -> Iterator[Size]:
    """Yield the sizes that an application sets."""
    window = run.helper.context_window
    yield Size(
        "chunk size limit {}".format,
        lambda one, tokens: one.with_helper(chunk_size_limit=tokens),
        1,
        window,
    )
    if mode_class(run.mode).filters and run.version != OLDER:  # these leave room for the answer
        yield Size(
            "padding {}".format,
            lambda one, tokens: replace(one, padding=tokens),
            0,
            window,
            rising=False,
        )
    said = "limits" in run.certain
    yield Size(
        partial(_limit, run, "context_window"),
        lambda one, tokens: one.with_helper(context_window=tokens),
        run.helper.num_output + 1,
        _LARGEST,
        is_said=said,
    )
    yield Size(
        partial(_limit, run, "num_output"),
        lambda one, tokens: one.with_helper(num_output=tokens),
        0,
        window - 1,
        rising=False,
        is_said=said,
    )


def _with_templates(
    run: ImportedRun, change: Callable[[ChatPromptTemplate], ChatPromptTemplate]
) -> ImportedRun:
    changed = {name: change(template) for name, template in run.templates.items()}
    return replace(run, templates=changed)


def _as_sent(template: ChatPromptTemplate) -> ChatPromptTemplate:
    return template if template.default_template is None else of_chat_model(template)


def _as_text(template: ChatPromptTemplate) -> ChatPromptTemplate:
    [(role, text), *others] = template.message_templates
    if others or role != "user":
        return _as_sent(template)
    mappings = template.template_var_mappings
    return PromptTemplate(text, template_var_mappings=mappings).partial_format(**template.kwargs)


def _as_chat(template: ChatPromptTemplate) -> ChatPromptTemplate:
    text = "\n".join(text for role, text in template.message_templates if role != "system")
    return with_text_beside(template, PromptTemplate(text))


def with_metadata(run: ImportedRun, *, shown: bool) -> ImportedRun:
    """Yield the run with all metadata lines in what the model reads of chunks, or with none."""
    return replace(run, chunks=tuple(_node(chunk, shown=shown) for chunk in run.chunks))


def _node(chunk: NodeWithScore, *, shown: bool) -> NodeWithScore:
    node = chunk.node
    hidden = frozenset[str]() if shown else frozenset(node.metadata)
    return NodeWithScore(Node(node.text, node.metadata, hidden, node.id_), chunk.score)


@dataclass(frozen=True)
class Fit:
    """The run under settings that make all prompts equal; `is_likely` if one would choose them."""

    run: ImportedRun
    changes: tuple[str, ...]
    is_likely: bool = True


class _Range(NamedTuple):
    low: int
    high: int

    def is_open(self, size: Size) -> bool:
        """Return whether the size may be as small or as large as it can be."""
        return self.low == size.least or self.high == size.most

    @property
    def roundest(self) -> int:
        multiples = (-(-self.low // unit) * unit for unit in _ROUND)
        return next(value for value in multiples if self.low <= value <= self.high)

    @property
    def unit(self) -> int:
        """Return the largest round number of which its roundest value is a multiple."""
        return next(unit for unit in _ROUND if self.roundest % unit == 0)

    @property
    def roundness(self) -> float:
        """Return how much rounder its roundest value is than the range is wide."""
        return self.unit / (self.high - self.low + 1)


def fits(run: ImportedRun) -> list[Fit]:
    """Find settings under which all prompts are equal, the likeliest first; it tries so many."""
    if run.verify().equal:
        return [Fit(run, ())]
    if lost_templates(run):
        return []
    found: list[Fit] = []
    for version in (PRESENT, OLDER):
        found += _of_version(replace(run, version=version))
        if any(fit.is_likely for fit in found):
            break
    return sorted(found, key=lambda fit: not fit.is_likely)


def _of_version(run: ImportedRun) -> list[Fit]:
    search = _Search(run)
    rules = run.rules
    found = list(_of_sizes(search, run, unknown_sizes(run), *rules))
    if found or unused_templates(run):
        return found
    for words, each in choices(run):
        if search.verify(each).equal:
            found.append(Fit(each, (*rules, words)))
    found += _of_sizes(search, run, sizes(run), *rules)
    likely = any(fit.is_likely for fit in found)
    for words, each in [] if likely else overlaps(run):
        found += _of_sizes(search, each, sizes(run), *rules, words)
    search.require_end(found)
    return found


def _of_sizes(search: _Search, run: ImportedRun, tried: Iterator[Size], *changes: str) -> list[Fit]:
    """Fit each size alone, the likeliest and roundest first, what the trace says otherwise last."""
    solved = [(size, search.solve(run, size)) for size in tried]
    found = [(size, values) for size, values in solved if values is not None]
    found.sort(key=_rank)
    likely = [size for size, values in found if _is_likely(size, values)]
    doubted = bool(likely) and all(size.is_said for size in likely)
    fits = [
        Fit(
            size.at(run, _value(size, values)),
            (*changes, size.words(_number(size, values))),
            size in likely or doubted,
        )
        for size, values in found
        if size in likely or not size.is_said
    ]
    if likely:
        windows = [values for size, values in found if size.is_said and size.rising]
        chosen = sum(values.roundness >= _MUCH_ROUNDER for _, values in found)
        fits[chosen:chosen] = [_of_both_limits(run, values, changes) for values in windows]
    return fits


def _rank(found: tuple[Size, _Range]) -> tuple[bool, float, bool]:
    size, values = found
    return not _is_likely(size, values), -values.roundness, size.is_said


def _of_both_limits(run: ImportedRun, windows: _Range, changes: Sequence[str]) -> Fit:
    model = run.helper
    moved = {
        num_output: _Range(*(size - model.num_output + num_output for size in windows))
        for num_output in _COMMON
        if num_output != model.num_output
    }
    num_output = max(moved, key=lambda each: min(moved[each].unit, _ROUND_WINDOW))
    window = moved[num_output].roundest
    words = (
        f"context window and num_output {window - num_output:,} apart in the prompt helper, such as"
        f" {window:,} and {num_output:,} (the model's are {model.context_window:,} and"
        f" {model.num_output:,})"
    )
    return Fit(run.with_helper(context_window=window, num_output=num_output), (*changes, words))


def _is_likely(size: Size, values: _Range) -> bool:
    if not size.is_chosen or values.is_open(size):
        return True
    return values.roundness >= (_MUCH_ROUNDER if size.is_said else _ROUNDER)


def _value(size: Size, values: _Range) -> int:
    if values.high == size.most:
        return values.low
    return values.roundest if size.is_chosen and values.low > size.least else values.high


def _number(size: Size, values: _Range) -> str:
    if values.is_open(size):
        least = values.high == size.most
        return f"{_value(size, values):,} or {'more' if least else 'less'}"
    if values.low == values.high or (size.is_chosen and _is_likely(size, values)):
        return f"{_value(size, values):,}"
    return f"{values.low:,} to {values.high:,}"


class _Search:
    def __init__(self, run: ImportedRun) -> None:
        self._characters = sum(map(len, run.texts))
        self._most = min(_MOST_TRIES, max(_MOST_CHARACTERS // (self._characters + 1), _FEWEST))
        self._left = self._most

    def verify(self, run: ImportedRun) -> Verification:
        self._left -= 1
        return run.verify()

    def require_end(self, found: Sequence[Fit]) -> None:
        """Raise ImportedRunError where none was found, and more would have been tried."""
        if not found and self._left <= 0:
            raise ImportedRunError(
                f"{self._most:,} settings were tried with {self._characters:,} characters of"
                " chunks, and none made all prompts equal; more are not tried: set those of the"
                " application by hand, or record a shorter run."
            )

    def solve(self, run: ImportedRun, size: Size) -> _Range | None:
        """Return the values of the size under which all prompts are equal."""
        low, high = size.least, size.most
        while low <= high and self._left > 0:
            middle = (low + high) // 2
            side = self._side(run, size, middle)
            if not side:
                return _Range(
                    self._edge(run, size, middle, low - 1), self._edge(run, size, middle, high + 1)
                )
            low, high = (low, middle - 1) if side > 0 else (middle + 1, high)
        return None

    def _edge(self, run: ImportedRun, size: Size, equal: int, unequal: int) -> int:
        while abs(equal - unequal) > 1 and self._left > 0:
            middle = (equal + unequal) // 2
            if self._side(run, size, middle):
                unequal = middle
            else:
                equal = middle
        return equal

    def _side(self, run: ImportedRun, size: Size, value: int) -> int:
        found = self.verify(size.at(run, value))
        if found.equal:
            return 0
        difference = found.first_difference
        if difference is None:  # there is no room for a chunk, or an answer is missing
            longer = False
        elif difference.recorded is None or difference.prompt is None:
            longer = difference.prompt is None  # fewer calls carry more each
        else:
            longer = len(difference.prompt) > len(difference.recorded)
        return 1 if longer == size.rising else -1
