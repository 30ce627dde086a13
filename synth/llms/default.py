"""The default model of synthesizers."""

from dataclasses import dataclass
from typing import Any, Self

from synth.errors import require
from synth.llms.extractive import ExtractiveLLM
from synth.runs.llm import LLM


class _Settings:
    """Holds defaults of the whole process, under the name that LlamaIndex has for them.

    `llm` is the offline ExtractiveLLM until another model, or None to have it back, is assigned;
    SynthError for what is no model. Synthesizers made before keep theirs.
    """

    callback_manager = None  # the documents read it; nothing here calls back
    _llm: LLM | None = None

    def __setattr__(self, name: str, value: object) -> None:
        getattr(self, name)  # AttributeError where there is no such setting
        super().__setattr__(name, value)

    @property
    def llm(self) -> LLM:
        """Return the model of synthesizers that are made without one."""
        if self._llm is None:
            self._llm = ExtractiveLLM()
        return self._llm

    @llm.setter
    def llm(self, llm: LLM | None) -> None:
        self._llm = None if llm is None else model_of(llm)


Settings = _Settings()


@dataclass(frozen=True)
class ServiceContext:
    """Holds a model, as the documents passed it before there was Settings."""

    llm: LLM
    callback_manager: None = None

    def __post_init__(self) -> None:
        _require_model(self.llm)

    @classmethod
    def from_defaults(cls, llm: LLM | None = None, **options: Any) -> Self:
        """Make a context of this model, or of that in Settings; TypeError for other options."""
        return cls(model_of(llm), **options)


def model_of(llm: LLM | ServiceContext | None) -> LLM:
    """Return the model that is given, or the one in Settings; SynthError for what is no model."""
    if llm is None:
        return Settings.llm
    if isinstance(llm, ServiceContext):
        return llm.llm
    return _require_model(llm)


def _require_model(llm: LLM) -> LLM:
    wanted = "an LLM, such as OpenAILLM, or FunctionLLM with a function of yours"
    require("The model is", llm, LLM, wanted)
    return llm
