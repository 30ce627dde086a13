"""Chains of LangChain: the four that combine documents, and retrieval as LCEL writes it."""

from langchain_classic.chains import RetrievalQA, create_retrieval_chain
from langchain_classic.chains.combine_documents import create_stuff_documents_chain
from langchain_classic.chains.summarize import load_summarize_chain
from langchain_core.documents import Document
from langchain_core.output_parsers import StrOutputParser
from langchain_core.prompts import ChatPromptTemplate, PromptTemplate
from langchain_core.retrievers import BaseRetriever
from langchain_core.runnables import RunnablePassthrough
from langchain_openai import ChatOpenAI

from tests.traces.frameworks.record import CHUNKS, QUESTION

DOCUMENTS = [
    Document(text, id=str(number), metadata={"source": "log.txt"})
    for number, text in enumerate(CHUNKS)
]


class Given(BaseRetriever):
    def _get_relevant_documents(self, query, *, run_manager):
        return DOCUMENTS


def count(text):
    return list(range(len(text.split())))


def model(address):
    return ChatOpenAI(
        model="small", base_url=address, api_key="none", max_retries=0, custom_get_token_ids=count
    )


def ask(address, kind, **options):
    chain = RetrievalQA.from_chain_type(
        model(address), chain_type=kind, retriever=Given(), chain_type_kwargs=options
    )
    return chain.invoke({"query": QUESTION})


def stuff(address):
    prompt = ChatPromptTemplate.from_messages(
        [("system", "Answer from this alone:\n{context}"), ("human", "{input}")]
    )
    documents = create_stuff_documents_chain(model(address), prompt)
    create_retrieval_chain(Given(), documents).invoke({"input": QUESTION})


def stuff_of_its_own_time(address):
    ask(address, "stuff")


def refine(address):
    ask(address, "refine")


def map_reduce(address):
    ask(address, "map_reduce")


def map_rerank(address):
    ask(address, "map_rerank")


def map_reduce_by_one_prompt(address):
    prompt = PromptTemplate.from_template("{text}\n\nWho repaired the pump? Answer from this.")
    chain = load_summarize_chain(
        model(address), "map_reduce", map_prompt=prompt, combine_prompt=prompt
    )
    chain.invoke({"input_documents": DOCUMENTS})


def refine_of_a_summary(address):
    load_summarize_chain(model(address), "refine").invoke({"input_documents": DOCUMENTS})


def retrieval_as_a_pipe(address):
    prompt = ChatPromptTemplate.from_template("Context:\n{context}\n\nQuestion: {question}")
    texts = Given() | (lambda documents: "\n\n".join(each.page_content for each in documents))
    given = {"context": texts, "question": RunnablePassthrough()}
    (given | prompt | model(address) | StrOutputParser()).invoke(QUESTION)


APPS = [
    stuff,
    stuff_of_its_own_time,
    refine,
    map_reduce,
    map_rerank,
    map_reduce_by_one_prompt,
    refine_of_a_summary,
    retrieval_as_a_pipe,
]
