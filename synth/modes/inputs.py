"""Arguments of callers: questions, texts, nodes and templates, each checked where it enters."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Protocol

from synth.elsewhere import INSTEAD, sentence
from synth.errors import SynthError, TemplateError, describe
from synth.prompts.templates import PASSED, ChatPromptTemplate
from synth.runs.calls import Log
from synth.schema import MetadataMode, NodeWithScore

RESERVED = {
    *PASSED,
    *("self", "query", "nodes", "additional_source_nodes", "texts", "text_chunks"),
    *("answer_tokens", "max_calls", "log", "stop"),
    *INSTEAD["get_response"],
}
"""The names that no custom variable can have: those of arguments, ours and LlamaIndex's."""


class QueryLike(Protocol):
    """A question, of this package or of llama-index-core."""

    @property
    def query_str(self) -> str:
        """Return the question itself."""


class NodeLike(Protocol):
    """A node, with or without a score, of this package or of llama-index-core."""

    def get_content(self, metadata_mode: Any = ...) -> str:
        """Return the text, with the metadata lines that `metadata_mode` asks for."""


def read_question(query: str | QueryLike) -> str:
    """Read the query itself, or the `query_str` of a QueryBundle; SynthError for anything else."""
    query_str = getattr(query, "query_str", query)
    if not isinstance(query_str, str):
        raise SynthError(f"The question is {describe(query)}: give a string.")
    return query_str


def check_chunks(text_chunks: Iterable[str]) -> tuple[str, ...]:
    """Return the chunks; SynthError for a bare string, which would be read by characters."""
    if isinstance(text_chunks, str) or not isinstance(text_chunks, Iterable):
        raise SynthError(f"text_chunks is {describe(text_chunks)}: give a list of strings.")
    chunks = tuple(text_chunks)
    for number, chunk in enumerate(chunks, 1):
        if not isinstance(chunk, str):
            raise SynthError(f"Text chunk {number} is {describe(chunk)}: give strings.")
    return chunks


def add_scores(nodes: Iterable[NodeLike]) -> list[NodeWithScore]:
    """Return nodes with a score or None, llama-index-core's too; SynthError for anything else."""
    if isinstance(nodes, str) or not isinstance(nodes, Iterable):
        raise SynthError(f"nodes is {describe(nodes)}: give a list of nodes.")
    return [_scored(number, node) for number, node in enumerate(nodes, 1)]


def _scored(number: int, node: object) -> NodeWithScore:
    if not callable(getattr(node, "get_content", None)):
        raise SynthError(
            f"Node {number} is {describe(node)}: give Node(text=...), in a NodeWithScore or not."
        )
    return node if hasattr(node, "node") else NodeWithScore(node)  # type: ignore[return-value,arg-type]


def read_contents(nodes: Sequence[NodeWithScore]) -> list[str]:
    """Return the nodes as the model reads them."""
    return [node.get_content(MetadataMode.LLM) for node in nodes]


def as_template(name: str, value: object) -> ChatPromptTemplate:
    """Return a value that is a template of a size that a mode takes; else TemplateError."""
    if not isinstance(value, ChatPromptTemplate):
        raise TemplateError(
            f"{name} is {describe(value)}: give a PromptTemplate of synth, made of the text."
        )
    if value.excess is not None:
        raise TemplateError(f"{name} {value.excess}")
    return value


def as_templates(prompts: object) -> Mapping[str, ChatPromptTemplate]:
    """Return the prompts, if they are templates by their names; TemplateError for anything else."""
    if not isinstance(prompts, Mapping):
        raise TemplateError(f"The prompts are {describe(prompts)}: give a dict of templates.")
    return {name: as_template(name, value) for name, value in prompts.items()}


def refuse_reserved(variables: Iterable[str]) -> None:
    """Raise TemplateError for names of custom variables that they can't have."""
    for name in INSTEAD["get_response"].keys() & set(variables):
        raise TemplateError(sentence("get_response", name))
    if reserved := RESERVED.intersection(variables):
        names = ", ".join(sorted(reserved))
        raise TemplateError(
            f"{names} can't be a custom variable: this package uses the name. Rename it."
        )


def require_log(log: Log) -> Log:
    """Return the answers of an earlier run by call; SynthError for what is no mapping."""
    if not isinstance(log, Mapping):
        raise SynthError(f"log is {describe(log)}: give the answers of a trace, trace.log().")
    return log
