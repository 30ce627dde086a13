"""A trace survives its file, and a file that lies is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import PromptHelper, get_response_synthesizer
from synth.errors import ImportedRunError
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


@given(st.lists(st.text(min_size=1, max_size=200), min_size=1, max_size=4))
def test_any_text_survives(chunks):
    trace = run("compact", chunks=chunks)
    assert again(trace) == trace


def test_of_many_wrong_elements_one_is_looked_at():
    """All of them would be gigabytes of problems, of a file of 20 MB."""
    with pytest.raises(ImportedRunError, match=r"calls\.0") as caught:
        trace_from_json(trace_to_json(run()) | {"calls": [5] * 10_000}, run().setup)
    assert caught.value.__cause__.error_count() == 1
