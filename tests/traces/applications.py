"""What the recorded applications have in common, and the list of them."""

from collections.abc import Callable
from typing import Any, NamedTuple

from llama_index.core import Document, MockEmbedding, Settings, SummaryIndex
from llama_index.core.base.llms.types import LLMMetadata
from llama_index.core.query_engine import RetrieverQueryEngine
from llama_index.core.response_synthesizers import get_response_synthesizer
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.utils import set_global_tokenizer

from tests.parity.package import tokenizer
from tests.traces.application import Application, Given
from tests.traces.test_live import chunk, says

QUESTION = "Which rivers are named?"
TEXTS = [chunk(number, 90 + 15 * number) for number in range(7)]
CHINESE = ["连接池的大小设成了八，而不是八十。" * 150, "艾达在中午修好了它！" * 150]


def model(rule=says, chat=False, kind=Application, **own):
    """A model of a class, with a window of 1,400 tokens; `own` are attributes of it."""
    metadata = LLMMetadata(
        context_window=1_400, num_output=64, is_chat_model=chat, model_name="small"
    )
    llm = kind(rule, metadata, own.pop("system_prompt", None))
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
