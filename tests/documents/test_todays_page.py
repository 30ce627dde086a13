"""The newest page: its imports with `synth` for `llama_index.core`, its snippets, its promises.

In the page's order; what it says of the modes is in test_modes.py.
"""

import inspect
from collections.abc import Sequence
from typing import Any

import pytest

import synth
from synth import BM25Index, PromptTemplate, Settings, get_response_synthesizer
from synth.data_structs import Node
from synth.llms import LLM, ExtractiveLLM, FunctionLLM
from synth.llms.default import model_of
from synth.response_synthesizers import RESPONSE_TEXT_TYPE, TreeSummarize
from synth.response_synthesizers.base import BaseSynthesizer

TEXTS = ["Ada kept the light.", "Bo painted the tower."]


@pytest.fixture
def model():
    """The default model, which says what it read."""
    Settings.llm = FunctionLLM(lambda prompt: f"<{prompt}>")
    yield Settings.llm
    Settings.llm = None


# Custom synthesizers


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


both = pytest.mark.parametrize("kind", [Joined, Unrelated])


@both
def test_one_of_ones_own_works_alone_and_in_any_query_engine(kind):
    nodes = [Node(text=text) for text in TEXTS]
    assert str(kind().synthesize("Who?", nodes, end="!")) == f"Who? {' '.join(TEXTS)}!"
    engine = BM25Index(nodes).as_query_engine(response_synthesizer=kind())
    assert str(engine.query("Who kept it?")).startswith("Who kept it? Ada kept")


@both
def test_the_constructor_takes_a_model_and_streaming_in_this_order(kind):
    llm = FunctionLLM(str.upper)
    made = kind(llm, True)
    assert (made._llm, made._streaming, made._callback_manager) == (llm, True, None)
    assert (made.llm, made.streaming) == (llm, True)


@both
def test_without_a_model_it_is_that_of_the_settings(kind, model):
    assert kind()._llm is model


@both
async def test_both_methods_are_called_with_question_chunks_and_more(kind):
    response = await kind().asynthesize("Who?", [Node(text="Ada")], end=".")
    assert str(response) == "Who? Ada."


@both
async def test_a_generator_of_strings_is_a_streaming_response(kind):
    response = kind(None, True).synthesize("Who?", [Node(text="Ada kept it")])
    assert isinstance(response, synth.StreamingResponse)
    assert list(response.response_gen) == ["Who?", "Ada", "kept", "it"]
    waited = await kind(streaming=True).asynthesize("Who?", [Node(text="Ada")])
    assert list(waited.response_gen) == ["Who?", "Ada"]
    assert list(kind(streaming=True).synthesize("Who?", []).response_gen) == ["Empty Response"]


def test_the_two_methods_have_the_printed_parameters():
    for method in (BaseSynthesizer.get_response, BaseSynthesizer.aget_response):
        names = [*inspect.signature(method).parameters]
        assert names[:3] == ["self", "query_str", "text_chunks"]
    assert inspect.iscoroutinefunction(BaseSynthesizer.aget_response)


class Prompted(BaseSynthesizer):
    """A custom synthesizer with a template of its own, shown and replaced from outside."""

    def __init__(self, llm: LLM | None = None, streaming: bool = False) -> None:
        super().__init__(llm=llm, streaming=streaming)
        self._mine = PromptTemplate("{query_str}?")

    def _get_prompts(self) -> dict[str, Any]:
        return {"mine": self._mine}

    def _update_prompts(self, prompts: Any) -> None:
        self._mine = prompts.get("mine", self._mine)

    def get_response(self, query_str: str, text_chunks: Sequence[str], **variables: Any) -> str:
        return self._mine.format(query_str=query_str)


def test_templates_of_ones_own_are_shown_and_replaced():
    engine = BM25Index([Node(text="Ada")]).as_query_engine(response_synthesizer=Prompted())
    assert str(engine.query("Who")) == "Who?"
    [name] = engine.get_prompts()
    assert name == "response_synthesizer:mine"
    engine.update_prompts({name: PromptTemplate("{query_str}!")})
    assert str(engine.query("Who")) == "Who!"


def test_settings_have_the_offline_model_until_another_is_assigned():
    assert isinstance(Settings.llm, ExtractiveLLM)
    Settings.llm = FunctionLLM(str.upper)
    try:
        assert get_response_synthesizer().get_response("who", ["a"]).endswith("WHO\nANSWER: ")
        assert TreeSummarize().llm is Settings.llm
    finally:
        Settings.llm = None
    assert isinstance(Settings.llm, ExtractiveLLM)
    assert model_of(None) is Settings.llm


# Structured answer filtering


@pytest.mark.parametrize("mode", ["refine", "compact"])
def test_filtering_is_for_refine_and_compact(mode):
    synthesizer = get_response_synthesizer(response_mode=mode, structured_answer_filtering=True)
    assert synthesizer.filtering
    assert get_response_synthesizer(structured_answer_filtering=True).mode == "compact"


# Templates with variables of one's own


async def test_a_variable_in_a_template_has_its_value_from_the_query(model):
    summarizer = TreeSummarize(
        verbose=True, summary_template=PromptTemplate("{context_str} {tone_name}")
    )
    assert summarizer.get_response("who?", ["Ada"], tone_name="slowly") == "<Ada slowly>"
    assert await summarizer.aget_response("who?", ["Ada"], tone_name="slowly") == "<Ada slowly>"
    response = summarizer.synthesize("who?", [Node(text="Ada")], tone_name="slowly")
    assert str(response) == "<Ada slowly>"
