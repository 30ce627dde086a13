"""The kinds of models: what is saved of each, its name for people, and what pages ask of it."""

from dataclasses import dataclass

from ui.settings import this_machine


@dataclass(frozen=True)
class ModelKind:
    """A kind of model; `value` is saved, `label` is its name for people.

    One that is not free may cost something. One that `has_server` gets settings with each call, and
    its tokens are the server's.
    """

    value: str
    label: str
    is_free: bool = True
    needs_key: bool = False
    needs_address: bool = False
    has_server: bool = False


OFFLINE = ModelKind("offline", "Offline, no language model")
ON_THIS_MACHINE = ModelKind(this_machine.KIND, this_machine.label(), has_server=True)
ENDPOINT = ModelKind(
    "endpoint",
    "OpenAI-compatible endpoint",
    is_free=False,
    needs_key=True,
    needs_address=True,
    has_server=True,
)
HUMAN = ModelKind("human", "You are the LLM")
RECORDED = ModelKind("recorded", "Recorded, else offline")
"""The model that answers as the trace says, and offline where the trace has no such prompt."""

KINDS = {kind.value: kind for kind in (OFFLINE, ON_THIS_MACHINE, ENDPOINT, HUMAN, RECORDED)}


def kind_of(value: str) -> ModelKind:
    """Find the kind that is saved so; one that no setting chooses has this as its name, too."""
    return KINDS.get(value, ModelKind(value, value))
