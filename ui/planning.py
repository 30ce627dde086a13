"""The plan of a request: from short answers to long ones, made once."""

from __future__ import annotations

from dataclasses import dataclass, replace

from synth.errors import SynthError
from synth.trace import Plan, Trace
from ui import workspace
from ui.request import Request

_SHORT = 20  # tokens of a short answer


@dataclass(frozen=True)
class Outlook:
    """What a run would be with short answers and with answers of num_output tokens.

    `refused` says why there is no plan at all.
    """

    low: Plan | None = None
    high: Plan | None = None
    refused: str | None = None


def outlook(request: Request) -> Outlook:
    """The outlook of a request, from memory where nothing that it depends on has changed."""
    return workspace.current().remembered("outlook", request, lambda: _look_ahead(request))


def _look_ahead(request: Request) -> Outlook:
    try:
        synthesizer = request.synthesizer()
        if not synthesizer.plannable:
            return Outlook()
        values = dict(request.variables)
        low, high = (
            synthesizer.plan(request.query, request.chunks, answer_tokens=tokens, **values)
            for tokens in (min(_SHORT, request.num_output), request.num_output)
        )
    except SynthError as error:
        return Outlook(refused=str(error))
    return Outlook(low, high)


def upstream(request: Request, plan: Plan | Trace) -> tuple[str, str] | None:
    """What llama-index-core would do with this very input, where its prompts are others."""
    if request.behaviour == "llama_index":
        return None
    other = outlook(replace(request, behaviour="llama_index"))
    if other.refused is not None:
        return "LlamaIndex itself would refuse this.", other.refused
    if other.high is None:
        return None
    if [call.prompt.text for call in other.high.calls] == [call.prompt.text for call in plan.calls]:
        return None
    return _difference(plan, other.high)


def _difference(ours: Plan | Trace, theirs: Plan) -> tuple[str, str]:
    if theirs.problem:
        return "LlamaIndex itself would not end here.", theirs.problem
    count, tokens = theirs.call_count, theirs.prompt_tokens
    calls = "1 call" if count == 1 else f"{count:,} calls"
    if count != len(ours.calls):
        head = f"LlamaIndex itself would make {calls} here, not {len(ours.calls):,}."
    else:
        head = f"LlamaIndex itself would make {calls} here too, with other prompts."
    why = f"Its prompts have {tokens:,} tokens in all, against {ours.prompt_tokens:,}."
    kept, keeps = ours.calls[0].padding, theirs.calls[0].padding
    if keeps > kept:
        why = f"It keeps {keeps:,} tokens of padding, where this plan keeps {kept:,}. {why}"
    return head, why
