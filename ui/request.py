"""What is asked for: everything that a plan and a run depend on, as one value."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from synth import BaseSynthesizer, PromptHelper, get_response_synthesizer
from synth.lint import custom_variables
from synth.llms import LLM, FunctionLLM
from synth.modes import MODES
from ui import model, spending, state
from ui.chunk_order import order
from ui.template_texts import Messages, messages, template_of

Behaviour = Literal["documented", "llama_index"]


@dataclass(frozen=True)
class Request:
    """A question, the chunks to send, the mode with its templates, and the limits in tokens.

    `places` are those of the chunks in the whole list, `scores` what ranked them, if anything.
    """

    mode: str
    behaviour: Behaviour
    query: str
    chunks: tuple[str, ...]
    places: tuple[int, ...]
    scores: tuple[float | None, ...]
    window: int
    num_output: int
    overlap: float
    chunk_limit: int | None
    padding: int | None
    encoding: str
    filtering: bool
    templates: tuple[tuple[str, Messages], ...]
    variables: tuple[tuple[str, str], ...]
    model: str

    def synthesizer(self, llm: LLM | None = None) -> BaseSynthesizer:
        """The synthesizer that is asked for; without a model it can plan, not run.

        With one it keeps to the session's cap, and asks nothing that was paid for.
        """
        helper = PromptHelper(
            context_window=self.window,
            num_output=self.num_output,
            chunk_overlap_ratio=self.overlap,
            chunk_size_limit=self.chunk_limit,
            tokenizer=self.encoding,
        )
        templates: dict[str, Any] = {name: template_of(texts) for name, texts in self.templates}
        return get_response_synthesizer(
            response_mode=self.mode,
            llm=llm or FunctionLLM(str),
            prompt_helper=helper,
            behaviour=self.behaviour,
            response_padding_size=self.padding,
            structured_answer_filtering=self.filtering,
            use_async=True,
            **({} if llm is None else spending.options()),
            **templates,
        )


def asked() -> Request:
    """The request that the settings make."""
    mode = MODES[state.get("mode")]
    question, chunks = state.get("question"), state.get("chunks")
    ranked = order(question, chunks)
    places = ranked.places[: ranked.sent]
    return Request(
        mode=state.get("mode"),
        behaviour=state.get("behaviour"),
        query=question,
        chunks=tuple(chunks[place].text for place in places),
        places=places,
        scores=ranked.scores[: ranked.sent],
        window=int(state.get("window")),
        num_output=int(state.get("num_output")),
        overlap=float(state.get("overlap")),
        chunk_limit=state.get("chunk_limit"),
        padding=state.get("padding"),
        encoding=state.get("encoding"),
        filtering=bool(state.get("filtering")) and mode.filters,
        templates=tuple((name, messages(name)) for name in mode.templates),
        variables=tuple(
            (name, value)
            for name in variables_of(mode.templates)
            if (value := state.get(state.VARIABLE + name))
        ),
        model=model.label(),
    )


def variables_of(templates: Iterable[str]) -> list[str]:
    """The variables in these templates that no mode passes: the person gives their values."""
    found = (name for key in templates for name in custom_variables(template_of(messages(key))))
    return list(dict.fromkeys(found))
