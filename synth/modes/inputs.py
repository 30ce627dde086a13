"""Arguments of callers: questions, texts, nodes, options, each checked where it enters."""

from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from typing import Annotated, Any, Protocol

from pydantic import (
    BaseModel,
    ConfigDict,
    InstanceOf,
    PlainValidator,
    TypeAdapter,
    ValidationError,
    ValidationInfo,
    with_config,
)
from pydantic_core import ErrorDetails
from typing_extensions import TypedDict

from synth.elsewhere import INSTEAD, sentence
from synth.errors import BudgetError, SynthError, TemplateError, describe, require, whole
from synth.prompts.prompt_helper import PromptHelper
from synth.prompts.templates import PASSED, ChatPromptTemplate
from synth.runs.calls import AnswerCache, Log
from synth.runs.events import Cap
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
    require("The question is", query_str, str, "a string")
    return str(query_str)


def check_chunks(text_chunks: Iterable[str]) -> tuple[str, ...]:
    """Return the chunks; SynthError for a bare string, which would be read by characters."""
    if isinstance(text_chunks, str) or not isinstance(text_chunks, Iterable):
        raise SynthError(f"text_chunks is {describe(text_chunks)}: give a list of strings.")
    chunks = tuple(text_chunks)
    for number, chunk in enumerate(chunks, 1):
        require(f"Text chunk {number} is", chunk, str, "strings")
    return chunks


def add_scores(nodes: Iterable[NodeLike]) -> list[NodeWithScore]:
    """Return nodes with a score or None, llama-index-core's too; SynthError for anything else."""
    if isinstance(nodes, str) or not isinstance(nodes, Iterable):
        raise SynthError(f"nodes is {describe(nodes)}: give a list of nodes.")
    scored: list[Any] = []
    for number, node in enumerate(nodes, 1):
        if not callable(getattr(node, "get_content", None)):
            wanted = "give Node(text=...), in a NodeWithScore or not"
            raise SynthError(f"Node {number} is {describe(node)}: {wanted}.")
        scored.append(node if hasattr(node, "node") else NodeWithScore(node))  # type: ignore[arg-type]
    return scored


def read_contents(nodes: Sequence[NodeWithScore]) -> list[str]:
    """Return the nodes as the model reads them."""
    return [node.get_content(MetadataMode.LLM) for node in nodes]


def as_template(name: str, value: ChatPromptTemplate) -> ChatPromptTemplate:
    """Return a value that is a template of a size that a mode takes; else TemplateError."""
    wanted = "a PromptTemplate of synth, made of the text"
    require(f"{name} is", value, ChatPromptTemplate, wanted, TemplateError)
    if value.excess is not None:
        raise TemplateError(f"{name} {value.excess}")
    return value


def as_templates(
    prompts: Mapping[str, ChatPromptTemplate],
) -> Mapping[str, ChatPromptTemplate]:
    """Return the prompts, if they are templates by their names; TemplateError for anything else."""
    require("The prompts are", prompts, Mapping, "a dict of templates", TemplateError)
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
    require("log is", log, Mapping, "the answers of a trace, trace.log()")
    return log


def _template(value: Any, field: ValidationInfo) -> ChatPromptTemplate | None:
    return None if value is None else as_template(str(field.field_name), value)


def _size(least: int, error: type[SynthError] = SynthError) -> PlainValidator:
    def check(value: Any, field: ValidationInfo) -> int:
        return whole(str(field.field_name), value, least, error=error)

    return PlainValidator(check)


Template = Annotated[ChatPromptTemplate | None, PlainValidator(_template)]


class Options(TypedDict, total=False):
    """The options of a synthesizer beside its model, its prompt helper and `streaming`.

    Unused templates, `verbose` and `callback_manager` have no effect. No run crosses `cap`; what
    `cache` has of the same model is not sent again. `service_context` may bring the model.
    """

    text_qa_template: Template
    refine_template: Template
    summary_template: Template
    simple_template: Template
    structured_answer_filtering: bool
    output_cls: type[BaseModel] | None
    use_async: bool
    max_concurrency: Annotated[int, _size(1)]
    response_padding_size: Annotated[int, _size(0, BudgetError)] | None
    empty_response: str | None
    cap: InstanceOf[Cap] | None
    cache: InstanceOf[AnswerCache] | None
    verbose: Any
    callback_manager: Any
    service_context: Any  # model_of checks it


@with_config(ConfigDict(extra="forbid", strict=True))
class _Given(Options, total=False):
    streaming: bool
    prompt_helper: InstanceOf[PromptHelper] | None


_GIVEN = TypeAdapter(_Given)
_OF_THE_FACTORY = ("response_mode", "behaviour")
_INSTEAD = INSTEAD["get_response_synthesizer"] | dict.fromkeys(
    _OF_THE_FACTORY, "it is an option of get_response_synthesizer"
)


def check_options(options: Mapping[str, Any]) -> Options:
    """Return the options; SynthError for the first unknown one, or a value of the wrong type."""
    try:
        return _GIVEN.validate_python(dict(options))
    except ValidationError as problem:
        raise SynthError(_explain(problem.errors()[0])) from None


def _explain(error: ErrorDetails) -> str:
    name = str(error["loc"][0])
    if error["type"] != "extra_forbidden":
        wanted = error["msg"].removeprefix("Input should be ").replace("valid ", "")
        return f"{name} is {describe(error['input'])}: give {wanted}."
    if name in _INSTEAD:
        return f"There is no option {name}: {_INSTEAD[name]}."
    known = ["llm", *_OF_THE_FACTORY, *_Given.__annotations__]
    nearest = get_close_matches(name, known, 1)
    hint = f"do you mean {nearest[0]}?" if nearest else f"the options are {', '.join(known)}."
    return f"There is no option {name}: {hint}"
