"""The sentence about a run that has ended."""

from __future__ import annotations

from synth.trace import Trace
from synth.wording import counted, duration
from ui.look.escape import marked
from ui.text.cut_off import cut_off_tokens

_NO_CALL = "**{mode}** made **no call**."
_HEADLINE = "**{mode}** made **{calls}** in {time}: {prompts}, {outputs}. {loss}{repeated}"
_LOSS = {
    True: "{tokens} of the chunks were cut off.",
    False: "{tokens} of the chunks are not sent yet.",
}


def run_sentence(trace: Trace, by_person: bool = False) -> list[str]:
    """The calls, the time and the tokens of a run; `by_person`: a person gave its answers."""
    mode = trace.setup.mode
    if not trace.calls:
        return marked(_NO_CALL, mode=mode)
    lost = cut_off_tokens(trace)
    loss = _LOSS[trace.response is not None].format(tokens=counted(lost, "token"))
    return marked(
        _HEADLINE,
        mode=mode,
        calls=counted(len(trace.calls), "call"),
        time=duration(trace.seconds),
        prompts=counted(trace.prompt_tokens, "prompt token"),
        outputs=counted(trace.output_tokens, "output token"),
        loss=loss if lost else "Nothing was cut off.",
        repeated=" You were the model." if by_person else _repeated(trace),
    )


def _repeated(trace: Trace) -> str:
    """A sentence about the requests that were sent again; "" if there were none."""
    more = sum(call.tries - 1 for call in trace.calls if not call.replayed)
    return f" {counted(more, 'request')} had to be sent again." if more else ""
