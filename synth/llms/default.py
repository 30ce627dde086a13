"""The default model of synthesizers."""

from dataclasses import dataclass
from typing import Self

from synth.errors import SynthError, shown
from synth.llms.extractive import ExtractiveLLM
from synth.runs.llm import LLM


class _Settings:
    """Defaults of the whole process, under the name that LlamaIndex has for them.

    `llm` is the offline ExtractiveLLM until another model, or None to have it back, is
    assigned; SynthError for what is no model. Synthesizers made before keep theirs.
    """

    __slots__ = ("_llm",)
    callback_manager = None  # the documents read it; nothing here calls back

    def __init__(self) -> None:
        self._llm: LLM | None = None

    @property
    def llm(self) -> LLM:
        """The model of synthesizers that are made without one."""
        if self._llm is None:
            self._llm = ExtractiveLLM()
        return self._llm

    @llm.setter
    def llm(self, llm: LLM | None) -> None:
        self._llm = None if llm is None else model_of(llm)


Settings = _Settings()


@dataclass(frozen=True)
class ServiceContext:
    """What the documents passed before there was Settings: it holds a model."""

    llm: LLM
    callback_manager: None = None

    def __post_init__(self) -> None:
        _require_model(self.llm)

    @classmethod
    def from_defaults(cls, llm: LLM | None = None) -> Self:
        """A context of this model, or of the one in Settings."""
        return cls(model_of(llm))


def model_of(llm: LLM | ServiceContext | None) -> LLM:
    """The model that is given, or the one in Settings; SynthError for what is no model."""
    if llm is None:
        return Settings.llm
    if isinstance(llm, ServiceContext):
        return llm.llm
    return _require_model(llm)


def _require_model(llm: LLM) -> LLM:
    if not isinstance(llm, LLM):
        raise SynthError(
            f"The model is {shown(llm)}: give an LLM, such as OpenAILLM, or FunctionLLM with a"
            " function of yours."
        )
    return llm
