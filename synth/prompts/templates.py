"""Prompt templates: filling one gives a `Prompt` of labelled spans.

The placeholder rules are llama-index-core's: one pass, values are not scanned again, a
name without a value stays as it stands, and doubled braces are no escape. A PromptTemplate
fills every name that has a value; messages of a chat only names of letters a to z, digits and _.
"""

from __future__ import annotations

import re
import tomllib
from ast import literal_eval
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import ClassVar, NamedTuple, Self

from synth.elsewhere import INSTEAD, sentence
from synth.errors import TemplateError, describe, require
from synth.lazy import defer
from synth.prompts.prompt import KIND_OF, Message, Prompt, Span, SpanKind
from synth.text.spans import Text

Value = object  # what a variable may hold: anything that str() takes, or a Text


class TemplateKind(NamedTuple):
    """What the modes pass to templates of one name: the chunk variable, and the others."""

    context: str | None
    others: tuple[str, ...]

    @property
    def passed(self) -> tuple[str, ...]:
        """Return all of them."""
        return self.others if self.context is None else (self.context, *self.others)


TEMPLATES = {
    "text_qa_template": TemplateKind("context_str", ("query_str",)),
    "refine_template": TemplateKind("context_msg", ("query_str", "existing_answer")),
    "summary_template": TemplateKind("context_str", ("query_str",)),
    "simple_template": TemplateKind(None, ("query_str",)),
}

PASSED = frozenset(name for kind in TEMPLATES.values() for name in kind.passed)
"""The variables that the modes fill; a person gives the value of any other."""

MOST_CHARACTERS = 100_000  # of all messages of a template
MOST_VARIABLES = 100  # of different names in a template

_PLACEHOLDER = re.compile(r"\{([^{}]+)\}")
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_]*(?:\.[a-zA-Z_][a-zA-Z0-9_]*)*")


class ListedText(Text):
    """A text that is Python's own way to show a list, which functions get as that list."""

    __slots__ = ()


def _message(pair: object) -> tuple[str, str]:
    match pair:
        case (str(role), str(text)):
            return role, text
        case (str(), text):
            raise TemplateError(f"The text of a template is {describe(text)}: give a string.")
    raise TemplateError(f"A message of a template is {describe(pair)}: give a (role, text) pair.")


def _for_functions(value: Value) -> Value:
    if isinstance(value, ListedText):
        return literal_eval(str(value))
    return str(value) if isinstance(value, Text) else value


@lru_cache(maxsize=256)
def _parse(template: str, any_name: bool) -> tuple[tuple[str, str], ...]:
    parts, at = [], 0
    for match in _PLACEHOLDER.finditer(template):
        if any_name or _NAME.fullmatch(match.group(1)):
            parts += [(template[at : match.start()], ""), (match.group(), match.group(1))]
            at = match.end()
    return tuple(part for part in (*parts, (template[at:], "")) if part[0])


@lru_cache(maxsize=256)
def _counts(template: str, any_name: bool) -> Counter[str]:
    return Counter(name for _, name in _parse(template, any_name) if name)


@lru_cache(maxsize=256)
def _parts(role: str, template: str, any_name: bool) -> tuple[tuple[str, Span], ...]:
    """Return the parts of a message: the variable or "", and the span where it has no value."""
    kind = SpanKind.SYSTEM if role == "system" else SpanKind.TEMPLATE
    return tuple((name, Span(kind, Text.of(text))) for text, name in _parse(template, any_name))


def _span(name: str, value: Value) -> Span:
    text = value if isinstance(value, Text) else Text.of(str(value))
    return Span(KIND_OF.get(name, SpanKind.VARIABLE), text, name)


class ChatPromptTemplate:
    """A template of several messages, each a role and a text with `{name}` placeholders.

    `template_var_mappings` maps names of modes to names in the template; `function_mappings` maps
    a name to a function of all values. llama-index-core compares the `default_template`, the text
    of a selector, where it has one. Values in `kwargs` are stored until later ones replace them.
    """

    fills_any_name: ClassVar[bool] = False  # {größe} and {tone-1} as well

    def __init__(
        self,
        /,
        message_templates: Sequence[tuple[str, str]],
        *,
        template_var_mappings: Mapping[str, str] | None = None,
        function_mappings: Mapping[str, Callable[..., Value]] | None = None,
        default_template: PromptTemplate | None = None,
        **kwargs: Value,
    ) -> None:
        if not isinstance(message_templates, list | tuple) or not message_templates:
            raise TemplateError(
                f"The messages of a template are {describe(message_templates)}: give a list of"
                " (role, text) pairs."
            )
        for mappings in (template_var_mappings, function_mappings):
            name = "The mappings of a template are"
            require(name, mappings, Mapping | None, "a dict", TemplateError)
        name = "default_template is"
        require(name, default_template, PromptTemplate | None, "a PromptTemplate", TemplateError)
        for name in INSTEAD["ChatPromptTemplate"].keys() & kwargs.keys():
            raise TypeError(sentence("ChatPromptTemplate", name))
        self.message_templates = tuple(map(_message, message_templates))
        self.default_template = default_template
        self.template_var_mappings = dict(template_var_mappings or {})
        self.function_mappings = dict(function_mappings or {})
        self.kwargs = kwargs

    @property
    def is_chat(self) -> bool:
        """Return whether a model that takes text is sent roles; not for one beside a default."""
        roles = [role for role, _ in self.message_templates]
        return self.default_template is None or roles != ["user"]

    @classmethod
    def from_messages(cls, message_templates: Sequence[tuple[str, str]], **kwargs: Value) -> Self:
        """Return a template of `(role, text)` pairs."""
        return cls(message_templates, **kwargs)  # type: ignore[arg-type]

    @property
    def template_vars(self) -> list[str]:
        """Return the names in the template that could be variables, in order, repeats kept."""
        names = (name for _, text in self.message_templates for _, name in _parse(text, False))
        return [name for name in names if name]

    def partial_format(self, /, **values: Value) -> Self:
        """Return a copy that remembers these values."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__, kwargs={**self.kwargs, **values})
        copy.__dict__.pop("_stored", None)
        return copy

    def fill(self, /, **values: Value) -> Prompt:
        """Return the prompt with these values and the stored ones in place."""
        spans = self._stored | {name: _span(name, value) for name, value in values.items()}
        if self.function_mappings:
            computed = self._compute({**self.kwargs, **values})
            made = {name: _span(name, value) for name, value in computed.items()}
            spans = made | spans | made
        if mapped := self.template_var_mappings:
            spans = {mapped.get(name, name): span for name, span in spans.items()}
        return self._prompt(spans)

    @defer
    def _stored(self) -> dict[str, Span]:
        return {name: _span(name, value) for name, value in self.kwargs.items()}

    def _prompt(self, spans: Mapping[str, Span]) -> Prompt:
        messages = []
        for role, text in self.message_templates:
            parts = _parts(role, text, self.fills_any_name)
            placed = (spans.get(name, unfilled) for name, unfilled in parts)
            messages.append(Message(role, tuple(span for span in placed if len(span.text))))
        return Prompt(tuple(messages), self.is_chat)

    def format(self, /, llm: object = None, **values: Value) -> str:
        """Return the text of the prompt; `llm`, which LlamaIndex passes, changes nothing."""
        return self.fill(**values).text

    def format_messages(self, /, llm: object = None, **values: Value) -> list[Message]:
        """Return the messages of the prompt with these values and the stored ones in place."""
        return list(self.fill(**values).messages)

    def get_template(self, llm: object = None) -> str:
        """Return the text of the template with nothing in place; a chat line by line."""
        return self._prompt({}).text

    def uses(self, name: str) -> int:
        """Count how often the value that modes call `name` stands in the template."""
        wanted = self.template_var_mappings.get(name, name)
        return sum(_counts(text, self.fills_any_name)[wanted] for _, text in self.message_templates)

    @property
    def excess(self) -> str | None:
        """Say what it has too much of for a mode to take it, as the end of a sentence, or None."""
        characters = sum(len(text) for _, text in self.message_templates)
        if characters > MOST_CHARACTERS:
            return (
                f"has {characters:,} characters, and {MOST_CHARACTERS:,} are the most: put long"
                " text into the chunks, or into a variable."
            )
        names = len(set(self.template_vars))
        if names > MOST_VARIABLES:
            return f"has {names:,} variables, and {MOST_VARIABLES:,} are the most: use fewer."
        return None if self.default_template is None else self.default_template.excess

    def _compute(self, values: Mapping[str, Value]) -> dict[str, Value]:
        given = {name: _for_functions(value) for name, value in values.items()}
        computed: dict[str, Value] = {}
        for name, function in self.function_mappings.items():
            try:
                value = function(**given)
            except Exception as problem:
                raise TemplateError(
                    f"The function for {{{name}}} failed ({type(problem).__name__}: {problem}): it"
                    " is called with all values, which are empty where a template is measured."
                ) from problem
            is_same = name in given and value == given[name]
            computed[name] = values[name] if is_same else value  # with its origins
        return computed


class PromptTemplate(ChatPromptTemplate):
    """A template of one text with `{name}` placeholders, sent as one user message."""

    fills_any_name = True

    def __init__(
        self,
        /,
        template: str,
        *,
        template_var_mappings: Mapping[str, str] | None = None,
        function_mappings: Mapping[str, Callable[..., Value]] | None = None,
        **kwargs: Value,
    ) -> None:
        super().__init__(
            [("user", template)],
            template_var_mappings=template_var_mappings,
            function_mappings=function_mappings,
            default_template=None,  # it is the text itself
            **kwargs,
        )

    @property
    def is_chat(self) -> bool:
        """Return False: there are no roles."""
        return False

    @property
    def template(self) -> str:
        """Return the text of the template."""
        return self.message_templates[0][1]


_TEXTS = tomllib.loads(Path(__file__).with_name("defaults.toml").read_text("utf-8"))
_RULES = _TEXTS.pop("rules")

DEFAULTS: Mapping[str, PromptTemplate] = {
    name: PromptTemplate(text) for name, text in _TEXTS.items()
}

CHAT_DEFAULTS: Mapping[str, ChatPromptTemplate] = {
    name: template
    if name == "simple_template"
    else ChatPromptTemplate([("system", _RULES), ("user", template.template)])
    for name, template in DEFAULTS.items()
}
