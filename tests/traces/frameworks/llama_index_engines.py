"""Query engines of LlamaIndex whose model is an endpoint, for instrumentations of others."""

from functools import partial

from llama_index.core import Settings
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.llms.openai_like import OpenAILike

from tests.traces.frameworks.record import CHUNKS, QUESTION, TRACER


class Given(BaseRetriever):
    def _retrieve(self, query_bundle):
        nodes = (TextNode(text=text, id_=str(n)) for n, text in enumerate(CHUNKS))
        return [NodeWithScore(node=node, score=0.9) for node in nodes]


def ask(address, mode, window):
    sizes = {"context_window": window, "max_tokens": 50, "is_chat_model": True}
    llm = OpenAILike(model="small", api_base=address, api_key="none", max_retries=0, **sizes)
    Settings.llm = llm
    engine = RetrieverQueryEngine(Given(), get_response_synthesizer(llm=llm, response_mode=mode))
    with TRACER.start_as_current_span("request"):
        engine.query(QUESTION)


def in_mode(mode, window=3_900):
    start = partial(ask, mode=mode, window=window)
    start.__name__ = f"{mode} in {window:,} tokens"
    return start


APPS = [
    in_mode("compact"),
    in_mode("compact", 1_000),
    in_mode("refine"),
    in_mode("tree_summarize"),
    in_mode("tree_summarize", 400),
    in_mode("simple_summarize"),
    in_mode("accumulate"),
    in_mode("compact_accumulate", 400),
    in_mode("generation"),
]
