"""Loops written by hand around OpenAI's client, with and without a span for what was retrieved."""

import json

from openai import OpenAI

from tests.traces.frameworks.record import CHUNKS, QUESTION, TRACER

ASK = "Context:\n{context}\n\nQuestion: {question}"
IMPROVE = "Question: {question}\nSo far: {answer}\nBetter it by this, if it helps:\n{context}"
TOOL = {"name": "search", "parameters": {"type": "object", "properties": {"query": {}}}}


def retrieve():
    """The chunks, found in a span as the conventions for generative AI describe it."""
    with TRACER.start_as_current_span("retrieval log") as span:
        documents = [{"id": str(n), "score": 0.9, "content": c} for n, c in enumerate(CHUNKS)]
        span.set_attribute("gen_ai.operation.name", "retrieval")
        span.set_attribute("gen_ai.retrieval.query.text", QUESTION)
        span.set_attribute("gen_ai.retrieval.documents", json.dumps(documents))
    return CHUNKS


def model(address):
    client = OpenAI(base_url=address, api_key="none", max_retries=0)

    def say(text, **options):
        messages = [{"role": "user", "content": text}]
        messages = [{"role": "system", "content": "Be brief."}, *messages]
        made = client.chat.completions.create(model="small", messages=messages, **options)
        return made.choices[0].message.content

    return say


def retrieve_then_ask(address):
    with TRACER.start_as_current_span("answer"):
        model(address)(ASK.format(context="\n\n".join(retrieve()), question=QUESTION))


def refine_loop(address):
    say = model(address)
    with TRACER.start_as_current_span("answer"):
        first, *rest = retrieve()
        answer = say(ASK.format(context=first, question=QUESTION))
        for chunk in rest:
            answer = say(IMPROVE.format(context=chunk, question=QUESTION, answer=answer))


def each_chunk_alone(address):
    say = model(address)
    with TRACER.start_as_current_span("answer"):
        for chunk in retrieve():
            say(ASK.format(context=chunk, question=QUESTION))


def two_levels(address):
    say = model(address)
    with TRACER.start_as_current_span("answer"):
        chunks = retrieve()
        halves = ["\n\n".join(chunks[:2]), "\n\n".join(chunks[2:])]
        answers = [say(ASK.format(context=half, question=QUESTION)) for half in halves]
        say(ASK.format(context="\n\n".join(answers), question=QUESTION))


def nothing_says_what_was_retrieved(address):
    model(address)(ASK.format(context="\n\n".join(CHUNKS), question=QUESTION))


def chunks_as_a_list_in_the_message(address):
    rows = json.dumps([{"text": chunk} for chunk in CHUNKS])
    model(address)(rows)


def search_as_a_tool(address):
    client = OpenAI(base_url=address, api_key="none", max_retries=0)
    messages = [{"role": "user", "content": QUESTION}]
    tools = [{"type": "function", "function": TOOL}]
    with TRACER.start_as_current_span("answer"):
        first = client.chat.completions.create(model="small", messages=messages, tools=tools)
        asked = first.choices[0].message
        call = {"role": "tool", "tool_call_id": "1", "content": json.dumps(CHUNKS)}
        messages += [asked.model_dump(exclude_none=True), call]
        client.chat.completions.create(model="small", messages=messages, tools=tools)


APPS = [
    retrieve_then_ask,
    refine_loop,
    each_chunk_alone,
    two_levels,
    nothing_says_what_was_retrieved,
    chunks_as_a_list_in_the_message,
    search_as_a_tool,
]
