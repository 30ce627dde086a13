"""The quirks of llama-index-core that show in two plans; llama_index.py has them all."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from synth.calls import PlannedCall
from synth.errors import SynthError
from synth.trace import Plan
from synth.wording import counted, listed
from ui.request.request import Request

CHAINS = ("refine", "compact")
_REPOSITORY = "https://github.com/run-llama/llama_index"
_QUESTION = "the question"


class Issue(NamedTuple):
    """A report of the quirk, to be opened by the person: nothing is fetched."""

    label: str
    url: str


class Quirk(NamedTuple):
    """A difference as a sentence, and where it is reported, if it is."""

    reason: str
    issue: Issue | None = None


def issue(number: int, kind: str = "issues") -> Issue:
    """The issue of that number, or of another kind."""
    word = "Pull request" if kind == "pull" else "Issue"
    return Issue(f"{word} {number}", f"{_REPOSITORY}/{kind}/{number}")


def their_plan(request: Request, max_calls: int) -> Plan | str | None:
    """Their plan with long answers, or why they refuse; None where there is nothing to plan."""
    try:
        synthesizer = replace(request, behaviour="llama_index").synthesizer()
        if not synthesizer.plannable:
            return None
        values: dict[str, Any] = dict(request.variables)
        return synthesizer.plan(request.query, request.chunks, max_calls=max_calls, **values)
    except SynthError as error:
        return str(error)


def prompts(plan: Plan) -> list[str]:
    """The texts that the calls of a plan would send."""
    return [call.prompt.text for call in plan.calls]


def quirks(request: Request, ours: Plan, theirs: Plan) -> Iterator[Quirk]:
    """The quirks that show in their plan, the gravest first."""
    if request.mode == "simple_summarize":
        reason = "It sends the chunks as a Python list, in brackets and quotes."
        yield Quirk(reason, issue(22392, "pull"))
    if _backwards(theirs) and not _backwards(ours):
        yield Quirk("Pieces it must split again are sent in reverse order.", issue(23155))
    if over := _over(request, theirs):
        yield Quirk(over)
    elif room := _room(request, ours, theirs):
        yield Quirk(room)
    if blank := sum(map(_is_blank, theirs.calls)) - sum(map(_is_blank, ours.calls)):
        without = f"{counted(blank, 'call')} would have no chunk text"
        yield Quirk(f"{without}: blank chunks, or none, cost calls there.")
    if any(
        "<|" in chunk and theirs.setup.tokenizer.count(chunk) != ours.setup.tokenizer.count(chunk)
        for chunk in ours.setup.chunks
    ):
        yield Quirk("It counts a special token such as <|endoftext|> in a chunk as one.")


def _backwards(plan: Plan) -> bool:
    """Whether a call has chunk text from before that of the call before it."""
    starts = [
        next((origin[1:] for origin in call.origins if origin.kind == "chunk"), None)
        for call in plan.calls
    ]
    return any(one > other for one, other in pairwise(filter(None, starts)))


def _over(request: Request, theirs: Plan) -> str | None:
    """Their largest prompt if it exceeds the window, and the reason."""
    window = theirs.setup.context_window
    call = max(theirs.calls, key=lambda call: call.prompt_tokens)
    needs = call.prompt_tokens + theirs.setup.num_output
    if needs <= window:
        return None
    names = _unreserved(request, theirs)
    if call.depth:
        names.pop(_QUESTION, None)
    cause = f"it keeps no room for {listed([*names])}"
    if sum(names.values()) < needs - window:
        cause = "it never counts the prompt"
    return f"Call {call.number:,} needs {needs:,} tokens of {window:,}: {cause}."


def _unreserved(request: Request, plan: Plan) -> dict[str, int]:
    """Tokens that they do not reserve: of the variables, and in refine of the question."""
    count = plan.setup.tokenizer.count
    question = count(request.query) if request.mode == "refine" else 0
    variables = sum(count(value) for _, value in request.variables)
    found = {_QUESTION: question, "your variables": variables}
    return {name: tokens for name, tokens in found.items() if tokens}


def _is_blank(call: PlannedCall) -> bool:
    """Whether its prompt has room for chunk text, and none in it."""
    spans = [str(span.text) for span in call.prompt.spans if span.kind == "context"]
    return not "".join(spans).strip() and call.template != "simple_template"


def _room(request: Request, ours: Plan, theirs: Plan) -> str | None:
    """The reason why a chain has other room for chunks there, where that changes its prompts."""
    if request.mode not in CHAINS:
        return None
    kept, keeps = (plan.calls[0].padding if plan.calls else 0 for plan in (ours, theirs))
    names = _unreserved(request, ours)
    tokens = sum(names.values())
    if keeps - kept > tokens and _prompts_with(request, kept, theirs.call_count) != prompts(theirs):
        return f"It keeps {keeps:,} tokens of padding, where this plan keeps {kept:,}."
    if names and _prompts_with(request, keeps + tokens, theirs.call_count) != prompts(theirs):
        return f"It packs as if {listed([*names])} had no tokens."
    return None


def _prompts_with(request: Request, padding: int, max_calls: int) -> list[str] | None:
    """The prompts that they would send with another padding; None if they refuse."""
    plan = their_plan(replace(request, padding=padding), max_calls)
    return prompts(plan) if isinstance(plan, Plan) else None
