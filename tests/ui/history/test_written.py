"""Calls and requests as bytes: short, and the same to the letter when they come back."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ImportedRunError
from synth.llms import FunctionLLM
from tests.ui.history.recorded import reply, request_of
from ui.history.written import (
    pack_call,
    pack_request,
    packed,
    unpack_call,
    unpack_request,
    unpacked,
)


def trace_of(request):
    llm = FunctionLLM(reply, context_window=request.context_window, num_output=request.num_output)
    return request.synthesizer(llm).run(request.query_str, request.text_chunks)


@given(
    st.lists(st.text(min_size=1, max_size=300), min_size=1, max_size=4),
    st.sampled_from(["compact", "refine", "tree_summarize"]),
    st.sampled_from(["documented", "llama_index"]),
)
def test_any_prompt_comes_back_with_its_origins(chunks, mode, behaviour):
    request = request_of(
        mode, text_chunks=tuple(chunks), behaviour=behaviour, response_padding_size=10
    )
    trace = trace_of(request)
    for call in trace.calls:
        back = unpack_call(pack_call(call), trace.setup)
        assert back == call
        assert back.origins == call.origins
        assert back.prompt.text == call.prompt.text
    assert unpack_request(pack_request(request), list(request.text_chunks)) == request


def test_bytes_that_were_damaged_are_refused_in_words():
    trace = trace_of(request_of("accumulate"))
    body = pack_call(trace.calls[0])
    with pytest.raises(ImportedRunError, match="A row of the history is damaged"):
        unpack_call(body[:-9], trace.setup)
    data = unpacked(body)
    data["messages"][0]["spans"][1]["origins"] = [
        {"at": 0, "kind": "chunk", "number": 99, "start": 0, "end": 5}
    ]
    with pytest.raises(ImportedRunError, match="the file was changed"):
        unpack_call(packed(data), trace.setup)
