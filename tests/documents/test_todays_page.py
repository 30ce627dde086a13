"""The newest page: its imports with `synth` for `llama_index.core`, its snippets, its promises.

In the page's order; what it says of the modes is in test_modes.py.
"""

import inspect
import json
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Any

import pytest

import synth
from synth import BM25Index, PromptTemplate, Settings, get_response_synthesizer
from synth.data_structs import Node
from synth.llms import LLM, ExtractiveLLM, FunctionLLM
from synth.llms.default import model_of
from synth.response_synthesizers import RESPONSE_TEXT_TYPE, ResponseMode, TreeSummarize
from synth.response_synthesizers.base import BaseSynthesizer
from synth.schema import NodeWithScore
from tests.documents.asked import TEMPLATES

TEXTS = ["Ada kept the light.", "Bo painted the tower."]


@pytest.fixture
def model():
    """The default model, which says what it read."""
    Settings.llm = FunctionLLM(lambda prompt: f"<{prompt}>")
    yield Settings.llm
    Settings.llm = None


# The idea


def test_a_question_and_chunks_become_a_response():
    response = get_response_synthesizer().synthesize("Who kept the light?", [Node(TEXTS[0])])
    assert isinstance(response, synth.Response)
    assert response.response == "Ada kept the light."


def test_in_a_query_engine_it_comes_after_the_retriever(model):
    index = BM25Index([Node(text=text) for text in TEXTS])
    response = index.as_query_engine(similarity_top_k=1).query("Who painted?")
    assert TEXTS[1] in str(response)
    assert TEXTS[0] not in str(response)


# Use on its own


def test_bare_nodes_are_read():
    response_synthesizer = get_response_synthesizer(response_mode=ResponseMode.COMPACT)
    response = response_synthesizer.synthesize(
        "Who kept the light?", nodes=[Node(text=text) for text in TEXTS]
    )
    assert str(response) == "Ada kept the light."
    assert [source.node.text for source in response.source_nodes] == TEXTS
    assert {source.score for source in response.source_nodes} == {None}


def test_a_query_engine_takes_a_synthesizer():
    index = BM25Index([Node(text=text) for text in TEXTS])
    query_engine = index.as_query_engine(
        response_synthesizer=get_response_synthesizer(response_mode=ResponseMode.REFINE)
    )
    assert str(query_engine.query("Who painted the tower?")) == "Bo painted the tower."


def test_the_mode_may_be_a_string_and_the_nodes_may_have_scores():
    response_synthesizer = get_response_synthesizer(response_mode="compact")
    nodes = [NodeWithScore(node=Node(text=text), score=1.0) for text in TEXTS]
    response = response_synthesizer.synthesize("Who kept the light?", nodes=nodes)
    assert str(response) == "Ada kept the light."
    assert response.source_nodes == nodes


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


def test_the_names_of_the_printed_class_are_there():
    class Printed(ABC):
        def __init__(self, llm: LLM | None = None, streaming: bool = False) -> None:
            self._llm = llm or Settings.llm
            self._callback_manager = Settings.callback_manager
            self._streaming = streaming

        @abstractmethod
        def get_response(self) -> RESPONSE_TEXT_TYPE: ...

    class Kept(Printed):
        def get_response(self) -> RESPONSE_TEXT_TYPE:
            return "Ada"

    assert isinstance(Kept()._llm, ExtractiveLLM)
    assert synth.response_synthesizers.base.RESPONSE_TEXT_TYPE is RESPONSE_TEXT_TYPE


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


def test_filtering_leaves_out_what_has_nothing_to_do_with_the_question():
    prompts = []

    def reply(prompt):
        prompts.append(prompt)
        return json.dumps({"query_satisfied": "Ada" in prompt, "answer": f"it {len(prompts)}"})

    synthesizer = get_response_synthesizer(
        response_mode="refine",
        llm=FunctionLLM(reply),
        structured_answer_filtering=True,
        **TEMPLATES,
    )
    trace = synthesizer.run("Who?", ["Cats sleep.", "Ada kept it.", "Dogs bark."])
    assert [call.satisfied for call in trace.calls] == [False, True, False]
    assert trace.response == "it 2"


def test_filtering_names_the_reply_of_a_model_that_can_not_answer_in_a_form():
    synthesizer = get_response_synthesizer(
        llm=FunctionLLM(lambda prompt: "Ada, I think."), structured_answer_filtering=True
    )
    with pytest.raises(synth.errors.BadResponse, match=r"not of the form asked for.*Ada, I think"):
        synthesizer.get_response("Who?", TEXTS)


# Templates with variables of one's own


def test_a_variable_in_a_template_has_its_value_from_the_query(model):
    prompt = PromptTemplate("{context_str}|{query_str}|in the tone of {tone_name}")
    summarizer = TreeSummarize(verbose=True, summary_template=prompt)
    response = summarizer.get_response("who?", ["Ada"], tone_name="a sermon")
    assert response == "<Ada|who?|in the tone of a sermon>"


async def test_so_do_aget_response_and_synthesize(model):
    summarizer = TreeSummarize(summary_template=PromptTemplate("{context_str} {tone_name}"))
    assert await summarizer.aget_response("who?", ["Ada"], tone_name="slowly") == "<Ada slowly>"
    response = summarizer.synthesize("who?", [Node(text="Ada")], tone_name="slowly")
    assert str(response) == "<Ada slowly>"
