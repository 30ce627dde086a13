"""LlamaIndex's pages: imports, snippets and promises, with `synth` for its name."""

import importlib
from collections.abc import Sequence
from typing import Any

import pytest

import synth
from synth import (
    BM25Index,
    PromptTemplate,
    ServiceContext,
    Settings,
    get_response_synthesizer,
    register,
)
from synth.data_structs import Node
from synth.llms import LLM, ExtractiveLLM, FunctionLLM
from synth.modes.registry import MODES
from synth.response_synthesizers import RESPONSE_TEXT_TYPE, TreeSummarize
from synth.response_synthesizers.base import BaseSynthesizer

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


TEXTS = ["Ada kept the light.", "Bo painted the tower."]


class Shorter(TreeSummarize):
    """tree_summarize with a template of its own for the last call."""

    def steps(self, query_str: str, texts: Sequence[Any], **variables: Any) -> Any:
        answers = yield [
            self.call(self.filled("summary_template", query_str=query_str), text) for text in texts
        ]
        self.update_prompts({"summary_template": PromptTemplate("SHORTER {context_str}")})
        last = self.filled("summary_template")
        text = self.packer.truncate(last, [answer.as_text() for answer in answers])
        [answer] = yield [self.call(last, text, final=True)]
        return answer.text


def test_the_template_of_each_stage_of_a_tree_can_be_made_ones_own():
    prompts = []
    llm = FunctionLLM(lambda prompt: prompts.append(prompt) or "yes")
    assert Shorter(llm).get_response("Who?", TEXTS) == "yes"
    assert [prompt[:7] for prompt in prompts[2:]] == ["SHORTER"]


class Joined(BaseSynthesizer):
    """A constructor and two methods, as printed; the constructor hands on what it takes."""

    def __init__(self, llm: LLM | None = None, streaming: bool = False) -> None:
        super().__init__(llm, streaming)

    def get_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        text = f"{query_str} {' '.join(text_chunks)}{response_kwargs.get('end', '')}"
        return iter(text.split()) if self._streaming else text

    async def aget_response(
        self, query_str: str, text_chunks: Sequence[str], **response_kwargs: Any
    ) -> RESPONSE_TEXT_TYPE:
        return self.get_response(query_str, text_chunks, **response_kwargs)


class Unrelated(Joined):
    """The printed body itself: it sets the three attributes and calls no other constructor."""

    def __init__(self, llm: LLM | None = None, streaming: bool = False) -> None:
        self._llm = llm or Settings.llm
        self._callback_manager = Settings.callback_manager
        self._streaming = streaming


class Older(Joined):
    """The constructor of the older page, which hands its arguments on."""

    mode = "older"

    def __init__(
        self, service_context: ServiceContext | None = None, streaming: bool = False
    ) -> None:
        BaseSynthesizer.__init__(self, service_context, streaming)


class Printed(Older):
    """The printed body itself, which calls no other constructor."""

    def __init__(
        self, service_context: ServiceContext | None = None, streaming: bool = False
    ) -> None:
        self._service_context = service_context or ServiceContext.from_defaults()
        self._callback_manager = self._service_context.callback_manager
        self._streaming = streaming


each = pytest.mark.parametrize("kind", [Joined, Unrelated, Older, Printed])


@each
async def test_one_of_ones_own_works_alone_and_in_any_query_engine(kind):
    nodes = [Node(text=text) for text in TEXTS]
    words = f"Who? {' '.join(TEXTS)}!"
    assert str(kind().synthesize("Who?", nodes, end="!")) == words
    assert str(await kind().asynthesize("Who?", nodes, end="!")) == words
    engine = BM25Index(nodes).as_query_engine(response_synthesizer=kind())
    assert str(engine.query("Who kept it?")).startswith("Who kept it? Ada kept")
    assert not kind().plannable
    with pytest.raises(synth.SynthError, match=f"{kind.__name__} has no steps"):
        kind(None).plan("Who?", TEXTS)


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
    assert Printed(context)._service_context.llm is llm


@each
async def test_a_generator_of_strings_is_a_streaming_response(kind):
    response = kind(None, True).synthesize("Who?", [Node(text="Ada kept it")])
    assert isinstance(response, synth.StreamingResponse)
    assert list(response.response_gen) == ["Who?", "Ada", "kept", "it"]
    waited = await kind(streaming=True).asynthesize("Who?", [Node(text="Ada")])
    assert list(waited.response_gen) == ["Who?", "Ada"]
    assert list(kind(streaming=True).synthesize("Who?", []).response_gen) == ["Empty Response"]


def test_settings_have_the_offline_model_until_another_is_assigned():
    assert isinstance(Settings.llm, ExtractiveLLM)
    Settings.llm = FunctionLLM(str.upper)
    try:
        assert get_response_synthesizer().get_response("who", ["a"]).endswith("WHO\nANSWER: ")
        assert TreeSummarize().llm is Joined()._llm is Unrelated()._llm is Settings.llm
    finally:
        Settings.llm = None
    assert isinstance(Settings.llm, ExtractiveLLM)
