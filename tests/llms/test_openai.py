import json

import pytest
from pydantic import BaseModel

from synth.errors import AuthFailed, BadResponse, MissingKey, ModelError
from synth.llms import OpenAILLM
from synth.llms.openai import list_models
from synth.runs.llm import Completion
from tests.fake_openai import Answer, Failure, FakeOpenAI, Raw
from tests.llms.ways import PLAIN, WAYS, Way, stream

KEY = "sk-a-key-that-must-not-leak"


class Verdict(BaseModel):
    query_satisfied: bool
    answer: str


def llm_of(server: FakeOpenAI, **options) -> OpenAILLM:
    return OpenAILLM("m", KEY, server.base_url, max_retries=0, **options)


@pytest.mark.parametrize("ask", WAYS)
def test_an_answer_comes_with_its_counts(ask: Way):
    with FakeOpenAI(Answer("hello there, you")) as server:
        completion = ask(llm_of(server, num_output=77))
    assert completion == Completion("hello there, you", 11, 3, "stop")
    [request] = server.requests
    assert request.path == "/v1/chat/completions"
    assert request.authorization == f"Bearer {KEY}"
    assert request.body["messages"] == [{"role": "user", "content": "Say hello"}]
    assert request.body["max_tokens"] == 77
    others = {"temperature", "seed", "response_format", "max_completion_tokens"}
    assert not request.body.keys() & others


def test_a_text_is_a_prompt_and_half_a_surrogate_pair_stops_no_request():
    with FakeOpenAI(Answer("hello")) as server:
        llm_of(server).complete("a\ud800b\0😀")
    assert server.requests[0].body["messages"][0]["content"] == "a?b\0😀"


REFUSED = {
    "max_tokens": "Unsupported parameter: 'max_tokens' is not supported with this model. Use"
    " 'max_completion_tokens' instead.",
    "temperature": "Unsupported value: 'temperature' does not support 0.5 with this model.",
    "seed": "Extra inputs are not permitted: seed",
    "stream_options": "stream_options: unknown field",
}


@pytest.mark.parametrize("ask", WAYS)
def test_what_is_refused_is_left_out_and_stays_out(ask: Way):
    with FakeOpenAI(Answer("hello"), refuses=REFUSED) as server:
        llm = llm_of(server, temperature=0.5, seed=7)
        first = ask(llm)
        tries = len(server.requests)
        second = ask(llm)
    assert first.text == second.text == "hello"
    assert tries == (5 if ask is stream else 4)
    assert len(server.requests) == tries + 1
    last = server.requests[-1].body
    assert last["max_completion_tokens"] == 256
    assert not last.keys() & REFUSED.keys()
    assert second.notes == (
        "m takes no temperature: sent without.",
        "m takes no seed: sent without.",
    )


@pytest.mark.parametrize(
    ("argument", "complaint"),
    [
        ("temperature", "This model doesn't support temperature"),
        ("seed", "property 'body.seed' is unsupported"),
        ("reasoning_effort", '"llama3.1:8b" does not support thinking'),
        ("json_schema", "Json mode is not supported for this model."),
        ("json_schema", "The provided JSON schema contains features not supported by xgrammar"),
    ],
)
def test_an_argument_goes_where_a_server_knows_none_in_its_own_words(argument, complaint):
    with FakeOpenAI(Answer('{"query_satisfied": true}'), refuses={argument: complaint}) as server:
        llm = llm_of(server, temperature=0.5, seed=7, arguments={"reasoning_effort": "low"})
        assert stream(llm, PLAIN, Verdict).text.startswith("{")
    body = server.requests[-1].body
    assert len(server.requests) == 2
    assert argument not in {*body, body.get("response_format", {}).get("type")}
    assert {"max_tokens", "temperature", "seed", "reasoning_effort"} - {argument} <= body.keys()


def test_a_refusal_that_no_other_way_cures_is_not_remembered():
    complaint = Failure(400, "temperature is unsupported, and so is everything else")
    with FakeOpenAI(complaint, complaint, Answer("hello")) as server:
        llm = llm_of(server, temperature=0.5)
        with pytest.raises(BadResponse, match="everything else"):
            llm.complete(PLAIN)
        assert llm.complete(PLAIN).notes == ()
    assert server.requests[-1].body["temperature"] == 0.5


def test_events_are_read_as_the_standard_has_them():
    first = json.dumps({"choices": [{"delta": {"content": "a\u2028b"}}]}, ensure_ascii=False)
    head, tail = first[:12], first[12:]  # which a piece of white space may divide
    lines = [": ping", "event: x", f"data: {head}", f"data:{tail}", "id: 1", "", "", "data:[DONE]"]
    for ending in ("\n", "\r\n"):
        with FakeOpenAI(Raw(ending.join(lines).encode(), "text/event-stream")) as server:
            assert stream(llm_of(server)).text == "a\u2028b"


def test_a_stream_leaves_its_connection_to_the_next_request():
    with FakeOpenAI(Answer("hello there")) as server:
        llm = llm_of(server)
        for _ in range(3):
            stream(llm)
    assert server.connections == 1


ARGUMENTS = [{}, {"top_p": 0.5}, {"presence_penalty": 0.5}, {"seed": 5}, {"top_p": "0.5"}]


def test_an_identity_has_the_names_of_the_arguments():
    llms = [OpenAILLM("m", KEY, "http://host/v1", arguments=one) for one in ARGUMENTS]
    llms += [OpenAILLM("m", KEY, "http://host/v1", temperature=5, num_output=5)]
    assert len({llm.identity for llm in llms}) == len(llms)
    assert OpenAILLM("m", KEY, "http://host/v1", seed=5).identity == llms[3].identity


@pytest.mark.parametrize("ask", WAYS)
def test_a_schema_is_asked_for_strictly_and_never_in_the_prompt(ask: Way):
    text = '{"query_satisfied": true, "answer": "yes"}'
    with FakeOpenAI(Answer(text)) as server:
        completion = ask(llm_of(server), PLAIN, Verdict)
    assert Verdict.model_validate_json(completion.text).answer == "yes"
    body = server.requests[0].body
    assert body["response_format"]["type"] == "json_schema"
    form = body["response_format"]["json_schema"]
    assert form["strict"] is True
    assert form["schema"]["required"] == ["query_satisfied", "answer"]
    assert form["schema"]["additionalProperties"] is False
    assert body["messages"][0]["content"] == "Say hello"


def test_a_schema_falls_back_to_json_and_then_to_text():
    refuses = {
        "json_schema": "Invalid parameter: 'response_format' of type 'json_schema'",
        "json_object": "'messages' must contain the word 'json' for the type 'json_object'.",
    }
    with FakeOpenAI(Answer("{}"), refuses=refuses) as server:
        llm = llm_of(server)
        completion = llm.complete(PLAIN, Verdict)
        llm.complete(PLAIN, Verdict)
    forms = [request.body.get("response_format", {}).get("type") for request in server.requests]
    assert forms == ["json_schema", "json_object", None, None]
    assert {request.body["messages"][0]["content"] for request in server.requests} == {"Say hello"}
    assert len(completion.notes) == 2


@pytest.mark.parametrize("ask", WAYS)
def test_a_missing_key_is_told_before_any_request(ask: Way):
    with pytest.raises(MissingKey, match="needs an API key"):
        ask(OpenAILLM())


def test_a_key_that_can_be_none_is_refused_without_a_request():
    with FakeOpenAI(Answer("hello")) as server:
        with pytest.raises(AuthFailed, match="copy it again"):
            OpenAILLM("m", "sk-…", server.base_url).complete(PLAIN)
        with pytest.raises(AuthFailed, match="copy it again"):
            list_models("sk\n2", server.base_url)
        OpenAILLM("m", f" {KEY}\n", server.base_url).complete(PLAIN)
    assert [request.authorization for request in server.requests] == [f"Bearer {KEY}"]


def test_no_message_holds_the_password_of_an_address():
    llm = OpenAILLM("m", KEY, "http://user:secret@127.0.0.1:9/v1", max_retries=0)
    with pytest.raises(ModelError) as caught:
        llm.complete(PLAIN)
    assert "secret" not in str(caught.value)
    assert "127.0.0.1:9" in str(caught.value)
