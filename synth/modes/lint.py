"""What is wrong with a template, before anything is sent.

Models never complain, so each template is held against what modes pass to one of its name.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from difflib import get_close_matches
from itertools import islice
from typing import Literal, NamedTuple

from synth.modes.inputs import RESERVED
from synth.prompts.prompt import KIND_OF, SpanKind
from synth.prompts.templates import MOST_VARIABLES, PASSED, TEMPLATES, ChatPromptTemplate
from synth.text.tokenizer import Tokenizer
from synth.text.wording import agree, listed, short

_DOUBLED = re.compile(r"(\{{2,})([^{}]+)(\}{2,})")
_PLACED = re.compile(
    r"(?<!\{)(?P<before>\{{1,2})\s*(?P<name>[A-Za-z_]\w*)\s*(?P<behind>\}{1,2})(?!\})"
)
_COMPUTED = re.compile(
    r"\{%.*?%\}|\{#.*?#\}|\{\{-?\s*(?:[#/^>!&]|\w+\s*[|.(\[])[^{}]*\}\}", re.DOTALL
)
_WRITTEN = re.compile(r"\{([^\W\d][\w-]*)\}")  # what a person takes for the name of a variable
_LACKING: Mapping[SpanKind, str] = {
    SpanKind.CONTEXT: "the chunks never enter it",
    SpanKind.QUERY: "the question never enters it",
    SpanKind.ANSWER: "the answer so far never enters it and each call starts afresh",
}
_ALIKE = 0.75  # of two names: one is taken for the other, misspelt
_ALIKE_MISSING = 0.6  # the same where the other one is not in the template
_SYNONYMS: Mapping[SpanKind, Collection[str]] = {
    SpanKind.QUERY: ("question", "query", "input"),
    SpanKind.CONTEXT: (*SpanKind.CONTEXT.variables, "context", "text", "summaries", "documents"),
}
"""What LangChain and others call the values that modes pass."""


Level = Literal["error", "warning"]


class Fix(NamedTuple):
    """A text to replace by another one; an empty `old` puts the new one in front."""

    old: str
    new: str

    @property
    def label(self) -> str:
        """Return the fix in two words: "Use {context_str}"."""
        return f"{'Use' if self.old else 'Add'} {self.new}"


class TemplateProblem(NamedTuple):
    """A problem of a template; with an error the mode refuses it."""

    level: Level
    message: str
    fix: Fix | None = None


def apply_fix(text: str, fix: Fix) -> str:
    """Return the text of a template, or of a message of it, with what was found wrong put right."""
    return text.replace(fix.old, fix.new) if fix.old else f"{fix.new}\n{text}"


def lint(
    name: str, template: ChatPromptTemplate, variables: Collection[str]
) -> list[TemplateProblem]:
    """Find what is wrong with a template, given the custom variables that have a value."""
    if template.excess is not None:
        return [TemplateProblem("error", f"{name} {template.excess}")]
    misnamed = [*_misnamed(name, template, variables)]
    return [
        *_missing(name, template, misnamed),
        *_unknown(name, template, variables, misnamed),
        *_doubled(template, misnamed),
        *_computed(template),
    ]


def describe_order(name: str, template: ChatPromptTemplate) -> str:
    """Say what stands before the chunks and differs from question to question; "" for nothing."""
    if not (before := _find_before_chunks(name, template.message_templates)):
        return ""
    stands = agree("stand", len(set(before)))
    context = f"{{{TEMPLATES[name].context}}}"
    return (
        f"{listed([*dict.fromkeys(before)])} {stands} before {context}, so none of it is cached for"
        " another question."
    )


def put_chunks_first(name: str, messages: Sequence[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """Return the messages of a template with the chunks before its other variables."""
    before = _find_before_chunks(name, messages)
    in_order = iter([f"{{{TEMPLATES[name].context}}}", *before] if before else [])
    return tuple(
        (role, _passed(name).sub(lambda found: next(in_order, found[0]), text))
        for role, text in messages
    )


def _find_before_chunks(name: str, messages: Sequence[tuple[str, str]]) -> list[str]:
    context = f"{{{TEMPLATES[name].context}}}"
    variables = [found for _, text in messages for found in _passed(name).findall(text)]
    return variables[: variables.index(context)] if context in variables else []


def _passed(name: str) -> re.Pattern[str]:
    return re.compile(rf"\{{(?:{'|'.join(TEMPLATES[name].passed)})\}}")


def custom_variables(template: ChatPromptTemplate) -> list[str]:
    """List the variables that the person must give, in order, MOST_VARIABLES at most."""
    names = dict.fromkeys(template.template_vars)
    custom = (name for name in names if name not in RESERVED and name not in template.kwargs)
    return list(islice(custom, MOST_VARIABLES))


def find_misspelt(name: str, template: ChatPromptTemplate) -> dict[str, str]:
    """Find the variables in whose place another is passed: LangChain's names, or misspelt."""
    passed = TEMPLATES[name].passed
    missing = [variable for variable in passed if not template.uses(variable)]
    misspelt: dict[str, str] = {}
    placed = [match["name"] for match in _PLACED.finditer(_text(template))]
    for variable in dict.fromkeys([*template.template_vars, *placed]):
        same = [one for one in missing if variable in _SYNONYMS.get(KIND_OF[one], ())]
        if variable in passed or variable in template.kwargs:
            continue
        if same:
            misspelt[variable] = same[0]
        elif variable not in RESERVED:
            alike = get_close_matches(variable, passed, 1, _ALIKE)
            if alike := alike or get_close_matches(variable, missing, 1, _ALIKE_MISSING):
                misspelt[variable] = alike[0]
    return misspelt


def _misnamed(name: str, template: ChatPromptTemplate, variables: Collection[str]) -> Iterator[Fix]:
    """Give a fix for each name with spaces or braces too many, or in whose place another stands."""
    misspelt = find_misspelt(name, template)
    fixes = {}
    for match in _PLACED.finditer(_text(template)):
        variable = match["name"]
        right = f"{{{variable if variable in variables else misspelt.get(variable, variable)}}}"
        if len(match["before"]) == len(match["behind"]) and match[0] not in (right, f"{{{right}}}"):
            fixes[match[0]] = Fix(match[0], right)
    yield from fixes.values()


def _missing(
    name: str, template: ChatPromptTemplate, misnamed: Sequence[Fix]
) -> Iterator[TemplateProblem]:
    for variable in TEMPLATES[name].passed:
        if template.uses(variable):
            continue
        kind, wanted = KIND_OF[variable], f"{{{variable}}}"
        fix = next((fix for fix in misnamed if fix.new == wanted), Fix("", wanted))
        lacking = _LACKING[kind]
        yield TemplateProblem(
            "error" if kind == SpanKind.CONTEXT else "warning",
            f"{fix.old} is sent as it stands, so {lacking}: write {wanted}."
            if fix.old
            else f"{lacking[0].upper()}{lacking[1:]}: put {wanted} in.",
            fix,
        )


def _unknown(
    name: str,
    template: ChatPromptTemplate,
    variables: Collection[str],
    misnamed: Sequence[Fix],
) -> Iterator[TemplateProblem]:
    for fix in misnamed:
        if template.uses(fix.new[1:-1]) or fix.new[1:-1] not in TEMPLATES[name].passed:
            message = f"{fix.old} is sent as it stands: write {fix.new}."
            yield TemplateProblem("warning", message, fix)
    wrong = {fix.old.strip("{} ") for fix in misnamed}
    for variable in dict.fromkeys(template.template_vars):
        text = f"{{{variable}}}"
        if (
            variable in TEMPLATES[name].passed
            or variable in template.kwargs
            or variable.strip() in wrong
        ):
            continue
        if variable in PASSED:
            yield TemplateProblem(
                "warning", f"{text} is not passed to {name}: it is sent as it is."
            )
        elif variable in RESERVED:
            level: Level = "error" if variable in variables else "warning"
            yield TemplateProblem(level, f"{text} is a reserved name of this package: rename it.")
        elif variable not in variables:
            yield TemplateProblem("warning", f"{text} has no value: it is sent as it stands.")
    known = set(template.template_vars)
    for written in dict.fromkeys(_WRITTEN.findall(_text(template))):
        filled = template.fills_any_name and written in variables
        if written not in known and not filled:
            yield TemplateProblem(
                "warning",
                f"{{{written}}} is sent as it stands: a name has letters from a to z, digits and _"
                " alone.",
            )


def _doubled(template: ChatPromptTemplate, misnamed: Sequence[Fix]) -> Iterator[TemplateProblem]:
    told = {fix.old for fix in misnamed}
    for before, inner, behind in dict.fromkeys(_DOUBLED.findall(_text(template))):
        depth = min(len(before), len(behind))
        written, right = before[:depth] + inner + behind[:depth], f"{{{inner}}}"
        if written not in told and not _COMPUTED.fullmatch(written):
            yield TemplateProblem(
                "warning",
                f"{written} is no escape here: the inner braces are filled and the outer ones are"
                f" sent. Write {right}.",
                Fix(written, right),
            )


def _computed(template: ChatPromptTemplate) -> Iterator[TemplateProblem]:
    for code in dict.fromkeys(_COMPUTED.findall(_text(template))):
        yield TemplateProblem(
            "warning", f"{short(code, 60)} is computed nowhere: it is sent as it stands."
        )


def _text(template: ChatPromptTemplate) -> str:
    return "\n".join(text for _, text in template.message_templates)


def bare_tokens(template: ChatPromptTemplate, tokenizer: Tokenizer) -> int:
    """Count the tokens of the template with nothing filled in."""
    return template.fill(**dict.fromkeys(template.template_vars, "")).tokens(tokenizer.text_only)
