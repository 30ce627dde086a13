"""Applications with the indexes, query engines and chat engines of llama-index-core, recorded."""

import asyncio
import json
import sys
from collections.abc import Callable
from contextlib import suppress
from itertools import product
from pathlib import Path
from random import Random
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
from llama_index.core.base.llms.types import ChatMessage
from llama_index.core.chat_engine import CondensePlusContextChatEngine
from llama_index.core.evaluation import FaithfulnessEvaluator
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.memory import ChatMemoryBuffer
from llama_index.core.node_parser import TokenTextSplitter
from llama_index.core.output_parsers import PydanticOutputParser
from llama_index.core.postprocessor import LLMRerank, LongContextReorder, SimilarityPostprocessor
from llama_index.core.prompts import ChatPromptTemplate, PromptTemplate
from llama_index.core.query_engine import (
    CustomQueryEngine,
    RetrieverQueryEngine,
    RouterQueryEngine,
    SubQuestionQueryEngine,
)
from llama_index.core.question_gen import LLMQuestionGenerator
from llama_index.core.response_synthesizers import (
    BaseSynthesizer,
    CompactAndRefine,
    get_response_synthesizer,
)
from llama_index.core.retrievers import BaseRetriever
from llama_index.core.schema import NodeWithScore, TextNode
from llama_index.core.selectors import LLMSingleSelector
from llama_index.core.tools import QueryEngineTool
from llama_index.core.utils import set_global_tokenizer
from pydantic import BaseModel

from tests.parity import rules, texts
from tests.parity.package import tokenizer
from tests.traces import application
from tests.traces.application import (
    CALLING,
    CHUNKS,
    WAYS,
    Application,
    Given,
    chunk,
    nodes,
    recording,
    says,
    verdict,
)

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
    """An application, and how many syntheses it makes."""

    start: Callable[[], Any]
    runs: int


APPS: dict[str, App] = {}


def app(runs=1):
    def add(start):
        APPS[start.__name__.replace("_", " ")] = App(start, runs)

    return add


def rule_for(word, answer):
    """One answer to the prompts that are about this, which the engine asks for itself."""
    return lambda prompt, number: answer if word in prompt.lower() else says(prompt, number)


@app()
def vector_index_with_a_chat_model():
    model(chat=True)
    index = VectorStoreIndex.from_documents(
        documents(), transformations=[TokenTextSplitter(chunk_size=200, chunk_overlap=20)]
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
    from llama_index.core.agent.workflow import ReActAgent  # noqa: PLC0415  since 0.12

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


class Overriding(Application):
    """A model whose methods call those of its base, as OpenAILike's do: each call has two spans."""

    def chat(self, messages, **kwargs):
        return super().chat(messages, **kwargs)

    def stream_chat(self, messages, **kwargs):
        return super().stream_chat(messages, **kwargs)


@app(runs=2)
def model_that_calls_its_base():
    model(chat=True, kind=Overriding)
    ask("refine")
    "".join(ask(streaming=True).response_gen)


def as_tags(messages):
    lines = "".join(f"<|{one.role.value}|>\n{one.content}</s>\n" for one in messages)
    return f"{lines}<|assistant|>\n"


@app()
def chat_templates_that_a_text_model_writes_as_tags():
    model(messages_to_prompt=as_tags)
    messages = [("system", "Be brief."), ("user", "{context_str}\n{query_str}")]
    ask(text_qa_template=ChatPromptTemplate.from_messages(messages))


@app()
def filtering_whose_replies_cannot_be_read():
    model()
    ask("compact", structured_answer_filtering=True)


@app()
def synthesizer_with_another_padding():
    model()
    synthesizer = CompactAndRefine()
    synthesizer._response_padding_size = 50
    query(synthesizer)


@app()
def global_prompt_helper_with_another_window():
    model()
    Settings.prompt_helper = PromptHelper(900, 64)
    ask("compact_accumulate")


@app()
def global_limits_of_two_kinds():
    model()
    Settings.context_window = 900
    Settings.num_output = 50
    ask()


@app()
def chinese_messages_and_a_helper_with_a_tokenizer_of_its_own():
    model(chat=True)
    messages = [("system", "请只根据资料回答。" * 12), ("user", "{context_str}\n{query_str}")]
    helper = PromptHelper(1_400, 64, tokenizer=tokenizer("o200k_base"))
    template = ChatPromptTemplate.from_messages(messages)
    ask("tree_summarize", CHINESE, prompt_helper=helper, summary_template=template)


class River(BaseModel):
    """What is asked for."""

    name: str
    length: int


@app(runs=3)
def objects_are_asked_for():
    """Each later prompt has the object before it, written as LlamaIndex does it."""
    for chat in (False, True):
        model(lambda prompt, number: '{"name": "Rhine", "length": 1233}', chat=chat)
        ask("compact", output_cls=River)
    ask("tree_summarize", output_cls=River)


@app()
def synthesizer_of_its_own():
    class Vote(BaseSynthesizer):
        def _get_prompts(self):
            return {}

        def _update_prompts(self, prompts):
            pass

        def get_response(self, query_str, text_chunks, **_):
            ask_about = PromptTemplate("{text}? {query}")
            votes = [
                self._llm.predict(ask_about, text=text, query=query_str) for text in text_chunks
            ]
            return max(votes, key=votes.count)

        async def aget_response(self, query_str, text_chunks, **_):
            return self.get_response(query_str, text_chunks)

    model()
    query(Vote())


@app()
def templates_with_functions():
    model()
    template = PromptTemplate(
        "{context_str}\n{query_str}",
        function_mappings={"context_str": lambda **values: values["context_str"].upper()},
    )
    ask("accumulate", text_qa_template=template)


@app()
def templates_of_jinja():
    from llama_index.core.prompts import RichPromptTemplate  # noqa: PLC0415  since 0.12

    model(chat=True)
    system = "{% chat role='system' %}Be brief.{% endchat %}"
    text = f"{system}{{% chat role='user' %}}{{{{context_str}}}} {{{{query_str}}}}{{% endchat %}}"
    ask("tree_summarize", summary_template=RichPromptTemplate(text))


@app()
def instructions_of_an_output_parser():
    model()
    template = PromptTemplate(
        "{context_str}\n{query_str}", output_parser=PydanticOutputParser(River)
    )
    ask("tree_summarize", summary_template=template)


@app(runs=62)
def every_mode_in_every_way():
    for mode, chat, way in product(CALLING, (False, True), WAYS.values()):
        if "accumulate" not in mode or "streaming" not in way:
            application.ask(Application(is_chat_model=chat), mode, QUESTION, nodes(CHUNKS), **way)


@app(runs=5)
def filtering():
    filtering = {"structured_answer_filtering": True}
    for mode, way in product(("refine", "compact"), ("sync", "async")):
        application.ask(
            Application(verdict, is_chat_model=True, is_function_calling_model=mode == "refine"),
            mode,
            QUESTION,
            nodes(CHUNKS),
            **filtering,
            **WAYS[way],
        )
    application.ask(Application(says), "refine", QUESTION, nodes(CHUNKS), **filtering)


ANSWERS = ["hash", "echo:20", "echo:80", "empty", "odd"]
MAPPINGS = {"query_str": "asked", "context_str": "found"}


def template(dice, text):
    """The template as text or as a chat, sometimes with other names, sometimes with a value."""
    mappings = None
    if dice.random() < 0.3:
        mappings = MAPPINGS
        for name, own in MAPPINGS.items():
            text = text.replace(f"{{{name}}}", f"{{{own}}}")
    made = PromptTemplate(text, template_var_mappings=mappings)
    if dice.random() < 0.3:
        messages = [
            ChatMessage(role="system", content='Answer in 中文, "{lang}", it\'s brief.'),
            ChatMessage(role="user", content=text),
        ]
        made = ChatPromptTemplate(messages, template_var_mappings=mappings)
    return made.partial_format(tone_name="plain") if dice.random() < 0.3 else made


def ask_at_random(dice):
    mode, chat = dice.choice(CALLING), dice.random() < 0.5
    window, num_output = dice.choice([1000, 1500, 3000]), dice.choice([20, 100])
    sizes = {"context_window": window, "num_output": num_output, "is_chat_model": chat}
    rule = dice.choice(ANSWERS)
    system = dice.choice([None, None, "Be terse and kind. " * 4])
    llm = Application(lambda prompt, number: rules.answer(rule, prompt), system, **sizes)
    given = {}
    if dice.random() < 0.7:
        given = {
            "text_qa_template": template(dice, dice.choice(texts.QUESTION_TEMPLATES)),
            "refine_template": template(dice, dice.choice(texts.REFINE_TEMPLATES)),
            "summary_template": template(dice, dice.choice(texts.QUESTION_TEMPLATES)),
            "simple_template": PromptTemplate(dice.choice(texts.SIMPLE_TEMPLATES)),
        }
    chunks = [chunk for chunk in texts.chunks(dice, 300) if chunk.strip()] or ["one"]
    query = dice.choice(["who is Paul Graham?", "问题？", "what", "a {lang} b"])
    helper = PromptHelper(window, num_output, tokenizer=tokenizer("cl100k_base"))
    way = {
        "entry": dice.choice(["query", "aquery"]),
        "streaming": "accumulate" not in mode and dice.random() < 0.3,
    }
    found = nodes(chunks, dice.random() < 0.5)
    application.ask(llm, mode, query, found, prompt_helper=helper, **way, **given)


@app(runs=30)
def random_runs():
    for number in range(30):
        with suppress(ValueError):  # no room for a chunk
            ask_at_random(Random(f"recorded {number}"))


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


def main() -> None:
    """Write the spans of each application, by its name, into the file that is named."""
    recorded = {}
    for name, made in APPS.items():
        with recording() as lines:
            try:
                made.start()
            except Exception as problem:  # some fail in older versions, or lack what they need
                print(f"{name}: {type(problem).__name__}: {str(problem)[:70]}")
        spans = [json.loads(line) for line in lines.getvalue().splitlines()]
        recorded[name] = [span | {"resource": {}} for span in spans]
    Path(sys.argv[1]).write_text(json.dumps(recorded), "utf-8")


if __name__ == "__main__":
    main()
