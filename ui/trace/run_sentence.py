"""The sentence about a run that has ended."""

from __future__ import annotations

from collections.abc import Sequence

from synth.runs.calls import CallRecord
from synth.runs.trace import Trace
from synth.text.wording import counted, duration, marked, numbered
from ui.text.cut_off import cut_off_tokens

_NO_CALL = "**{mode}** made **no call**.{further}"
_HEADLINE = "**{mode}** made **{calls}** in {time}: {prompts}, {outputs}.{further}"


def run_sentence(trace: Trace, by_person: bool = False) -> list[str]:
    """The calls that got a reply, the time and the tokens of a run, and what came in its way.

    `by_person`: a person gave its answers. Prompt tokens are counted here, as those of its plan
    are; where its server counted others, that is said too.
    """
    mode = trace.setup.mode
    made = [call for call in trace.calls if call.received]
    without = numbered("call", [call.number for call in trace.calls if not call.received])
    refused = "" if len(made) == trace.call_count else f" {without.capitalize()} got no answer."
    if not made:
        return marked(_NO_CALL, mode=mode, further=refused)
    prompt_tokens = sum(call.prompt_tokens for call in made)
    repeated = " You were the model." if by_person else _repeated(trace)
    further = (_counted_there(made), refused, _too_long(trace), _loss(trace), repeated)
    return marked(
        _HEADLINE,
        mode=mode,
        calls=counted(len(made), "call"),
        time=duration(trace.seconds),
        prompts=counted(prompt_tokens, "prompt token"),
        outputs=counted(trace.output_tokens, "output token"),
        further="".join(further),
    )


def _counted_there(made: Sequence[CallRecord]) -> str:
    """A sentence on the prompt tokens by the server's count; "" where it is ours or unknown."""
    theirs = [call.reported_prompt_tokens for call in made]
    if None in theirs or theirs == [call.prompt_tokens for call in made]:
        return ""
    total = sum(call.sent_tokens for call in made)
    return f" The server counted {counted(total, 'prompt token')}."


def _too_long(trace: Trace) -> str:
    """A sentence about the answers that are longer than asked; "" if there are none."""
    if not trace.too_long:
        return ""
    calls = numbered("call", [call.number for call in trace.too_long]).capitalize()
    asked = counted(trace.setup.num_output, "token")
    return (
        f" {calls} gave more than the {asked} asked for: the model or its server ignores the"
        " answer length."
    )


def _loss(trace: Trace) -> str:
    """A sentence about the text of the chunks that was not sent."""
    lost = counted(cut_off_tokens(trace), "token")
    if trace.response is None:
        return f" {lost} of the chunks are not sent yet." if cut_off_tokens(trace) else ""
    cut = f"{lost} of the chunks were" if cut_off_tokens(trace) else "Nothing was"
    return f" {cut} cut off."


def _repeated(trace: Trace) -> str:
    """A sentence about the requests that were sent again; "" if there were none."""
    more = sum(call.tries - 1 for call in trace.calls if not call.replayed)
    return f" {counted(more, 'request')} had to be sent again." if more else ""
