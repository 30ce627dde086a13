"""The page of an older LlamaIndex: its imports with `synth` for `llama_index`, its snippets.

What it shares with today's page is in test_todays_page.py, the modes in test_modes.py.
"""

import importlib
from collections.abc import Sequence
from typing import Any

import pytest

from synth import ServiceContext
from synth.llms import ExtractiveLLM, FunctionLLM
from synth.modes.base import BaseSynthesizer
from synth.modes.registry import MODES, register
from synth.response_synthesizers import get_response_synthesizer
from synth.schema import Node, NodeWithScore

PRINTED = {
    "llama_index.schema": ["Node", "NodeWithScore"],
    "llama_index.response_synthesizers": ["get_response_synthesizer"],
    "llama_index.response_synthesizers.base": ["BaseSynthesizer", "RESPONSE_TEXT_TYPE"],
    "llama_index.core.data_structs": ["Node"],
    "llama_index.core.schema": ["NodeWithScore"],
    "llama_index.core.response_synthesizers": ["ResponseMode", "TreeSummarize"],
    "llama_index.core": ["get_response_synthesizer", "PromptTemplate", "Settings"],
}


@pytest.mark.parametrize("module", PRINTED)
def test_every_import_of_the_pages_works_with_another_prefix(module):
    ours = module.replace("llama_index.core", "synth").replace("llama_index", "synth")
    found = importlib.import_module(ours)
    assert all(hasattr(found, name) for name in PRINTED[module])


def test_a_node_is_one_class_wherever_it_is_imported_from():
    assert importlib.import_module("synth.data_structs").Node is Node


def test_the_first_snippet_runs():
    response_synthesizer = get_response_synthesizer(response_mode="compact")
    nodes = [NodeWithScore(node=Node(text="Ada kept the light."), score=1.0)]
    assert str(response_synthesizer.synthesize("Who?", nodes=nodes)) == "Ada kept the light."


class Older(BaseSynthesizer):
    """A custom synthesizer with the older constructor, which hands its arguments on."""

    mode = "older"

    def __init__(
        self, service_context: ServiceContext | None = None, streaming: bool = False
    ) -> None:
        super().__init__(service_context, streaming)

    def get_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> Any:
        words = [query_str, *text_chunks]
        return iter(words) if self._streaming else " ".join(words)


class Printed(Older):
    """The printed body itself, which calls no other constructor."""

    def __init__(
        self, service_context: ServiceContext | None = None, streaming: bool = False
    ) -> None:
        self._service_context = service_context or ServiceContext.from_defaults()
        self._callback_manager = self._service_context.callback_manager
        self._streaming = streaming


each = pytest.mark.parametrize("kind", [Older, Printed])


@each
async def test_a_synthesizer_with_a_service_context_answers(kind):
    nodes = [Node(text="Ada")]
    assert str(kind().synthesize("Who?", nodes)) == "Who? Ada"
    assert str(await kind().asynthesize("Who?", nodes)) == "Who? Ada"
    assert list(kind(None, True).synthesize("Who?", nodes).response_gen) == ["Who?", "Ada"]


@each
def test_the_service_context_holds_the_model(kind):
    llm = FunctionLLM(str.upper)
    made = kind(ServiceContext.from_defaults(llm=llm), True)
    assert made._service_context.llm is llm
    assert (made._streaming, made._callback_manager) == (True, None)
    assert isinstance(kind()._service_context.llm, ExtractiveLLM)


def test_the_factory_reads_a_service_context_as_well():
    llm = FunctionLLM(str.upper)
    context = ServiceContext.from_defaults(llm)
    assert get_response_synthesizer(service_context=context).llm is llm
    assert get_response_synthesizer(service_context=context, llm=ExtractiveLLM()).llm is not llm


class WithOptions(Older):
    """A constructor that takes options beside the two arguments."""

    def __init__(self, llm: Any = None, streaming: bool = False, **options: Any) -> None:
        BaseSynthesizer.__init__(self, llm, streaming, **options)


@pytest.mark.parametrize("kind", [Older, WithOptions])
def test_whatever_its_constructor_it_can_be_registered_and_has_its_options(kind, monkeypatch):
    monkeypatch.setitem(MODES, "older", kind)  # which takes it out again
    assert register(kind) is kind
    llm = FunctionLLM(str.upper, context_window=512)
    made = get_response_synthesizer("older", llm, streaming=True, empty_response="nothing")
    assert type(made) is kind
    assert made.llm is llm
    assert made.prompt_helper.context_window == 512
    assert list(made.synthesize("Who?", [Node(text="Ada")]).response_gen) == ["Who?", "Ada"]
    assert str(made.synthesize("Who?", [])) == "nothing"
    context = ServiceContext.from_defaults(llm)
    assert get_response_synthesizer("older", service_context=context).llm is llm
