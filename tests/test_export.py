"""A trace survives its file, and a file that lies is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import ChatPromptTemplate, PromptHelper, get_response_synthesizer
from synth.errors import ImportedRunError, ModelError
from synth.export.calls import trace_from_json, trace_to_json
from synth.llms import FunctionLLM

CHUNKS = [
    "The pool was set to 8. " * 30,
    "\ud800 half a pair, \u202e, \0 and 🚀",
    "连接池太小。" * 20,
]


def run(mode="tree_summarize", fn=lambda prompt: "short", chunks=CHUNKS, **options):
    llm = FunctionLLM(fn, context_window=300, num_output=30)
    return get_response_synthesizer(mode, llm, PromptHelper(300, 30), **options).run("why", chunks)


def again(trace):
    """The trace that is read of the text of this one."""
    return trace_from_json(json.loads(json.dumps(trace_to_json(trace))), trace.setup)


CHAT = ChatPromptTemplate([("system", "Be brief."), ("user", "{context_str} {query_str}")])


@pytest.mark.parametrize(
    ("mode", "options"),
    [
        *((mode, {}) for mode in ("refine", "tree_summarize", "accumulate", "no_text")),
        ("simple_summarize", {"text_qa_template": CHAT}),
    ],
)
def test_there_and_back(mode, options):
    trace = run(mode, **options)
    read = again(trace)
    assert read == trace
    assert read.coverage == trace.coverage
    assert read.log() == trace.log()


def test_a_failed_run_keeps_its_error():
    def fn(prompt):
        raise RuntimeError("the line went dead")

    with pytest.raises(ModelError) as caught:
        run("refine", fn)
    read = again(caught.value.trace)
    assert "the line went dead" in read.error
    assert read.response is None


@given(st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=4))
def test_any_text_survives(chunks):
    trace = run("compact", chunks=chunks)
    assert again(trace) == trace


@pytest.mark.parametrize("data", [None, [], {}, {"calls": 1}, {"calls": [{}]}])
def test_what_is_no_run_is_refused_with_a_reason(data):
    with pytest.raises(ImportedRunError, match=r"The run has a wrong field, [a-z]"):
        trace_from_json(data, run().setup)


def test_a_prompt_that_is_not_its_chunk_is_refused():
    trace = run()
    data = json.loads(json.dumps(trace_to_json(trace)).replace("set to 8", "set to 9", 1))
    with pytest.raises(ImportedRunError, match="the file was changed"):
        trace_from_json(data, trace.setup)


def test_calls_out_of_order_are_refused():
    trace = run()
    data = trace_to_json(trace)
    data["calls"].reverse()
    with pytest.raises(ImportedRunError, match="numbered"):
        trace_from_json(data, trace.setup)


def test_unknown_fields_are_refused():
    trace = run()
    with pytest.raises(ImportedRunError, match="api_key"):
        trace_from_json(trace_to_json(trace) | {"api_key": "x"}, trace.setup)


def test_of_many_wrong_elements_one_is_looked_at():
    """All of them would be gigabytes of problems, of a file of 20 MB."""
    with pytest.raises(ImportedRunError, match=r"calls\.0") as caught:
        trace_from_json(trace_to_json(run()) | {"calls": [5] * 10_000}, run().setup)
    assert caught.value.__cause__.error_count() == 1
