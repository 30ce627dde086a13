"""Each mode at work on a small example, with what the documents say it can be given."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from synth import (
    BaseSynthesizer,
    Node,
    NodeWithScore,
    PromptTemplate,
    Response,
    ResponseMode,
    StreamingResponse,
    get_response_synthesizer,
    register,
)
from synth.errors import BadResponse, SynthError
from synth.llms import FunctionLLM
from synth.modes.advice.what_if import Totals, totals
from synth.modes.llama_index import write_list
from synth.modes.registry import MODES
from synth.text.spans import Text
from tests.examples import examples

TEMPLATES = {
    "text_qa_template": PromptTemplate("QA {context_str}"),
    "refine_template": PromptTemplate("REFINE {existing_answer} + {context_msg}"),
    "summary_template": PromptTemplate("SUM {context_str}"),
    "simple_template": PromptTemplate("SIMPLE {query_str}"),
}
CHUNKS = ["a", "b"]


def made(mode, fn=lambda prompt: f"<{prompt}>", **options):
    return get_response_synthesizer(mode, FunctionLLM(fn), **{**TEMPLATES, **options})


EXAMPLES = {
    "refine": "<REFINE <QA a> + b>",
    "compact": "<QA a\n\nb>",
    "tree_summarize": "<SUM a\n\nb>",
    "simple_summarize": "<QA a\nb>",
    "accumulate": "Response 1: <QA a>\n---------------------\nResponse 2: <QA b>",
    "compact_accumulate": "Response 1: <QA a\n\nb>",
    "generation": "<SIMPLE q>",
    "no_text": "",
    "context_only": "a\n\nb",
}
each_mode = pytest.mark.parametrize("mode", EXAMPLES)


def test_there_is_an_example_of_every_mode():
    assert set(EXAMPLES) == set(MODES)


@each_mode
async def test_the_example_however_it_is_asked(mode):
    nodes = [NodeWithScore(Node(chunk)) for chunk in CHUNKS]
    synthesizer = made(mode)
    assert synthesizer.get_response("q", CHUNKS) == EXAMPLES[mode]
    assert await synthesizer.aget_response("q", CHUNKS) == EXAMPLES[mode]
    response = synthesizer.synthesize("q", nodes)
    assert str(response) == EXAMPLES[mode]
    assert response.source_nodes == nodes
    assert response.trace.response == EXAMPLES[mode]
    assert str(await synthesizer.asynthesize("q", nodes)) == EXAMPLES[mode]


@each_mode
async def test_the_example_streamed(mode):
    synthesizer = made(mode, streaming=True)
    assert "".join(synthesizer.get_response("q", CHUNKS)) == EXAMPLES[mode]
    pieces = [piece async for piece in await synthesizer.aget_response("q", CHUNKS)]
    assert "".join(pieces) == EXAMPLES[mode]
    response = synthesizer.synthesize("q", [NodeWithScore(Node(chunk)) for chunk in CHUNKS])
    assert isinstance(response, StreamingResponse)
    assert response.trace is None
    assert str(response) == EXAMPLES[mode]
    assert response.trace.response == EXAMPLES[mode]


@pytest.mark.parametrize("mode", sorted(set(EXAMPLES) - {"generation"}))
async def test_no_nodes_cost_no_call(mode):
    asked = []
    synthesizer = made(mode, asked.append, empty_response="nothing here")
    for response in (synthesizer.synthesize("q", []), await synthesizer.asynthesize("q", [])):
        assert isinstance(response, Response)
        assert str(response) == "nothing here"
        assert response.source_nodes == []
    assert asked == []


@pytest.mark.parametrize(
    "mode", [mode for mode in EXAMPLES if mode not in ("no_text", "context_only")]
)
def test_an_empty_answer_is_the_empty_response(mode):
    found = made(mode, lambda prompt: "", empty_response="nothing found").get_response("q", ["a"])
    assert found.removeprefix("Response 1: ") == "nothing found"


class Fact(BaseModel):
    answer: str
    year: int


def fact(prompt):
    return json.dumps({"answer": prompt[-1], "year": 1969})


@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
@pytest.mark.parametrize("mode", ResponseMode)
def test_output_cls_is_planned_and_an_edited_answer_replayed(mode, behaviour):
    synthesizer = made(mode, fact, output_cls=Fact, behaviour=behaviour)
    plan = synthesizer.plan("q", CHUNKS)
    assert totals(synthesizer, "q", CHUNKS) == Totals.of(plan)
    log = synthesizer.run("q", ["a"]).log()
    edited = {number: answer._replace(answer="edited") for number, answer in log.items()}
    replayed = synthesizer.replay("q", ["a"], edited)
    assert ("edited" in replayed.response) == bool(log)


@pytest.mark.parametrize("reply", ["not json", "{}", '{"answer": 1, "year": "old"}', ""])
def test_a_reply_that_breaks_its_schema_is_a_failed_call(reply):
    with pytest.raises(BadResponse, match=r"Call 1 .*not of the form asked for"):
        made("compact", lambda prompt: reply, output_cls=Fact).run("q", CHUNKS)


def test_a_class_of_the_same_name_from_elsewhere_replaces_nothing():
    before = MODES["refine"]
    foreign = type("Refine", (BaseSynthesizer,), {"mode": "refine", "__module__": "elsewhere"})
    said = f"The mode refine exists already \\(Refine of {before.__module__}"
    with pytest.raises(SynthError, match=said):
        register(foreign)
    assert MODES["refine"] is before


@pytest.mark.parametrize("mode", [{}, {"mode": ""}, {"mode": 5}, {"mode": None}])
def test_a_class_without_a_mode_of_its_own_is_refused(mode):
    before = dict(MODES)
    with pytest.raises(SynthError, match=r"Nameless has the mode .*: give it a name of its own"):
        register(type("Nameless", (BaseSynthesizer,), mode))
    assert before == MODES


def test_a_class_that_can_not_be_made_of_a_model_and_streaming_is_refused():
    class Closed(BaseSynthesizer):
        mode = "closed"

        def __init__(self):
            super().__init__()

    with pytest.raises(SynthError, match="Closed can't be made of a model and whether it streams"):
        register(Closed)
    assert "closed" not in MODES


@examples(200)
@given(st.text(st.sampled_from("a'\"\\\n \0\u200bé車") | st.characters(), min_size=1))
def test_a_text_in_a_python_list_keeps_the_origin_of_what_stands_there_as_it_is(text):
    shown = write_list(Text.of(text, "chunk", 1))
    assert str(shown) == repr([text])
    kept = []
    for at, origin in shown.placed:
        part = str(shown)[at : at + origin.end - origin.start]
        assert part == text[origin.start : origin.end]
        kept.append(part)
    assert "".join(kept) == "".join(filter(str.isprintable, text))
