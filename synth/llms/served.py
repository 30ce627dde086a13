"""What is known of the server of a model, as data that can be kept."""

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Kind = Literal["llama.cpp", "vLLM", "Ollama", "LM Studio", "other"]
DialectName = Literal["llama.cpp", "vLLM"]

LARGEST = 2**31
"""More tokens than any window has."""

Tokens = Annotated[int, Field(gt=0, lt=LARGEST)]


class ServerFacts(BaseModel):
    """What a server said of one model; sizes in tokens, None where it is not known.

    `window` is what a prompt and its answer have together as the server runs, `trained` what the
    model was made for. `dialect` is how it is asked to count a text before a call, if it can be.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    kind: Kind = "other"
    window: Tokens | None = None
    trained: Tokens | None = None
    dialect: DialectName | None = None

    @property
    def cuts(self) -> bool:
        """Return whether such a server cuts what is longer than its window without saying so."""
        return self.kind == "Ollama"
