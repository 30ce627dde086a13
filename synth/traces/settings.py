"""The settings that a trace doesn't say, each as ways to change a run."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from synth.modes.registry import mode_class
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.prompts.window import PromptHelper
from synth.schema import Node, NodeWithScore
from synth.text.encodings import RECIPES
from synth.traces.imported_run import ImportedRun
from synth.traces.templates import of_chat_model, with_text_beside

_OVERLAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_OUTPUTS = (256, 512, 1_000, 1_024, 2_000, 2_048, 4_096)  # tokens
_LARGEST = 4_000_000  # tokens of a window


@dataclass(frozen=True)
class Size:
    """A setting that is a number of tokens; `rising` if more of it makes prompts longer."""

    name: str
    at: Callable[[ImportedRun, int], ImportedRun]
    least: int
    most: int
    rising: bool = True


def with_helper(run: ImportedRun, **changes: Any) -> ImportedRun:
    """The run with other arguments of its prompt helper; BudgetError as there."""
    names = ("context_window", "num_output", "chunk_overlap_ratio", "chunk_size_limit")
    given = {name: getattr(run.helper, name) for name in (*names, "tokenizer", "separator")}
    return replace(run, helper=PromptHelper(**{**given, **changes}))


def overlaps(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    """The run with other overlaps, each with its name."""
    for ratio in _OVERLAPS:
        if ratio != run.helper.chunk_overlap_ratio:
            yield f"overlap {ratio:g}", with_helper(run, chunk_overlap_ratio=ratio)


def choices(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    """Changes of one setting that has a few values."""
    yield from overlaps(run)
    yield "templates compared as they were sent", _with_templates(run, _as_sent)
    yield "templates compared and measured as text", _with_templates(run, _as_text)
    yield "templates measured as chat messages", _with_templates(run, _as_chat)
    yield from _system_prompts(run)
    yield "chunks without their metadata", _with_metadata(run, shown=False)
    yield "chunks with all of their metadata", _with_metadata(run, shown=True)
    for name in RECIPES:
        if name != run.helper.tokenizer.name:
            yield f"tokenizer {name}", with_helper(run, tokenizer=name)
    for tokens in _OUTPUTS:
        if tokens < run.helper.context_window:
            yield f"num_output {tokens:,}", with_helper(run, num_output=tokens)


def _system_prompts(run: ImportedRun) -> Iterator[tuple[str, ImportedRun]]:
    """LlamaIndex counts a model's own system prompt as bare text; here it is a message.

    A message counts a token for its role and three more; a text below it becomes one as well.
    """
    if any(template.message_templates[0][0] == "system" for template in run.templates.values()):
        for tokens in (4, 8):
            window = run.helper.context_window + tokens
            change = f"context window {window:,}, as the model's system prompt is counted as text"
            yield change, with_helper(run, context_window=window)


def sizes(run: ImportedRun) -> Iterator[Size]:
    """The sizes that decide how much a prompt carries."""
    window = run.helper.context_window
    yield Size(
        "context window",
        lambda one, value: with_helper(one, context_window=value),
        run.helper.num_output + 1,
        _LARGEST,
    )
    yield Size(
        "chunk size limit",
        lambda one, value: with_helper(one, chunk_size_limit=value),
        1,
        window,
    )
    if mode_class(run.mode).filters:  # of the modes, these leave room for the answer
        yield Size(
            "padding", lambda one, value: replace(one, padding=value), 0, window, rising=False
        )


def _with_templates(
    run: ImportedRun, change: Callable[[ChatPromptTemplate], ChatPromptTemplate]
) -> ImportedRun:
    changed = {name: change(template) for name, template in run.templates.items()}
    return replace(run, templates=changed)


def _as_sent(template: ChatPromptTemplate) -> ChatPromptTemplate:
    """As messages that no selector chose: LlamaIndex compares them by their own lines."""
    return template if template.default_template is None else of_chat_model(template)


def _as_text(template: ChatPromptTemplate) -> ChatPromptTemplate:
    [(role, text), *others] = template.message_templates
    if others or role != "user":
        return _as_sent(template)
    mappings = template.template_var_mappings
    return PromptTemplate(text, template_var_mappings=mappings).partial_format(**template.kwargs)


def _as_chat(template: ChatPromptTemplate) -> ChatPromptTemplate:
    """As messages; beside them the text of a selector, as LlamaIndex's defaults have it."""
    text = "\n".join(text for role, text in template.message_templates if role != "system")
    return with_text_beside(template, PromptTemplate(text))


def _with_metadata(run: ImportedRun, *, shown: bool) -> ImportedRun:
    return replace(run, chunks=tuple(_node(chunk, shown=shown) for chunk in run.chunks))


def _node(chunk: NodeWithScore, *, shown: bool) -> NodeWithScore:
    node = chunk.node
    hidden = frozenset[str]() if shown else frozenset(node.metadata)
    return NodeWithScore(Node(node.text, node.metadata, hidden, node.id_), chunk.score)
