"""Which settings make a recording fit: they are tried, not guessed.

A trace doesn't say the overlap, the padding, the chunk size limit or the tokenizer, and an
application may give its prompt helper another window than its model has. Each of these is
tried alone, then each size with each overlap. A size is searched by halves: where our first
prompt that differs is the longer one, there is too much room.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from synth.encodings import RECIPES
from synth.imports.imported_run import ImportedRun
from synth.imports.verification import Verification
from synth.prompt_helper import PromptHelper
from synth.prompts import ChatPromptTemplate, PromptTemplate
from synth.response_synthesizers.registry import mode_class
from synth.schema import Node, NodeWithScore

_OVERLAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_OUTPUTS = (256, 512, 1_000, 1_024, 2_000, 2_048, 4_096)  # tokens
_LARGEST = 4_000_000  # tokens of a window
_MOST_TRIES, _MOST_CHARACTERS = 1_000, 50_000_000  # of one search
_ROUND = (1_024, 1_000, 512, 500, 256, 250, 100, 64, 50, 10, 5, 1)


@dataclass(frozen=True)
class Fit:
    """The run under settings that make all prompts equal, and what was changed, in words."""

    run: ImportedRun
    changes: tuple[str, ...]


@dataclass(frozen=True)
class _Size:
    """A setting that is a number of tokens; `rising` if more of it makes prompts longer."""

    name: str
    at: Callable[[ImportedRun, int], ImportedRun]
    least: int
    most: int
    rising: bool = True


def fit(run: ImportedRun) -> Fit | None:
    """The first change of settings under which all prompts are equal; None where none is found.

    Without a change where they are equal as it is. ImportedRunError where the mode isn't known.
    """
    search = _Search(run)
    if search.verify(run).equal:
        return Fit(run, ())
    for change, candidate in _choices(run):
        if search.verify(candidate).equal:
            return Fit(candidate, (change,))
    overlaps: list[tuple[tuple[str, ...], ImportedRun]] = [
        ((change,), each) for change, each in _overlaps(run)
    ]
    for changes, start in [((), run), *overlaps]:
        for size in _sizes(run):
            found = search.solve(start, size)
            if found is not None:
                return Fit(size.at(start, found), (*changes, f"{size.name} {found:,}"))
    return None


class _Search:
    """Verifications of one run under other settings, so many and no more."""

    def __init__(self, run: ImportedRun) -> None:
        characters = sum(map(len, run.texts)) + 1
        self._left = min(_MOST_TRIES, max(_MOST_CHARACTERS // characters, 50))

    def verify(self, run: ImportedRun) -> Verification:
        self._left -= 1
        return run.verify()

    def solve(self, run: ImportedRun, size: _Size) -> int | None:
        """The roundest value of the size under which all prompts are equal."""
        low, high = size.least, size.most
        while low <= high and self._left > 0:
            middle = (low + high) // 2
            side = self._side(run, size, middle)
            if not side:
                return _roundest(
                    self._edge(run, size, middle, low - 1), self._edge(run, size, middle, high + 1)
                )
            low, high = (low, middle - 1) if side > 0 else (middle + 1, high)
        return None

    def _edge(self, run: ImportedRun, size: _Size, equal: int, unequal: int) -> int:
        """The value furthest from `equal`, towards `unequal`, under which they are equal too."""
        while abs(equal - unequal) > 1 and self._left > 0:
            middle = (equal + unequal) // 2
            if self._side(run, size, middle):
                unequal = middle
            else:
                equal = middle
        return equal

    def _side(self, run: ImportedRun, size: _Size, value: int) -> int:
        """0 where all prompts are equal; 1 where the value is too large, -1 if too small."""
        found = self.verify(size.at(run, value))
        if found.equal:
            return 0
        difference = found.first_difference
        if difference is None:  # there is no room for a chunk, or an answer is missing
            longer = False
        elif difference.recorded is None or difference.ours is None:
            longer = difference.ours is None  # fewer calls carry more each
        else:
            longer = len(difference.ours) > len(difference.recorded)
        return 1 if longer == size.rising else -1


def _roundest(low: int, high: int) -> int:
    multiples = (-(-low // unit) * unit for unit in _ROUND)
    return next(value for value in multiples if low <= value <= high)


def _with_helper(run: ImportedRun, **changes: Any) -> ImportedRun:
    names = ("context_window", "num_output", "chunk_overlap_ratio", "chunk_size_limit")
    given = {name: getattr(run.helper, name) for name in (*names, "tokenizer", "separator")}
    return replace(run, helper=PromptHelper(**{**given, **changes}))


def _overlaps(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    for ratio in _OVERLAPS:
        if ratio != run.helper.chunk_overlap_ratio:
            yield f"overlap {ratio:g}", _with_helper(run, chunk_overlap_ratio=ratio)


def _choices(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    """Changes of one setting that has a few values."""
    yield from _overlaps(run)
    yield "templates compared as they were sent", _with_templates(run, _as_sent)
    yield "templates compared and measured as text", _with_templates(run, _as_text)
    yield "templates measured as chat messages", _with_templates(run, _as_chat)
    yield "chunks without their metadata", _with_metadata(run, shown=False)
    yield "chunks with all of their metadata", _with_metadata(run, shown=True)
    for name in RECIPES:
        if name != run.helper.tokenizer.name:
            yield f"tokenizer {name}", _with_helper(run, tokenizer=name)
    for tokens in _OUTPUTS:
        if tokens < run.helper.context_window:
            yield f"num_output {tokens:,}", _with_helper(run, num_output=tokens)


def _sizes(run: ImportedRun) -> Iterator[_Size]:
    window = run.helper.context_window
    if mode_class(run.mode).filters:  # of the modes, these leave room for the answer
        yield _Size(
            "padding", lambda one, value: replace(one, padding=value), 0, window, rising=False
        )
    yield _Size(
        "chunk size limit",
        lambda one, value: _with_helper(one, chunk_size_limit=value),
        1,
        window,
    )
    yield _Size(
        "context window",
        lambda one, value: _with_helper(one, context_window=value),
        run.helper.num_output + 1,
        _LARGEST,
    )


def _with_templates(
    run: ImportedRun, change: Callable[[ChatPromptTemplate], ChatPromptTemplate]
) -> ImportedRun:
    changed = {name: change(template) for name, template in run.templates.items()}
    return replace(run, templates=changed)


def _as_sent(template: ChatPromptTemplate) -> ChatPromptTemplate:
    if isinstance(template, PromptTemplate):
        return template
    return ChatPromptTemplate(template.message_templates)


def _as_text(template: ChatPromptTemplate) -> ChatPromptTemplate:
    if [role for role, _ in template.message_templates] != ["user"]:
        return _as_sent(template)
    return PromptTemplate(template.message_templates[0][1])


def _as_chat(template: ChatPromptTemplate) -> ChatPromptTemplate:
    """As messages; beside them the text of a selector, as LlamaIndex's defaults have it."""
    text = "\n".join(text for role, text in template.message_templates if role != "system")
    return ChatPromptTemplate(template.message_templates, default_template=PromptTemplate(text))


def _with_metadata(run: ImportedRun, *, shown: bool) -> ImportedRun:
    return replace(run, chunks=tuple(_node(chunk, shown=shown) for chunk in run.chunks))


def _node(chunk: NodeWithScore, *, shown: bool) -> NodeWithScore:
    node = chunk.node
    hidden = () if shown else tuple(node.metadata)
    return NodeWithScore(Node(node.text, node.metadata, hidden, node.id_), chunk.score)
