"""Traces that grow in one direction each: `HOSTILE[name](n)` is a file of size n."""

import json


def span(number, name, attributes, parent=None, start=None, trace="t"):
    at = number if start is None else start
    return {
        "name": name,
        "context": {"trace_id": trace, "span_id": f"s{number}"},
        "parent_id": None if parent is None else f"s{parent}",
        "start_time": 1_700_000_000 + at,
        "end_time": 1_700_000_000 + at + 0.5,
        "attributes": attributes,
    }


def lines(rows):
    return "\n".join(map(json.dumps, rows))


def call(number, parent, prompt="Why?", answer="So.", **attributes):
    """A call of a model; attributes as `llm_model_name` become dotted ones."""
    given = {
        "openinference.span.kind": "LLM",
        "llm.input_messages.0.message.role": "user",
        "llm.input_messages.0.message.content": prompt,
        "llm.output_messages.0.message.content": answer,
    }
    return span(number, "OpenAI.chat", given | attributes, parent)


def given(**values):
    return {"input.value": json.dumps(values)}


def synthesis(number, texts=("It rained.",), name="Refine.get_response", parent=None):
    return span(number, name, given(query_str="Why?", text_chunks=list(texts)), parent)


def calls_of_one(n):
    return [synthesis(0), *(call(1 + each, 0) for each in range(n))]


def calls_in_chain(n, deep=40):
    """A chain of parents, as deep as it may be, with all calls in the last."""
    parents = [span(1 + each, "step", given(kwargs={"a": "b"}), each) for each in range(deep)]
    return [synthesis(0), *parents, *(call(1_000 + each, deep) for each in range(n))]


def parents_without_verdicts(n):
    """Every call looks for its object in one parent, which has none in n spans."""
    beside = [span(2 + each, "step", {"output.value": "{}"}, 1) for each in range(n)]
    return [
        synthesis(0),
        span(1, "Program", {}, 0),
        *beside,
        *(call(n + 2 + each, 1) for each in range(n)),
    ]


def objects(n):
    rows = parents_without_verdicts(n)
    rows[1]["name"] = "OpenAI.structured_predict"
    return rows


def nested_syntheses(n):
    chain = [synthesis(each, parent=each - 1 if each else None) for each in range(50)]
    return [*chain, *(synthesis(100 + each, parent=49) for each in range(n)), call(99_999, 0)]


def retrievals(n):
    found = {"retrieval.documents.0.document.content": "It rained."}
    rows = [span(2 * each, "Retriever.retrieve", found) for each in range(n)]
    return [*rows, *(synthesis(2 * each + 1) for each in range(n)), call(99_999, 1)]


def documents(n):
    found = {f"retrieval.documents.{each}.document.content": f"chunk {each}." for each in range(n)}
    texts = [f"chunk {each}." for each in reversed(range(n))]
    return [span(0, "Retriever.retrieve", found), synthesis(1, texts), call(2, 1)]


def metadata(n):
    about = {f"key{each}": "value" for each in range(n)}
    found = {
        "retrieval.documents.0.document.content": "It rained.",
        "retrieval.documents.0.document.metadata": json.dumps(about),
    }
    text = "\n".join(f"{key}: value" for key in about) + "\n\nIt rained."
    return [span(0, "Retriever.retrieve", found), synthesis(1, [text]), call(2, 1)]


def attributes(n):
    return [synthesis(0), call(1, 0, **{f"a.{each}": each for each in range(n)})]


def messages(n):
    parts = {
        f"llm.input_messages.{each}.message.contents.0.message_content.text": "Why?"
        for each in range(n)
    }
    return [synthesis(0), call(1, 0, **parts)]


def values(n):
    """n calls in one parent that was given all the values there may be."""
    many = {f"name{each}": f"value {each}" for each in range(90)}
    rows = [synthesis(0), span(1, "OpenAI.predict", given(kwargs=many), 0)]
    return [*rows, *(call(2 + each, 1, "value 7, value 8") for each in range(n))]


def templates(n):
    """Templates in Python's way to show them, none of which gives the prompt."""
    message = (
        "ChatMessage(role=<MessageRole.USER: 'user'>, additional_kwargs={},"
        " blocks=[TextBlock(block_type='text', text='{query_str}?')])"
    )
    shown = f"SelectorPromptTemplate(message_templates=[{message}])" * n
    parent = span(1, "OpenAI.predict", given(prompt=shown, kwargs={"query_str": "Why"}), 0)
    return [synthesis(0), parent, *(call(2 + each, 1, "What?") for each in range(n))]


def placeholders(n):
    parent = {"llm.prompt_template.template": "{a}" * n} | given(kwargs={"a": ""})
    rows = [synthesis(0), span(1, "OpenAI.predict", parent, 0)]
    return [*rows, *(call(2 + each, 1, "") for each in range(n))]


def cut_texts(n):
    """n texts that were cut, and n calls that carry none of them."""
    cut = {"output.value": json.dumps([f"text {each}" for each in range(n)])}
    rows = [synthesis(0), span(1, "Splitter.split_text", cut, 0)]
    return [*rows, *(call(2 + each, 0) for each in range(n))]


def at_once(n):
    rows = calls_of_one(n)
    for row in rows:
        row["end_time"] = 1_800_000_000
    return rows


def roots(n):
    return [call(each, None) for each in range(n)]


def traces(n):
    return [
        row | {"context": row["context"] | {"trace_id": str(at)}} for at, row in enumerate(roots(n))
    ]


def nested_lists(n):
    rows = calls_of_one(n)
    for _ in range(n):
        rows = [rows]
    return [rows]


HOSTILE = {
    function.__name__: lambda n, function=function: lines(function(n))
    for function in (
        calls_in_chain,
        objects,
        nested_syntheses,
        retrievals,
        documents,
        metadata,
        attributes,
        messages,
        values,
        templates,
        placeholders,
        cut_texts,
        at_once,
        traces,
        nested_lists,
    )
}
