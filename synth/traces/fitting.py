"""Which setting makes a recording fit: it is tried, not guessed.

A trace doesn't say the overlap, the padding, the chunk size limit or the tokenizer, and an
application may give its prompt helper another window than its model has. Each of these is tried
alone, then each size with each overlap. A size is searched by halves: where our first prompt that
differs is the longer one, there is too much room.

Less of a window does what more num_output, more padding or a limit of chunks does, and prompts
can't tell these apart. So none of them is named where a window explains it, but the room for chunks
that all of them change; padding or a limit is named where it alone explains all prompts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

from synth.errors import ImportedRunError
from synth.modes.registry import mode_class
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate, PromptTemplate
from synth.schema import Node, NodeWithScore
from synth.text.encodings import RECIPES
from synth.text.model_tokenizers import DEFAULT_ENCODING
from synth.text.wording import listed, ranged
from synth.traces.imported_run import OLDER, PRESENT, ImportedRun, Verification
from synth.traces.templates import of_chat_model, with_text_beside

_OVERLAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_LARGEST = 4_000_000  # tokens of a window
_LARGEST_TEMPLATE = 4_000  # tokens of one that is looked for
_STAND_IN = "This template is not in the trace, and is only as long as this text:"
_MOST_TRIES, _FEWEST, _MOST_CHARACTERS = 1_000, 50, 50_000_000  # of one search
_ROUND = (1_024, 1_000, 512, 500, 256, 250, 100, 50, 10, 5, 1)


@dataclass(frozen=True)
class Size:
    """A number of tokens that decides how much a prompt carries; `rising` if more makes it longer.

    `words` names the least and the most that fit.
    """

    words: Callable[[int, int], str]
    at: Callable[[ImportedRun, int], ImportedRun]
    least: int
    most: int
    rising: bool = True


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


def lost_templates(run: ImportedRun) -> list[str]:
    """Return the templates that calls used, and that could not be recovered from their prompts."""
    used = {call.template for call in run.calls}
    names = mode_class(run.mode).templates
    return [name for name in names if name in used and name not in run.templates]


def unused_templates(run: ImportedRun) -> list[str]:
    """List the templates that no call used, which the trace doesn't have; they are counted."""
    known = {*run.templates, *lost_templates(run)}
    return [name for name in mode_class(run.mode).templates if name not in known]


def say_unexplained(run: ImportedRun) -> str:
    """Say in a sentence why no setting is known under which all prompts are equal."""
    if lost := lost_templates(run):
        return f"LlamaIndex counts {listed(lost)}, which can't be recovered from the prompts."
    if unused := unused_templates(run):
        return f"LlamaIndex counts {listed(unused)}, which no call used, and no length explains it."
    return "No overlap, padding, window, num_output, chunk size limit or tokenizer explains it."


def unknown_sizes(run: ImportedRun) -> Iterator[Size]:
    """Yield what LlamaIndex counted, and the trace does not have: a template that no call used."""
    for name in unused_templates(run):

        def words(low: int, high: int, name: str = name) -> str:
            return f"a {name} of about {ranged(low, high)} tokens, counted though no call used it"

        most = min(run.helper.context_window, _LARGEST_TEMPLATE)
        yield Size(words, partial(_with_stand_in, name=name), 1, most, rising=False)


def _with_stand_in(run: ImportedRun, tokens: int, name: str) -> ImportedRun:
    """Put in a template that is as long: of long words, since LlamaIndex compares characters."""
    begins = run.helper.tokenizer.count(_STAND_IN)
    text = _STAND_IN if tokens >= begins else ""
    text += " responsibilities" * (tokens - begins if text else tokens)
    variables = "".join(f"{{{name}}}" for name in TEMPLATES[name].passed)
    template = PromptTemplate(text + variables)
    return replace(run, templates={**run.templates, name: template})


def room_of(run: ImportedRun) -> Size:
    """Return the room for chunks as a size, by the window that leaves it."""
    model = run.helper

    def words(low: int, high: int) -> str:
        fewest, most = (abs(tokens - model.context_window) for tokens in (low, high))
        less = "less" if low < model.context_window else "more"
        return (
            f"{ranged(fewest, most)} tokens {less} room for chunks"
            f" than context window {model.context_window:,} and num_output {model.num_output:,}"
            f" leave, as with context window {_roundest(low, high):,}"
        )

    return Size(
        words,
        lambda one, tokens: one.with_helper(context_window=tokens),
        model.num_output + 1,
        _LARGEST,
    )


def _roundest(low: int, high: int) -> int:
    multiples = (-(-low // unit) * unit for unit in _ROUND)
    return next(value for value in multiples if low <= value <= high)


def other_sizes(run: ImportedRun) -> Iterator[Size]:
    """Yield the sizes that an application sets beside the room for chunks."""
    window = run.helper.context_window
    yield Size(
        lambda low, high: f"chunk size limit {_roundest(low, high):,}",
        lambda one, tokens: one.with_helper(chunk_size_limit=tokens),
        1,
        window,
    )
    if mode_class(run.mode).filters and run.version != OLDER:  # these leave room for the answer
        yield Size(
            lambda low, high: f"padding {_roundest(low, high):,}",
            lambda one, tokens: replace(one, padding=tokens),
            0,
            window,
            rising=False,
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


class Fit(NamedTuple):
    """The run under settings that make all prompts equal, and what was changed."""

    run: ImportedRun
    changes: tuple[str, ...]


def fits(run: ImportedRun) -> list[Fit]:
    """Find settings under which all prompts are equal; of several none is more likely."""
    if run.verify().equal:
        return [Fit(run, ())]
    if lost_templates(run):
        return []
    found = _of_version(replace(run, version=PRESENT))
    return found or _of_version(replace(run, version=OLDER))


def _of_version(run: ImportedRun) -> list[Fit]:
    search = _Search(run)
    if unused_templates(run):
        return search.fit(run, unknown_sizes(run), *run.rules)
    found = [
        Fit(each, (*run.rules, words)) for words, each in choices(run) if search.verify(each).equal
    ]
    found = found or search.fit(run, [room_of(run)], *run.rules)
    found = found or search.fit(run, other_sizes(run), *run.rules)
    for words, each in [] if found else overlaps(run):
        sizes = search.fit(each, [room_of(run)], *run.rules, words)
        found += sizes or search.fit(each, other_sizes(run), *run.rules, words)
    search.require_end(found)
    return found


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

    def fit(self, run: ImportedRun, sizes: Iterable[Size], *changes: str) -> list[Fit]:
        """Fit each size alone; its value is the roundest."""
        solved = ((size, self._solve(run, size)) for size in sizes)
        return [
            Fit(size.at(run, _roundest(*values)), (*changes, size.words(*values)))
            for size, values in solved
            if values is not None
        ]

    def _solve(self, run: ImportedRun, size: Size) -> tuple[int, int] | None:
        """Return the least and the most of the size under which all prompts are equal."""
        low, high = size.least, size.most
        while low <= high and self._left > 0:
            middle = (low + high) // 2
            side = self._side(run, size, middle)
            if not side:
                ends = (self._edge(run, size, middle, end) for end in (low - 1, high + 1))
                return next(ends), next(ends)
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
