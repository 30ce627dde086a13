"""A request: everything that a plan and a run depend on; its differences to another in words."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import lru_cache
from typing import Any, NamedTuple, Self

from pydantic import ConfigDict, with_config

from synth import BM25Index, Node
from synth.export.recipe import Messages, Recipe, template_of
from synth.lazy import defer
from synth.modes.lint import custom_variables, find_misspelt
from synth.modes.registry import MODES
from synth.runs.prices import Price
from synth.text.model_tokenizers import get_tokenizer
from synth.text.tokenizer import scale
from synth.text.wording import counted
from ui.settings import model, schema
from ui.settings.schema import (
    KINDS,
    ON_THIS_MACHINE,
    RECORDED,
    Chunks,
    ModelKind,
    Settings,
    kind_of,
)

_AS_JSON = ConfigDict(extra="forbid")  # a field that is not known is named, not skipped

_CALL = 400  # characters that take as long to read as a call takes to be planned
_LETTERS = 4  # characters of a token


@with_config(_AS_JSON)
@dataclass(frozen=True)
class Model:
    """The model that answers, and the settings of it that its answers depend on.

    `kind` is offline, on_this_machine, endpoint, human or recorded. `address` holds no user and no
    password. `options` are the settings that a server gets with each call, without those that are
    left to it. Answers don't depend on its `price`, which is None if it is unknown, nor on whose
    price that is (`priced_as`): of a free model it is what a paid one would cost.
    """

    kind: str = "offline"
    name: str = ""
    address: str = ""
    options: tuple[tuple[str, Any], ...] = ()
    price: Price | None = field(default=None, compare=False)
    priced_as: str = field(default="", compare=False)

    @property
    def model_kind(self) -> ModelKind:
        """What kind of model it is."""
        return kind_of(self.kind)

    @property
    def free(self) -> bool:
        """Whether its calls cost nothing; those of an endpoint may cost something."""
        return self.model_kind.is_free

    @property
    def label(self) -> str:
        """The model in words."""
        if self.model_kind.needs_address:
            parts = [self.name or "no model", f"at {self.address or 'the default address'}"]
        else:
            parts = [self.name or self.kind]
        return " · ".join(parts + [schema.say(*option) for option in self.options])

    @property
    def settings(self) -> dict[str, Any]:
        """The settings that choose this model; none for one that no setting chooses."""
        settings: dict[str, Any] = {"model": self.kind} if self.kind in KINDS else {}
        if self.model_kind.needs_address:
            settings |= {"base_url": self.address, "model_name": self.name}
        if self.model_kind.has_server:
            settings |= self.sent
        return settings

    @property
    def sent(self) -> dict[str, Any]:
        """All settings that a server may get with each call, by name."""
        return schema.SENT | dict(self.options)

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Return the model that these settings choose."""
        price = model.price(settings), model.priced_as(settings)
        kind = settings.model_kind
        by = ""
        address = ""
        if kind.needs_address:
            by = model.name(settings)
            address = schema.without_secrets(settings.base_url.strip())
        elif kind == ON_THIS_MACHINE:
            by = schema.label_local_model()
        elif kind == RECORDED:
            by = model.answered_by(settings.recorded_model)
        options = tuple(settings.sent.items()) if kind.has_server else ()
        return cls(kind.value, by, address, options, *price)


@with_config(_AS_JSON)
@dataclass(frozen=True, kw_only=True)
class Request(Recipe):
    """A recipe, the model that answers, and where the chunks stand in the whole list.

    `positions` are counted from 0. `scores` are None where the chunks were not ranked.
    """

    positions: tuple[int, ...]
    scores: tuple[float | None, ...]
    model: Model

    @classmethod
    def of(cls, settings: Settings) -> Self:
        """Make the request of these settings: those of the page, or of a column of Compare."""
        same: dict[str, Any] = {name: getattr(settings, name) for name in SAME_NAME}
        same["tokenizer"] = model.tokenizer(settings)
        same["reasoning_output"] = model.reasoning_output(settings)
        return cls(
            **same | _of_mode(settings.mode, settings) | _of_chunks(order(settings), settings),
            model=Model.of(settings),
        )

    def in_mode(self, mode: str, settings: Settings) -> Request:
        """Return the request that its settings make in another mode."""
        return replace(self, **_of_mode(mode, settings))

    def asking(self, query_str: str, variables: Mapping[str, str], settings: Settings) -> Request:
        """Return the request that its settings make of another question, with its own variables."""
        if (query_str, variables) == (self.query_str, {}):
            return self
        given = {**settings.variables, **variables}
        names = _variables(messages for _, messages in self.templates)
        asked = replace(
            self,
            query_str=query_str,
            variables=tuple((name, given[name]) for name in names if given.get(name)),
        )
        if settings.selection == "all":
            return asked
        ranked = order(settings.with_({"query_str": query_str}))
        return replace(asked, **_of_chunks(ranked, settings))

    @defer
    def work(self) -> int:
        """Estimate how much a plan of it reads: its characters, and so many more for each call."""
        texts = [self.query_str, *self.text_chunks, *(value for _, value in self.variables)]
        texts += [text for _, messages in self.templates for _, text in messages]
        characters = sum(map(len, texts))
        step = max(
            1,
            min(self.context_window, self.chunk_size_limit or self.context_window)
            * (1 - self.chunk_overlap_ratio),
        )
        calls = max(len(self.text_chunks), characters / (_LETTERS * step))
        return characters + round(_CALL * calls)

    def with_own_chunk_list(self) -> Request:
        """Make the same request of a list that has these chunks alone, in the order of sending."""
        count = len(self.text_chunks)
        return replace(self, positions=tuple(range(count)), scores=(None,) * count)

    @property
    def lacks_question(self) -> bool:
        """Whether a model would be asked without a question; a mode without templates asks none."""
        return bool(self.templates) and not self.query_str.strip()


SAME_NAME = tuple(field.name for field in fields(Recipe) if field.name in schema.SHOWN)
"""The fields of a request that are settings too, with the same name and value."""

LIMITS = tuple(name for name in SAME_NAME if name != "query_str")
"""Those that are no text."""


def variables_of(templates: Iterable[str], settings: Settings) -> list[str]:
    """List the custom variables that want a value; a misspelt one is to be corrected."""
    asked: dict[str, None] = {}
    for name in templates:
        template = template_of(settings.messages(name))
        wrong = find_misspelt(name, template)
        asked |= dict.fromkeys(
            variable
            for variable in custom_variables(template)
            if variable not in wrong or settings.variables.get(variable)
        )
    return list(asked)


def _of_mode(name: str, settings: Settings) -> dict[str, Any]:
    mode = MODES[name]
    texts = tuple((template, settings.messages(template)) for template in mode.templates)
    measured = ((one, settings.value(f"{one}_measured")) for one in mode.templates)
    return {
        "mode": name,
        "structured_answer_filtering": settings.structured_answer_filtering and mode.filters,
        "templates": texts,
        "variables": tuple(
            (variable, value)
            for variable in _variables(messages for _, messages in texts)
            if (value := settings.variables.get(variable))
        ),
        "measured": tuple((template, text) for template, text in measured if text),
    }


def _of_chunks(ranked: Order, settings: Settings) -> dict[str, Any]:
    positions = ranked.positions[: ranked.sent]
    return {
        "text_chunks": tuple(settings.chunks[position].text for position in positions),
        "positions": positions,
        "scores": ranked.scores[: ranked.sent],
    }


def _variables(templates: Iterable[Messages]) -> list[str]:
    names = (name for texts in templates for name in custom_variables(template_of(texts)))
    return list(dict.fromkeys(names))


class Order(NamedTuple):
    """The positions (from 0) and scores of the chunks that are on; the first `sent` are sent."""

    positions: tuple[int, ...]
    scores: tuple[float | None, ...]
    sent: int


def order(settings: Settings) -> Order:
    """Return the order in which these settings send the chunks."""
    positions = tuple(position for position, chunk in enumerate(settings.chunks) if chunk.on)
    count = len(positions)
    if settings.selection == "all" or not count:
        return Order(positions, (None,) * count, count)
    retriever = _index(settings.chunks).as_retriever(similarity_top_k=count)
    nodes = retriever.retrieve(settings.query_str)
    return Order(
        tuple(int(node.node.node_id) for node in nodes),
        tuple(node.score for node in nodes),
        min(settings.similarity_top_k, count),
    )


@lru_cache(maxsize=16)
def _index(chunks: Chunks) -> BM25Index:
    return BM25Index(
        [
            Node(text=chunk.text, id_=str(position))
            for position, chunk in enumerate(chunks)
            if chunk.on
        ]
    )


@lru_cache(maxsize=16)
def token_counts(chunks: Chunks, tokenizer: str, factor: float) -> list[int]:
    """Return the tokens of each chunk, counted with the tokenizer of this spec, times a factor."""
    counter = scale(get_tokenizer(tokenizer), factor)
    return [counter.count(chunk.text) for chunk in chunks]


_NOT_NAMED = ("positions", "scores")  # they follow from the chunks


def changes(old: Request, new: Request) -> list[str]:
    """Return each change, such as "window 1,024 → 900" or "text_qa_template edited"."""
    differences: list[str] = []
    for name in (one.name for one in fields(Request) if one.name not in _NOT_NAMED):
        before, after = getattr(old, name), getattr(new, name)
        if before != after:
            differences += _change(name, before, after)
    return differences or ["the order of the chunks"]


def _change(name: str, before: Any, after: Any) -> list[str]:
    if name == "query_str":
        return ["the question"]
    if name == "text_chunks":
        return [_chunks(before, after)]
    if name == "measured":
        return ["the text by which LlamaIndex compares a template"]
    if name in ("templates", "variables"):  # one that only one of two modes has was not edited
        texts = dict(before)
        return [f"{each} edited" for each, text in after if texts.get(each, text) != text]
    if isinstance(before, Model) and before.kind == after.kind:
        return _model(before, after)
    return [f"{schema.say_name(name)} {value(name, before)} → {value(name, after)}"]


def value(name: str, given: Any) -> str:
    """Return the value of a field of a request as pages say it."""
    if name == "tokenizer":
        return get_tokenizer(given).counting
    return given.label if isinstance(given, Model) else schema.say_value(name, given)


def _model(before: Model, after: Model) -> list[str]:
    sides = [
        {"model": model.name or "none", "address": model.address or "the default"}
        | schema.say_all(model.sent)
        for model in (before, after)
    ]
    pairs = zip(sides[0].items(), sides[1].values(), strict=True)
    return [f"{name} {old} → {new}" for (name, old), new in pairs if old != new]


def _chunks(before: tuple[str, ...], after: tuple[str, ...]) -> str:
    if len(before) != len(after):
        return f"chunks {len(before):,} → {len(after):,}"
    if sorted(before) == sorted(after):
        return "the order of the chunks"
    differ = sum(old != new for old, new in zip(before, after, strict=True))
    return f"{counted(differ, 'chunk')} edited"
