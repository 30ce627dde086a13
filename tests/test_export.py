"""A trace survives its file, and a file that lies is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import ChatPromptTemplate, PromptHelper, get_response_synthesizer
from synth.errors import ImportedRunError, ModelError
from synth.export import trace_from_json, trace_to_json
from synth.llms import FunctionLLM

CHUNKS = [
    "The pool was set to 8. " * 30,
    "\ud800 half a pair, \u202e, \0 and 🚀",
    "连接池太小。" * 20,
]


def run(mode="tree_summarize", fn=lambda prompt: "short", chunks=CHUNKS, **options):
    llm = FunctionLLM(fn, context_window=300, num_output=30)
    return get_response_synthesizer(mode, llm, PromptHelper(300, 30), **options).run("why", chunks)


@pytest.mark.parametrize("mode", ["refine", "tree_summarize", "accumulate", "no_text"])
def test_there_and_back(mode):
    trace = run(mode)
    read = trace_from_json(trace_to_json(trace))
    assert read == trace
    assert read.coverage == trace.coverage
    assert read.log() == trace.log()


def test_chat_prompts_keep_their_messages():
    chat = ChatPromptTemplate.from_messages(
        [("system", "Be brief."), ("user", "{context_str} {query_str}")]
    )
    trace = run("simple_summarize", text_qa_template=chat)
    read = trace_from_json(trace_to_json(trace))
    assert [m.role for m in read.calls[0].prompt.messages] == ["system", "user"]


def test_a_failed_run_keeps_its_error():
    def fn(prompt):
        raise RuntimeError("the line went dead")

    with pytest.raises(ModelError) as caught:
        run("refine", fn)
    read = trace_from_json(trace_to_json(caught.value.trace))
    assert "the line went dead" in read.error
    assert read.response is None


@given(st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=4))
def test_any_text_survives(chunks):
    trace = run("compact", chunks=chunks)
    assert trace_from_json(trace_to_json(trace)) == trace


@pytest.mark.parametrize(
    "text",
    ["", "[]", "null", '{"version": 1}', '{"version": 2}', "[" * 100_000, '{"version": NaN}'],
)
def test_what_is_no_run_is_refused_with_a_reason(text):
    with pytest.raises(ImportedRunError, match=r"no run that can be read: ."):
        trace_from_json(text)


def test_a_prompt_that_is_not_its_chunk_is_refused():
    text = trace_to_json(run()).replace("set to 8", "set to 9", 1)
    with pytest.raises(ImportedRunError, match="the file was changed"):
        trace_from_json(text)


def test_calls_out_of_order_are_refused():
    data = json.loads(trace_to_json(run()))
    data["calls"].reverse()
    with pytest.raises(ImportedRunError, match="numbered"):
        trace_from_json(json.dumps(data))


def test_unknown_fields_are_refused():
    data = json.loads(trace_to_json(run())) | {"api_key": "x"}
    with pytest.raises(ImportedRunError, match="api_key"):
        trace_from_json(json.dumps(data))
