"""The settings that a trace doesn't say, each as ways to change a run.

What the trace says itself is not changed. Only the prompt helper may have other limits than the
model, whose limits the trace has.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial

from synth.modes.registry import mode_class
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate, PromptTemplate
from synth.schema import Node, NodeWithScore
from synth.text.encodings import RECIPES
from synth.text.tokens import DEFAULT_ENCODING
from synth.traces.imported_run import ImportedRun
from synth.traces.templates import of_chat_model, with_text_beside

_OVERLAPS = (0.0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5)
_LARGEST = 4_000_000  # tokens of a window
_LARGEST_TEMPLATE = 4_000  # tokens of one that is looked for
_STAND_IN = "This template is not in the trace, and is only as long as this text:"


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
    if mode_class(run.mode).filters:  # of the modes, these leave room for the answer
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
