"""Files that are read again: runs and links there and back, and what lies is refused."""

import base64
import json
import string
import zlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from synth import Node, NodeWithScore, PromptHelper, PromptTemplate, Trace, get_response_synthesizer
from synth.errors import ImportedRunError, SynthError
from synth.export.files import MOST_LETTERS, pack, trace_from_json, trace_to_json, unpack
from synth.llms import FunctionLLM


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=500))
def test_there_and_back(text):
    letters = pack(text)
    assert unpack(letters) == text
    assert set(letters) <= set(string.ascii_letters + string.digits + "-_")


def letters_of(body):
    return base64.urlsafe_b64encode(body).decode().rstrip("=")


@pytest.mark.parametrize(
    ("letters", "said"),
    [
        ("A" * (MOST_LETTERS + 1), "has 7,001 characters, and 7,000 is the limit"),
        (letters_of(zlib.compress(b"0" * 3_000_000, 9)), "unpacks to more than 1,000,000 bytes"),
        (pack("a text")[:-3], "damaged"),
        (letters_of(zlib.compress(b"\xff\xfe")), "damaged"),
        ("<script>", "damaged"),
        ("äöü", "damaged"),
        ("", "damaged"),
        ("A", "damaged"),
    ],
)
def test_a_hostile_link_is_refused_with_a_reason(letters, said):
    with pytest.raises(ImportedRunError, match=said):
        unpack(letters)


CHUNKS = [
    "The pool was set to 8. " * 30,
    "\ud800 half a pair, \u202e, \0 and 🚀",
    "连接池太小。" * 20,
]


def run(mode="tree_summarize", fn=lambda prompt: "short", chunks=CHUNKS, **options):
    llm = FunctionLLM(fn, context_window=300, num_output=30)
    return get_response_synthesizer(mode, llm, PromptHelper(300, 30), **options).run("why", chunks)


def test_a_trace_is_plain_data_and_comes_back_with_its_setup():
    trace = run("refine")
    back = Trace.from_dict(json.loads(json.dumps(trace.to_dict())))
    assert back == trace
    assert back.setup.tokenizer is trace.setup.tokenizer
    assert back.coverage == trace.coverage
    for data in (None, 5, [], {}, {**trace.to_dict(), "setup": {"mode": 5}}, {"setup": None}):
        with pytest.raises(ImportedRunError, match="wrong field"):
            Trace.from_dict(data)


def test_a_trace_that_was_counted_by_a_function_needs_it_again():
    llm = FunctionLLM(str.upper, tokenizer=str.split)
    trace = get_response_synthesizer("compact", llm).run("why", ["a b"])
    with pytest.raises(SynthError, match="or a function"):
        Trace.from_dict(trace.to_dict())
    assert Trace.from_dict(trace.to_dict(), str.split) == trace


class Verdict(BaseModel):
    good: bool


def test_a_response_is_plain_data():
    nodes = [NodeWithScore(Node("eight", {"file": "a.md"}, id_="n"), 0.5)]
    source = {"node_id": "n", "text": "eight", "metadata": {"file": "a.md"}, "score": 0.5}
    for answer, wanted in (("yes", "yes"), ('{"good": true}', {"good": True})):
        llm = FunctionLLM(lambda prompt, answer=answer: answer)
        output_cls = None if answer == wanted else Verdict
        mode = get_response_synthesizer("compact", llm, output_cls=output_cls)
        response = mode.synthesize("why", nodes)
        data = json.loads(json.dumps(response.to_dict()))
        assert data["response"] == wanted
        assert data["source_nodes"] == [source]
        assert Trace.from_dict(data["trace"]) == response.trace


def test_of_many_wrong_elements_one_is_looked_at():
    """All of them would be gigabytes of problems, of a file of 20 MB."""
    with pytest.raises(ImportedRunError, match=r"calls\.0") as caught:
        trace_from_json(trace_to_json(run()) | {"calls": [5] * 10_000}, run().setup)
    assert caught.value.__cause__.error_count() == 1


TEMPLATES = {
    "text_qa_template": PromptTemplate("{context_str}"),
    "summary_template": PromptTemplate("{context_str}"),
}


def made(mode, window=60, num_output=10, overlap=0.0, fn=lambda prompt: "short", **options):
    """A synthesizer for which every word is a token."""
    helper = PromptHelper(window, num_output, overlap, tokenizer=str.split)
    return get_response_synthesizer(mode, FunctionLLM(fn), helper, **TEMPLATES, **options)


@pytest.mark.parametrize(("mode", "wanted"), [("accumulate", 5), ("refine", 4)])
def test_a_plan_of_too_many_calls_keeps_the_first_of_them(mode, wanted):
    plan = made(mode, window=200).plan("q", list("abcde"), max_calls=3)
    assert plan.call_count == 3
    assert plan.problem == f"It would make {wanted} calls or more; the first 3 are here."
    assert not plan.exact
    assert made(mode, window=200).plan("q", list("abc"), max_calls=3).problem is None
