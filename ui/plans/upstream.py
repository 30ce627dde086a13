"""llama-index-core with the same input: how its plan differs, and which quirks are the reason.

A quirk is named only if it shows in the two plans. The gravest is named first.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice, pairwise
from typing import Any, NamedTuple

from synth.errors import SynthError
from synth.prompts.kinds import SpanKind
from synth.runs.calls import PlannedCall
from synth.runs.trace import Plan
from synth.text.wording import counted, listed
from ui.plans.plan_range import plan_range
from ui.session import workspace
from ui.settings.request import Request

_MOST_REASONS = 2
_MORE_CALLS, _TIMES_OURS = 60, 4  # beside ours: enough to see that it makes far more
_CHAINS = ("refine", "compact")
_REPOSITORY = "https://github.com/run-llama/llama_index"
_QUESTION = "the question"


class Issue(NamedTuple):
    """A link to a report of a quirk; the page never fetches it."""

    label: str
    url: str


@dataclass(frozen=True)
class UpstreamDifference:
    """The difference of the two plans in a sentence, its reasons, and the reports of these."""

    head: str
    why: str
    issues: tuple[Issue, ...] = ()


def upstream(request: Request) -> UpstreamDifference | None:
    """The difference of llama-index-core with this input; None if its prompts equal ours.

    None for a request without a plan, too.
    """
    if request.behaviour == "llama_index":
        return None
    return workspace.current().remembered("upstream", request, lambda: _compared(request))


def _compared(request: Request) -> UpstreamDifference | None:
    ours = plan_range(request).high
    if ours is None:
        return None
    theirs = _planned(request, _MORE_CALLS + _TIMES_OURS * ours.call_count)
    if isinstance(theirs, str):
        return UpstreamDifference("LlamaIndex itself would refuse this.", theirs)
    if theirs is None or _prompts(theirs) == _prompts(ours):
        return None
    if theirs.problem:
        return _unfinished(theirs)
    named = list(islice(_quirks(request, ours, theirs), _MOST_REASONS))
    why = " ".join(quirk.reason for quirk in named) or _cuts(ours, theirs)
    issues = tuple(quirk.issue for quirk in named if quirk.issue is not None)
    return UpstreamDifference(_head(ours.call_count, theirs.call_count), why, issues)


def _head(ours: int, theirs: int) -> str:
    calls = counted(theirs, "call")
    if theirs == ours:
        return f"LlamaIndex itself would make {calls} here too, with other prompts."
    return f"LlamaIndex itself would make {calls} here, not {ours:,}."


def _cuts(ours: Plan, theirs: Plan) -> str:
    totals = f"{theirs.prompt_tokens:,} prompt tokens in all, against {ours.prompt_tokens:,}"
    if theirs.prompt_tokens == ours.prompt_tokens:
        totals = f"{theirs.prompt_tokens:,} prompt tokens in all, as here"
    return f"It cuts the chunks at other places: {totals}."


def _unfinished(theirs: Plan) -> UpstreamDifference:
    """The difference to a plan that never ends: a tree that does not shrink, or too many calls."""
    widths = sorted(Counter(call.depth for call in theirs.calls).items())
    grown = [above for below, above in pairwise(widths) if above[1] >= below[1]]
    if theirs.setup.mode == "tree_summarize" and grown:
        level, width = grown[0]
        why = (
            f"Level {level:,} has {counted(width, 'call')}, no fewer than the level below:"
            " its answers are as long as what they summarize, and LlamaIndex sets no limit."
        )
        return UpstreamDifference(
            "LlamaIndex itself would never finish here.", why, (_issue(6976),)
        )
    calls = counted(theirs.call_count, "call")
    why = theirs.problem or ""
    return UpstreamDifference(f"LlamaIndex itself would make {calls} or more here.", why)


class _Quirk(NamedTuple):
    """A quirk as a sentence, and the report of it, if there is one."""

    reason: str
    issue: Issue | None = None


def _issue(number: int, kind: str = "issues") -> Issue:
    """The issue of llama-index-core with this number; `kind` is "issues" or "pull"."""
    word = "Pull request" if kind == "pull" else "Issue"
    return Issue(f"{word} {number}", f"{_REPOSITORY}/{kind}/{number}")


def _planned(request: Request, max_calls: int) -> Plan | str | None:
    """The plan of llama-index-core, or the reason why it refuses; None if there can be none."""
    asked = replace(request, behaviour="llama_index")
    try:
        synthesizer = asked.synthesizer()
        if not synthesizer.plannable:
            return None
        values: dict[str, Any] = dict(asked.variables)
        return synthesizer.plan(asked.query_str, asked.text_chunks, max_calls=max_calls, **values)
    except SynthError as error:
        return str(error)


def _prompts(plan: Plan) -> list[str]:
    """The prompts of a plan as texts."""
    return [call.prompt.text for call in plan.calls]


def _quirks(request: Request, ours: Plan, theirs: Plan) -> Iterator[_Quirk]:
    """The quirks that show in the plan of llama-index-core, the gravest first."""
    if request.mode == "simple_summarize":
        reason = "It sends the chunks as a Python list, in brackets and quotes."
        yield _Quirk(reason, _issue(22392, "pull"))
    if _backwards(theirs) and not _backwards(ours):
        yield _Quirk("It sends chunk pieces that it splits again in reverse order.", _issue(23155))
    if over := _over(request, theirs):
        yield _Quirk(over)
    elif room := _room(request, ours, theirs):
        yield _Quirk(room)
    if blank := sum(map(_is_blank, theirs.calls)) - sum(map(_is_blank, ours.calls)):
        calls = f"{counted(blank, 'call')} would have no chunk text"
        yield _Quirk(f"{calls}: it makes a call even for blank chunks, or for none.")
    if any(
        "<|" in chunk and theirs.setup.tokenizer.count(chunk) != ours.setup.tokenizer.count(chunk)
        for chunk in ours.setup.chunks
    ):
        yield _Quirk("It counts a special token such as <|endoftext|> in a chunk as one token.")


def _backwards(plan: Plan) -> bool:
    """Whether a call begins with chunk text that stands before that of the previous call."""
    starts = [
        next((origin[1:] for origin in call.origins if origin.kind == "chunk"), None)
        for call in plan.calls
    ]
    return any(before > after for before, after in pairwise(filter(None, starts)))


def _over(request: Request, theirs: Plan) -> str | None:
    """A sentence about its largest prompt, if that is over the window, with the reason."""
    window = theirs.setup.context_window
    call = max(theirs.calls, key=lambda call: call.prompt_tokens)
    needs = call.prompt_tokens + theirs.setup.num_output
    if needs <= window:
        return None
    names = _unreserved(request, theirs)
    if call.depth:
        names.pop(_QUESTION, None)
    if frame := theirs.budget(call).tokens(SpanKind.FRAME):
        names["the chat template"] = frame
    cause = f"it keeps no room for {listed([*names])}"
    if sum(names.values()) < needs - window:
        cause = "it never counts the prompt"
    return f"Call {call.number:,} needs {needs:,} tokens of {window:,}: {cause}."


def _unreserved(request: Request, plan: Plan) -> dict[str, int]:
    """The tokens for which it keeps no room: variables, and in refine the question."""
    count = plan.setup.tokenizer.count
    question = count(request.query_str) if request.mode == "refine" else 0
    variables = sum(count(value) for _, value in request.variables)
    counts = {_QUESTION: question, "your variables": variables}
    return {name: tokens for name, tokens in counts.items() if tokens}


def _is_blank(call: PlannedCall) -> bool:
    """Whether the place for chunk text in its prompt is blank."""
    spans = [str(span.text) for span in call.prompt.spans if span.kind == "context"]
    return not "".join(spans).strip() and call.template != "simple_template"


def _room(request: Request, ours: Plan, theirs: Plan) -> str | None:
    """A sentence about another room for chunks in a chain, if this changes the prompts."""
    if request.mode not in _CHAINS:
        return None
    margin = theirs.calls[0].padding if theirs.calls else 0
    names = _unreserved(request, ours)
    tokens = sum(names.values())

    def gives_their_prompts(padding: int) -> bool:
        return _prompts_with(request, padding, theirs.call_count) == _prompts(theirs)

    automatic = request.response_padding_size is None
    if automatic and margin > tokens and not gives_their_prompts(0):
        return f"It keeps a safety margin of {margin:,} tokens, and this plan keeps none."
    if names and not gives_their_prompts(margin + tokens):
        return f"It packs as if {listed([*names])} had no tokens."
    return None


def _prompts_with(request: Request, padding: int, max_calls: int) -> list[str] | None:
    """The prompts that llama-index-core would send with this padding; None if it refuses."""
    plan = _planned(replace(request, response_padding_size=padding), max_calls)
    return _prompts(plan) if isinstance(plan, Plan) else None
