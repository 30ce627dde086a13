"""Applications with other indexes, query engines and chat engines of llama-index-core."""

import asyncio
import json

import pytest
from llama_index.core import (
    Document,
    DocumentSummaryIndex,
    SimpleKeywordTableIndex,
    SummaryIndex,
    TreeIndex,
    VectorStoreIndex,
)
from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.evaluation import FaithfulnessEvaluator
from llama_index.core.indices.query.query_transform import StepDecomposeQueryTransform
from llama_index.core.node_parser import SentenceSplitter, SentenceWindowNodeParser
from llama_index.core.postprocessor import (
    LLMRerank,
    LongContextReorder,
    MetadataReplacementPostProcessor,
    SimilarityPostprocessor,
)
from llama_index.core.query_engine import (
    MultiStepQueryEngine,
    RetrieverQueryEngine,
    RouterQueryEngine,
    SubQuestionQueryEngine,
)
from llama_index.core.question_gen import LLMQuestionGenerator
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool

from tests.traces.application import Given
from tests.traces.applications import QUESTION, TEXTS, app, ask, documents, found, model, says


@app()
def vector_index_with_a_chat_model():
    model(chat=True)
    index = VectorStoreIndex.from_documents(
        documents(), transformations=[SentenceSplitter(chunk_size=200, chunk_overlap=20)]
    )
    index.as_query_engine(similarity_top_k=9).query(QUESTION)


@app()
def tree_index_from_its_root():
    model()
    TreeIndex.from_documents(documents(), num_children=3).as_query_engine(
        retriever_mode="root"
    ).query(QUESTION)


@app()
def summary_index_with_async_summaries():
    model(chat=True)
    index = SummaryIndex.from_documents(documents())
    index.as_query_engine(response_mode="tree_summarize", use_async=True).query(QUESTION)


@app()
def keyword_table():
    model()
    SimpleKeywordTableIndex.from_documents(documents()).as_query_engine(
        response_mode="accumulate"
    ).query("w1x1 w2x1 w3x1")


@app(runs=4)
def document_summaries_and_a_question():
    """Three summaries are made when the index is, and a question is asked."""
    model(lambda prompt, number: "Doc: 1, Relevance: 9" if "Relevance" in prompt else "A summary.")
    index = DocumentSummaryIndex.from_documents(documents()[:3])
    index.as_query_engine(response_mode="tree_summarize").query(QUESTION)


def split_questions(prompt: str, number: int) -> str:
    if "sub-question" not in prompt.lower():
        return says(prompt, number)
    parts = [{"sub_question": f"Part {part}?", "tool_name": "rivers"} for part in (1, 2)]
    return f"```json\n{json.dumps({'items': parts})}\n```"


@app(runs=3)
def sub_questions():
    llm = model(split_questions)
    engine = SummaryIndex.from_documents(documents()).as_query_engine(response_mode="refine")
    tool = QueryEngineTool.from_defaults(engine, name="rivers", description="about rivers")
    SubQuestionQueryEngine.from_defaults(
        [tool], question_gen=LLMQuestionGenerator.from_defaults(llm), use_async=True, verbose=False
    ).query(QUESTION)


@app()
def router():
    llm = model(
        lambda prompt, number: (
            '[{"choice": 2, "reason": "it fits"}]' if "choice" in prompt else says(prompt, number)
        )
    )
    tools = [
        QueryEngineTool.from_defaults(
            SummaryIndex.from_documents(documents()).as_query_engine(response_mode=mode),
            description=mode,
        )
        for mode in ("compact", "simple_summarize")
    ]
    RouterQueryEngine(LLMSingleSelector.from_defaults(llm), tools).query(QUESTION)


@app(runs=2)
def chat_engine_that_streams():
    model(chat=True)
    engine = CondensePlusContextChatEngine.from_defaults(Given(found()))
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
    cutoff = SimilarityPostprocessor(similarity_cutoff=0.95)
    RetrieverQueryEngine(
        Given(found()), get_response_synthesizer(), node_postprocessors=[cutoff]
    ).query(QUESTION)


@app()
def reranked_by_a_model_and_reordered():
    model(
        lambda prompt, number: (
            "Doc: 2, Relevance: 8\nDoc: 1, Relevance: 7"
            if "Relevance" in prompt
            else says(prompt, number)
        )
    )
    RetrieverQueryEngine(
        Given(found()),
        get_response_synthesizer(response_mode="refine"),
        node_postprocessors=[LLMRerank(choice_batch_size=7, top_n=2), LongContextReorder()],
    ).query(QUESTION)


@app()
def sentence_windows():
    model()
    index = VectorStoreIndex.from_documents(
        [Document(text=". ".join(TEXTS))],
        transformations=[SentenceWindowNodeParser.from_defaults(window_size=1)],
    )
    index.as_query_engine(
        similarity_top_k=3,
        node_postprocessors=[MetadataReplacementPostProcessor(target_metadata_key="window")],
    ).query(QUESTION)


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


@app(runs=4)
def question_in_steps():
    """Each of three steps is asked with its own question; the last puts them together."""
    model(lambda prompt, number: "And then?" if "next" in prompt.lower() else "The Rhine.")
    engine = SummaryIndex.from_documents(documents()[:3]).as_query_engine()
    MultiStepQueryEngine(
        engine, StepDecomposeQueryTransform(), num_steps=3, early_stopping=False
    ).query(QUESTION)
