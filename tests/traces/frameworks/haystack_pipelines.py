"""Pipelines of Haystack: a retriever, a builder of prompts, and a generator."""

from haystack import Document, Pipeline, component
from haystack.components.builders import AnswerBuilder, ChatPromptBuilder
from haystack.components.generators.chat import OpenAIChatGenerator
from haystack.components.retrievers.in_memory import InMemoryBM25Retriever
from haystack.dataclasses import ChatMessage
from haystack.document_stores.in_memory import InMemoryDocumentStore
from haystack.utils import Secret

from tests.traces.frameworks.record import CHUNKS, QUESTION, TRACER

ALL = "{% for each in documents %}{{ each.content }}\n{% endfor %}Question: {{ question }}"
APART = ALL.replace("}}\n{%", "}}\n\n{%")


def model(address):
    return OpenAIChatGenerator(
        api_key=Secret.from_token("none"), model="small", api_base_url=address, max_retries=0
    )


def retriever():
    store = InMemoryDocumentStore()
    store.write_documents([Document(id=str(n), content=text) for n, text in enumerate(CHUNKS)])
    return InMemoryBM25Retriever(store, top_k=4)


def ask(address, template, system="Be brief.", **beside):
    pipeline = Pipeline()
    messages = [ChatMessage.from_system(system), ChatMessage.from_user(template)]
    pipeline.add_component("retriever", retriever())
    pipeline.add_component(
        "builder", ChatPromptBuilder(messages, required_variables=["question", "documents"])
    )
    pipeline.add_component("model", model(address))
    pipeline.connect("retriever", "builder.documents")
    pipeline.connect("builder.prompt", "model.messages")
    for name, made in beside.items():
        pipeline.add_component(name, made)
        pipeline.connect("model.replies", f"{name}.replies")
    given = {"retriever": {"query": QUESTION}, "builder": {"question": QUESTION}}
    pipeline.run(given | {name: {"query": QUESTION} for name in beside})


def documents_line_by_line(address):
    ask(address, ALL)


def documents_in_paragraphs(address):
    ask(address, APART)


def with_a_builder_of_answers(address):
    ask(address, APART, answers=AnswerBuilder())


def parts_of_a_pipeline_called_by_hand(address):
    with TRACER.start_as_current_span("request"):
        for document in retriever().run(query=QUESTION)["documents"]:
            text = f"{document.content}\n{QUESTION}"
            model(address).run([ChatMessage.from_user(text)])


@component
class Refiner:
    """Asks about one document after the other, with the answer so far."""

    def __init__(self, address):
        self.model = model(address)

    @component.output_types(answer=str)
    def run(self, documents: list[Document], question: str):
        answer = ""
        for document in documents:
            text = f"So far: {answer}\nNow: {document.content}\n{question}"
            said = self.model.run([ChatMessage.from_user(text)])
            answer = said["replies"][0].text
        return {"answer": answer}


def component_that_refines(address):
    pipeline = Pipeline()
    pipeline.add_component("retriever", retriever())
    pipeline.add_component("refiner", Refiner(address))
    pipeline.connect("retriever", "refiner.documents")
    pipeline.run({"retriever": {"query": QUESTION}, "refiner": {"question": QUESTION}})


APPS = [
    documents_line_by_line,
    documents_in_paragraphs,
    with_a_builder_of_answers,
    parts_of_a_pipeline_called_by_hand,
    component_that_refines,
]
