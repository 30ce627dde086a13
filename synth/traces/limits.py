"""The limits of a recorded model, in tokens, and the prompt helper made of them."""

from collections.abc import Sequence

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from synth.prompts.window import PromptHelper
from synth.traces.spans import TraceSpan

_LARGEST = 1_000_000_000  # tokens
# What llama-index-core takes where nothing is said, in tokens and as a share of a chunk. Our
# own defaults (sizes.py) are a choice of ours, and a recording does not change with them.
_CONTEXT_WINDOW, _NUM_OUTPUT, _CHUNK_OVERLAP_RATIO = 3_900, 256, 0.1


class Limits(BaseModel):
    """What LlamaIndex records of its model's metadata; what is unset there has its default."""

    model_config = ConfigDict(protected_namespaces=())

    context_window: int | None = Field(None, ge=1, le=_LARGEST)
    num_output: int | None = Field(None, ge=-1, le=_LARGEST)  # -1 stands for the default
    model_name: str | None = None


def limits_of(spans: Sequence[TraceSpan]) -> Limits:
    """What the first of these calls says of its model that can be read."""
    for span in spans:
        parameters = span.table("llm.invocation_parameters")
        try:
            if parameters:
                return Limits.model_validate(parameters)
        except ValidationError:
            continue
    return Limits()


def helper_of(limits: Limits) -> PromptHelper:
    """The helper that LlamaIndex makes of these limits."""
    num_output = limits.num_output
    return PromptHelper(
        limits.context_window or _CONTEXT_WINDOW,
        _NUM_OUTPUT if num_output is None or num_output < 0 else num_output,
        _CHUNK_OVERLAP_RATIO,
    )
