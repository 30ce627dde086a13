"""What is wrong with a template, before anything is sent.

Models never complain: a misspelt variable goes out as it stands, and a template
without the chunk text is answered all the same. So each template is held against what the
modes really pass to one of its name.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from difflib import get_close_matches
from typing import Literal, NamedTuple

from synth.prompts import TEMPLATES, ChatPromptTemplate
from synth.response_synthesizers.base import RESERVED
from synth.span_kinds import KIND_OF
from synth.tokens import Tokenizer

_DOUBLED = re.compile(r"\{\{([^{}]+)\}\}")
_SPACED = re.compile(r"\{(\s+[A-Za-z_]\w*\s*|[A-Za-z_]\w*\s+)\}")
_LARGE_SHARE = 0.5
_ALIKE = 0.75  # of two names: one is taken for the other, misspelt


class Fix(NamedTuple):
    """A text to replace by another one; an empty `old` puts the new one in front."""

    old: str
    new: str


class TemplateProblem(NamedTuple):
    """A problem of a template; with an error the mode refuses it."""

    level: Literal["error", "warning"]
    message: str
    fix: Fix | None = None


def fixed(text: str, fix: Fix) -> str:
    """The text of a template, or of a message of it, with what was found wrong put right."""
    return text.replace(fix.old, fix.new) if fix.old else f"{fix.new}\n{text}"


def lint(
    name: str,
    template: ChatPromptTemplate,
    variables: Collection[str],
    tokenizer: Tokenizer,
    context_window: int,
) -> list[TemplateProblem]:
    """What is wrong with the template `name`, given the custom variables that have a value."""
    problems = [
        *_missing(name, template),
        *_unknown(name, template, variables),
        *_braces(template),
        *_large(name, template, tokenizer, context_window),
    ]
    # A misspelt name only has to be corrected: a second fix would insert it again.
    righted = [finding.fix.new for finding in problems if finding.fix and finding.fix.old]
    return [
        finding._replace(fix=None) if finding.fix in [Fix("", new) for new in righted] else finding
        for finding in problems
    ]


def custom_variables(template: ChatPromptTemplate) -> list[str]:
    """The variables of the template that the person must give, in order."""
    names = dict.fromkeys(template.template_vars)
    return [name for name in names if name not in KIND_OF and name not in template.kwargs]


def _missing(name: str, template: ChatPromptTemplate) -> Iterator[TemplateProblem]:
    kind = TEMPLATES[name]
    if kind.context and not template.uses(kind.context):
        chunk_variables = {"context_str", "context_msg"}.intersection(template.template_vars)
        wrong = f"{{{chunk_variables.pop()}}}" if chunk_variables else ""
        hint = f" It has {wrong}, which is not passed to it." if wrong else ""
        yield TemplateProblem(
            "error",
            f"The chunks never enter it: put {{{kind.context}}} in.{hint}",
            Fix(wrong, f"{{{kind.context}}}"),
        )
    if not template.uses("query_str"):
        yield TemplateProblem(
            "warning",
            "The question never enters it: put {query_str} in.",
            Fix("", "{query_str}"),
        )
    if "existing_answer" in kind.others and not template.uses("existing_answer"):
        yield TemplateProblem(
            "warning",
            "The answer so far never enters it, so each call starts afresh: put"
            " {existing_answer} in.",
            Fix("", "{existing_answer}"),
        )


def _unknown(
    name: str, template: ChatPromptTemplate, variables: Collection[str]
) -> Iterator[TemplateProblem]:
    passed = TEMPLATES[name].passed
    for variable in dict.fromkeys(template.template_vars):
        if variable in passed or variable in template.kwargs:
            continue
        if variable in KIND_OF:
            yield TemplateProblem(
                "warning", f"{{{variable}}} is not passed to {name}: it is sent as it is."
            )
        elif variable in RESERVED:
            yield TemplateProblem(
                "error", f"{{{variable}}} is a reserved name of this package: rename it."
            )
        elif variable not in variables:
            meant = get_close_matches(variable, passed, 1, _ALIKE)
            fix = Fix(f"{{{variable}}}", f"{{{meant[0]}}}") if meant else None
            yield TemplateProblem(
                "warning", f"{{{variable}}} has no value: it is sent as it stands.", fix
            )


def _braces(template: ChatPromptTemplate) -> Iterator[TemplateProblem]:
    text = "\n".join(text for _, text in template.message_templates)
    for inner in dict.fromkeys(_DOUBLED.findall(text)):
        yield TemplateProblem(
            "warning",
            f"{{{{{inner}}}}} is no escape here: the inner braces are filled and the outer ones"
            f" are sent. Write {{{inner}}}.",
            Fix(f"{{{{{inner}}}}}", f"{{{inner}}}"),
        )
    for inner in dict.fromkeys(_SPACED.findall(text)):
        yield TemplateProblem(
            "warning",
            f"{{{inner}}} is sent as it stands, since spaces are part of a name: write"
            f" {{{inner.strip()}}}.",
            Fix(f"{{{inner}}}", f"{{{inner.strip()}}}"),
        )


def _large(
    name: str, template: ChatPromptTemplate, tokenizer: Tokenizer, context_window: int
) -> Iterator[TemplateProblem]:
    tokens = bare_tokens(template, tokenizer)
    share = tokens / context_window
    if share >= _LARGE_SHARE:
        yield TemplateProblem(
            "warning",
            f"{name} takes {tokens:,} of {context_window:,} tokens ({share:.0%}) before the"
            " question and any chunk.",
        )


def bare_tokens(template: ChatPromptTemplate, tokenizer: Tokenizer) -> int:
    """Tokens of the template with nothing filled in."""
    return template.fill(**dict.fromkeys(template.template_vars, "")).tokens(tokenizer)
