"""What the offline model answers from a text, and makes of an answer with a further text."""

from synth.llms import ExtractiveLLM
from synth.prompts.templates import PromptTemplate

QA = PromptTemplate("Read this:\n{context_str}\nAnswer: {query_str}")
REFINE = PromptTemplate("{query_str} so far {existing_answer} more {context_msg} better?")
QUERY = "What caused the outage and how was it fixed?"
LLM = ExtractiveLLM()


def answer(context, query=QUERY, llm=LLM):
    return llm.complete(QA.fill(context_str=context, query_str=query)).text


def refined(existing, context, query=QUERY, llm=LLM):
    prompt = REFINE.fill(context_msg=context, query_str=query, existing_answer=existing)
    return llm.complete(prompt).text
