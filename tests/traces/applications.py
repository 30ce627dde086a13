"""Applications with the indexes, query engines and chat engines of llama-index-core, recorded."""

import asyncio
import dataclasses
import json
from collections.abc import Callable
from typing import Any, NamedTuple

import pytest
from llama_index.core import (
    Document,
    DocumentSummaryIndex,
    MockEmbedding,
    Settings,
    SummaryIndex,
    VectorStoreIndex,
)
from llama_index.core.agent.workflow import ReActAgent
from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.evaluation import FaithfulnessEvaluator
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.node_parser import SentenceSplitter
from llama_index.core.postprocessor import LLMRerank, LongContextReorder, SimilarityPostprocessor
from llama_index.core.query_engine import (
    CustomQueryEngine,
    RetrieverQueryEngine,
    RouterQueryEngine,
    SubQuestionQueryEngine,
)
from llama_index.core.question_gen import LLMQuestionGenerator
from llama_index.core.response_synthesizers import BaseSynthesizer, get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool
from llama_index.core.utils import set_global_tokenizer

from synth.traces import ImportedRun
from synth.traces.containers import read_spans
from synth.traces.spans import TraceSpan
from tests.parity.package import tokenizer
from tests.traces import application
from tests.traces.application import Application, Given, nodes, recording, says
from tests.traces.test_live import CHUNKS, chunk

QUESTION = "Which rivers are named?"
TEXTS = [chunk(number, 90 + 15 * number) for number in range(7)]
CHINESE = ["连接池的大小设成了八，而不是八十。" * 150, "艾达在中午修好了它！" * 150]


def model(rule=says, chat=False, kind=Application, **own):
    """A model of a class, with a window of 1,400 tokens; `own` are attributes of it."""
    llm = kind(rule, is_chat_model=chat)
    for name, value in own.items():
        setattr(llm, name, value)
    Settings.llm, Settings.embed_model = llm, MockEmbedding(embed_dim=4)
    Settings.prompt_helper = None
    set_global_tokenizer(tokenizer("cl100k_base"))
    return llm


def found(texts=TEXTS, **metadata):
    nodes = [TextNode(text=text, metadata=dict(metadata)) for text in texts]
    return [NodeWithScore(node=node, score=0.9) for node in nodes]


def documents():
    return [Document(text=text, metadata={"page": str(at)}) for at, text in enumerate(TEXTS)]


def ask(mode="compact", texts=TEXTS, **options):
    return query(get_response_synthesizer(response_mode=mode, **options), texts)


def query(synthesizer, texts=TEXTS, *postprocessors):
    retriever = Given(found(texts, file="a.txt"))
    engine = RetrieverQueryEngine(retriever, synthesizer, node_postprocessors=[*postprocessors])
    return engine.query(QUESTION)


def summary_engine(documents, **options):
    return SummaryIndex.from_documents(documents).as_query_engine(**options)


class App(NamedTuple):
    """An application, how many syntheses it makes, and what is true of each of them."""

    start: Callable[[], Any]
    runs: int
    truth: str


APPS: dict[str, App] = {}


def app(runs=1, truth="verified"):
    def add(start):
        APPS[start.__name__.replace("_", " ")] = App(start, runs, truth)

    return add


def rule_for(word, answer):
    """One answer to the prompts that are about this, which the engine asks for itself."""
    return lambda prompt, number: answer if word in prompt.lower() else says(prompt, number)


@app()
def vector_index_with_a_chat_model():
    model(chat=True)
    index = VectorStoreIndex.from_documents(
        documents(), transformations=[SentenceSplitter(chunk_size=200, chunk_overlap=20)]
    )
    index.as_query_engine(similarity_top_k=9).query(QUESTION)


@app(runs=4)
def document_summaries_and_a_question():
    """Three summaries are made when the index is, and a question is asked."""
    model(rule_for("relevance", "Doc: 1, Relevance: 9"))
    index = DocumentSummaryIndex.from_documents(documents()[:3])
    index.as_query_engine(response_mode="tree_summarize").query(QUESTION)


@app(runs=3)
def sub_questions():
    parts = [{"sub_question": f"Part {part}?", "tool_name": "rivers"} for part in (1, 2)]
    llm = model(rule_for("sub-question", f"```json\n{json.dumps({'items': parts})}\n```"))
    engine = summary_engine(documents(), response_mode="refine")
    tool = QueryEngineTool.from_defaults(engine, name="rivers", description="about rivers")
    SubQuestionQueryEngine.from_defaults(
        [tool], question_gen=LLMQuestionGenerator.from_defaults(llm), use_async=True, verbose=False
    ).query(QUESTION)


@app()
def router():
    llm = model(rule_for("choice", '[{"choice": 2, "reason": "it fits"}]'))
    tools = [
        QueryEngineTool.from_defaults(
            summary_engine(documents(), response_mode=mode), description=mode
        )
        for mode in ("compact", "simple_summarize")
    ]
    RouterQueryEngine(LLMSingleSelector.from_defaults(llm), tools).query(QUESTION)


@app(runs=2)
def chat_engine_that_streams():
    model(chat=True)
    memory = ChatMemoryBuffer.from_defaults()  # the usual one leaves a database open
    engine = CondensePlusContextChatEngine.from_defaults(Given(found()), memory=memory)
    for question in (QUESTION, "And which of them is long?"):
        "".join(engine.stream_chat(question).response_gen)


@app(runs=2)
def answers_that_are_judged():
    """The judge asks by a refine of its own, with templates of its own."""
    model(lambda prompt, number: "YES")
    response = ask("tree_summarize")
    FaithfulnessEvaluator().evaluate_response(QUESTION, response)


@app()
def nothing_is_similar_enough():
    model()
    query(get_response_synthesizer(), TEXTS, SimilarityPostprocessor(similarity_cutoff=0.95))


@app()
def reranked_by_a_model_and_reordered():
    model(rule_for("relevance", "Doc: 2, Relevance: 8\nDoc: 1, Relevance: 7"))
    query(
        get_response_synthesizer(response_mode="refine"),
        TEXTS,
        LLMRerank(choice_batch_size=7, top_n=2),
        LongContextReorder(),
    )


@app(runs=2)
def asked_again_after_a_failure():
    def once(prompt, number):
        if number == 2:
            raise TimeoutError("no answer in 30 seconds")
        return says(prompt, number)

    model(once)
    with pytest.raises(TimeoutError):
        ask("accumulate")
    ask("accumulate")


@app(runs=3)
def three_questions_at_once():
    model(chat=True)
    engine = RetrieverQueryEngine(Given(found()), get_response_synthesizer())

    async def all_of_them():
        return await asyncio.gather(*(engine.aquery(f"Question {each}?") for each in range(3)))

    asyncio.run(all_of_them())


class Twice(CustomQueryEngine):
    """Asks the same question of all nodes, then of a few in another mode."""

    retriever: BaseRetriever
    first: BaseSynthesizer
    second: BaseSynthesizer

    def custom_query(self, query_str):
        nodes = self.retriever.retrieve(query_str)
        self.first.synthesize(query_str, nodes)
        return self.second.synthesize(query_str, nodes[:3])


@app(runs=2)
def query_engine_of_its_own_that_asks_twice():
    model(chat=True)
    first, second = (get_response_synthesizer(response_mode=mode) for mode in ("refine", "compact"))
    Twice(retriever=Given(found()), first=first, second=second).query(QUESTION)


@app()
def agent_with_a_query_engine():
    """The agent's own calls are none of the synthesis."""
    thought = f"Thought: I look.\nAction: rivers\nAction Input: {json.dumps({'input': QUESTION})}"
    told = "Thought: I can answer without using any more tools.\nAnswer: The Rhine."

    def agent(prompt, number):
        if "Action Input" not in prompt:
            return says(prompt, number)
        return told if "Observation:" in prompt.rpartition("Current Conversation")[2] else thought

    llm = model(agent, chat=True)
    engine = summary_engine(documents(), response_mode="tree_summarize")
    tool = QueryEngineTool.from_defaults(engine, name="rivers", description="about rivers")

    async def run():
        return await ReActAgent(tools=[tool], llm=llm, streaming=False).run(QUESTION)

    asyncio.run(run())


def of_mode(mode: str, **options: Any) -> str:
    """The file of one question, asked in that mode."""
    with recording() as lines:
        application.ask(Application(is_chat_model=True), mode, QUESTION, nodes(CHUNKS), **options)
    return lines.getvalue()


def of_app(name: str) -> str:
    """The file of one of the applications."""
    with recording() as lines:
        APPS[name].start()
    return lines.getvalue()


def in_order(data: str) -> list[TraceSpan]:
    """The spans as they ended."""
    return sorted(read_spans(data)[0], key=lambda span: (span.end, -span.start))


def told(run: ImportedRun | None) -> dict[str, object]:
    """All that is compared of a run; templates by their messages."""
    assert run is not None
    fields = {
        each.name: getattr(run, each.name) for each in dataclasses.fields(run) if each.compare
    }
    messages = {name: template.message_templates for name, template in run.templates.items()}
    return {**fields, "templates": messages, "identity": run.identity}
