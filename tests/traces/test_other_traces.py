"""Traces that are not a plain synthesis of LlamaIndex: nothing is claimed of them."""

import json

import pytest

from synth.errors import ImportedRunError
from synth.traces import IMPORTED, fits, read


def span(number, name, attributes, parent=None, **fields):
    """A span as the OpenTelemetry SDK writes it; span n begins n seconds after noon."""
    row = {
        "name": name,
        "context": {"trace_id": "0x1", "span_id": f"0x{number}"},
        "parent_id": parent and f"0x{parent}",
        "start_time": f"2026-01-01T12:00:{number:02}Z",
        "end_time": f"2026-01-01T12:01:{60 - number:02}Z",
        "attributes": attributes,
    }
    return row | fields


def llm(number, prompt, answer, parent=None, name="ChatOpenAI", **fields):
    attributes = {
        "openinference.span.kind": "LLM",
        "llm.model_name": "gpt-4o",
        "llm.input_messages.0.message.role": "system",
        "llm.input_messages.0.message.contents.0.message_content.text": "Be",
        "llm.input_messages.0.message.contents.1.message_content.text": "brief.",
        "llm.input_messages.1.message.role": "user",
        "llm.input_messages.1.message.content": prompt,
        "llm.output_messages.0.message.content": answer,
        "llm.token_count.prompt": 12,
    }
    return span(number, name, attributes, parent, **fields)


def text(*rows):
    return "\n".join(map(json.dumps, rows))


CHAIN = span(1, "RunnableSequence", {"input.value": "Why?", "output.value": "So."})
FOUND = {
    "openinference.span.kind": "RETRIEVER",
    "retrieval.documents.0.document.content": "It rained.",
    "retrieval.documents.0.document.metadata": '{"page": 4}',
    "retrieval.documents.1.document.content": "It was late.",
}


def test_a_run_of_another_framework_is_its_calls_and_documents():
    rows = [CHAIN, span(2, "Retriever", FOUND, 1), llm(3, "It rained. Why?", "So.", 1)]
    [run] = read(text(*rows))
    assert (run.mode, run.query, run.response, run.model) == (IMPORTED, "Why?", "So.", "gpt-4o")
    assert [chunk.text for chunk in run.chunks] == ["It rained.", "It was late."]
    assert run.chunks[0].node.metadata == {"page": 4}
    [call] = run.calls
    assert call.prompt.text == "system: Be\nbrief.\nuser: It rained. Why?\nassistant: "
    assert (call.answer, call.reported_prompt_tokens) == ("So.", 12)
    assert "no mode is claimed" in run.notes[0]
    assert not run.templates
    for attempt in (run.verify, run.synthesizer, lambda: fits(run)):
        with pytest.raises(ImportedRunError, match="'imported': choose a mode"):
            attempt()
    assert run.trace().call_count == 1


def test_a_trace_of_langfuse_has_the_question_and_the_answer_beside_its_observations():
    times = {"startTime": "2026-01-01T12:00:00Z", "endTime": "2026-01-01T12:00:01Z"}
    root = {"id": "1", "traceId": "t", "name": "my-app", "input": None, **times}
    call = {
        **{"id": "2", "traceId": "t", "parentObservationId": "1", "type": "GENERATION"},
        **{"name": "OpenAI.complete", "input": '{"args": ["Why is it?"]}', "output": "It rained."},
        **times,
    }
    trace = {"id": "t", "input": '"Why?"', "output": {"text": "So."}}
    [run] = read(json.dumps({"trace": trace, "observations": [root, call]}))
    assert (run.mode, run.query, run.response) == (IMPORTED, "Why?", '{"text": "So."}')
    assert [(one.prompt.text, one.answer) for one in run.calls] == [("Why is it?", "It rained.")]


def test_a_call_waits_for_those_that_had_ended():
    rows = [
        llm(number, f"{number}?", "So.", end_time=f"2026-01-01T12:00:{end:02}Z")
        for number, end in ((1, 5), (2, 6), (7, 9))
    ]
    [run] = read(text(*rows))
    assert [call.depth for call in run.calls] == [0, 0, 1]


def test_a_mode_without_calls_is_a_run():
    given = json.dumps({"query_str": "Why?", "text_chunks": ["It rained."]})
    rows = [
        span(1, "ContextOnly.synthesize", {"input.value": "Why?", "output.value": "It rained."}),
        span(2, "ContextOnly.get_response", {"input.value": given}, 1),
    ]
    [run] = read(text(*rows))
    assert (run.texts, run.response, run.calls) == (["It rained."], "It rained.", ())
    assert run.verify().equal


def test_what_a_reranker_left_is_what_was_found():
    given = json.dumps({"query_str": "Why?", "text_chunks": ["It was late."]})
    kept = {
        "openinference.span.kind": "RERANKER",
        "reranker.output_documents.0.document.id": "b",
        "reranker.output_documents.0.document.content": "It was late.",
        "reranker.output_documents.0.document.score": 0.75,
    }
    rows = [
        span(1, "Engine.query", {}),
        span(2, "Retriever.retrieve", FOUND, 1),
        span(3, "Rerank.postprocess_nodes", kept, 1),
        span(4, "NoText.synthesize", {"input.value": "Why?"}, 1),
        span(5, "NoText.get_response", {"input.value": given}, 4),
    ]
    [run] = read(text(*rows))
    assert [(chunk.node.id_, chunk.score) for chunk in run.chunks] == [("b", 0.75)]


def test_metadata_lines_that_were_left_out_stay_out():
    given = json.dumps({"query_str": "Why?", "text_chunks": ["file: a.txt\n\nIt rained."]})
    found = {
        "retrieval.documents.0.document.content": "It rained.",
        "retrieval.documents.0.document.metadata": '{"file": "a.txt", "secret": "x"}',
    }
    rows = [
        span(1, "Retriever.retrieve", found),
        span(2, "NoText.get_response", {"input.value": given}),
    ]
    [run] = read(text(*rows))
    [chunk] = run.chunks
    assert run.texts == ["file: a.txt\n\nIt rained."]
    assert chunk.node.metadata == {"file": "a.txt", "secret": "x"}
    assert chunk.text == "It rained."


def numbered(prefix, *messages):
    return {
        f"{prefix}.{number}.{field}": value
        for number, message in enumerate(messages)
        for field, value in zip(("role", "content"), message, strict=True)
    }


def parts(role, *texts):
    return {"role": role, "parts": [{"type": "text", "content": text} for text in texts]}


ASKED = [("system", "Be brief."), ("user", "It rained. Why?")]
GEN_AI = {
    "gen_ai.operation.name": "chat",
    "gen_ai.request.model": "gpt-4o",
    "gen_ai.usage.input_tokens": 12,
    "gen_ai.usage.output_tokens": 3,
}
MESSAGES = {
    "gen_ai.input.messages": json.dumps([parts(*message) for message in ASKED]),
    "gen_ai.output.messages": json.dumps([parts("assistant", "So.")]),
}
EVENTS = [
    *({"name": f"gen_ai.{role}.message", "attributes": {"content": text}} for role, text in ASKED),
    {
        "name": "gen_ai.choice",
        "attributes": {"message": {"content": "So."}, "finish_reason": "stop"},
    },
]
OLD_COUNTS = {"gen_ai.usage.prompt_tokens": 12, "gen_ai.usage.completion_tokens": 3}
CALLS = {
    "instructions": {
        "attributes": GEN_AI
        | MESSAGES
        | {
            "gen_ai.system_instructions": '[{"type": "text", "content": "Be brief."}]',
            "gen_ai.input.messages": json.dumps([parts(*ASKED[1])]),
        }
    },
    "event of all": {
        "attributes": GEN_AI,
        "events": [{"name": "gen_ai.client.inference.operation.details", "attributes": MESSAGES}],
    },
    "event of each": {"attributes": GEN_AI, "events": EVENTS},
    "events with JSON": {
        "attributes": GEN_AI,
        "events": [
            {
                "name": each["name"],
                "attributes": {"gen_ai.event.content": json.dumps(each["attributes"])},
            }
            for each in EVENTS
        ],
    },
    "OpenLLMetry": {
        "name": "openai.chat",
        "attributes": {"llm.request.type": "chat", "gen_ai.request.model": "gpt-4o"}
        | OLD_COUNTS
        | numbered("gen_ai.prompt", *ASKED)
        | numbered("gen_ai.completion", ("assistant", "So.")),
    },
    "parts in a list": {
        "attributes": {"gen_ai.request.model": "gpt-4o"}
        | OLD_COUNTS
        | numbered(
            "llm.prompts", ASKED[0], ("user", '[{"type": "text", "text": "It rained. Why?"}]')
        )
        | numbered("llm.completions", ("assistant", "So.")),
    },
    "a provider's own": {
        "attributes": {
            "openinference.span.kind": "LLM",
            "llm.model_name": "gpt-4o",
            "input.value": json.dumps(
                {"messages": [dict(zip(("role", "content"), each, strict=True)) for each in ASKED]}
            ),
            "output.value": '{"choices": [{"message": {"role": "assistant", "content": "So."}}]}',
            "llm.token_count.prompt": 12,
            "llm.token_count.completion": 3,
        }
    },
}


@pytest.mark.parametrize("name", CALLS)
def test_a_call_is_read_in_every_vocabulary(name):
    row = span(2, "chat gpt-4o", {}, 1) | CALLS[name]
    [run] = read(text(CHAIN, row))
    [call] = run.calls
    assert call.prompt.text == "system: Be brief.\nuser: It rained. Why?\nassistant: "
    assert (call.answer, run.model) == ("So.", "gpt-4o")
    assert (call.reported_prompt_tokens, call.output_tokens) == (12, 3)
    assert not run.losses


def test_messages_in_log_records_are_those_of_their_span():
    body = {"kvlistValue": {"values": [{"key": "content", "value": {"stringValue": "Why?"}}]}}
    record = {"traceId": "0x1", "spanId": "0x2", "eventName": "gen_ai.user.message", "body": body}
    logs = {"resourceLogs": [{"scopeLogs": [{"logRecords": [record]}]}]}
    [run] = read(text(span(2, "chat gpt-4o", GEN_AI), logs))
    assert run.calls[0].prompt.text == "Why?"


def test_calls_before_the_texts_of_a_synthesis_are_left_out():
    documents = json.dumps([{"content": "It rained."}, {"content": "It was late."}])
    retrieved = {"gen_ai.operation.name": "retrieval", "gen_ai.retrieval.documents": documents}
    rows = [
        CHAIN,
        llm(2, "Which words?", "rain", 1),
        span(3, "retrieve", retrieved, 1),
        span(4, "chat gpt-4o", GEN_AI | MESSAGES, 1),
    ]
    [run] = read(text(*rows))
    assert "the 2 texts that came before" in run.notes[0]
    assert run.notes[-1].endswith("left out: 1.")


@pytest.mark.parametrize("parent", [None, 1])
def test_a_run_that_failed_says_why(parent):
    failed = {"status": {"status_code": "ERROR", "description": "no credit"}}
    row = llm(2, "Why?", None, parent, **failed)
    row["attributes"].pop("llm.output_messages.0.message.content")
    [run] = read(text(*([CHAIN | failed] if parent else []), row))
    assert run.failure == "Call 1 failed when it was recorded: no credit"


def test_a_file_without_a_call_says_what_was_there():
    rows = [CHAIN, *(span(number, "R.retrieve", FOUND, 1) for number in (2, 3))]
    with pytest.raises(ImportedRunError, match="2 of retriever and 1 of no kind"):
        read(text(*rows))
