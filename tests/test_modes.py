"""Each mode at work on a small example and stepped by hand; modes of one's own."""

import json
import sys
from math import inf

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from synth import (
    BaseSynthesizer,
    Node,
    NodeWithScore,
    PromptHelper,
    PromptTemplate,
    Response,
    ResponseMode,
    StreamingResponse,
    get_response_synthesizer,
    register,
)
from synth.errors import BadResponse, NotShrinking, SynthError
from synth.llms import FunctionLLM
from synth.modes.adviser import Totals, totals
from synth.modes.base import ModeFacts, facts_of
from synth.modes.llama_index import write_list
from synth.modes.refine import Refine
from synth.modes.registry import MODES, load_plugins
from synth.runs.steps import Answer, advance
from synth.text.spans import Text
from tests.examples import examples
from tests.invariants.world import passage

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


SHORT_TEMPLATES = {
    "text_qa_template": PromptTemplate("ask {context_str} {query_str}"),
    "refine_template": PromptTemplate("was {existing_answer} now {context_msg} {query_str}"),
    "summary_template": PromptTemplate("sum {context_str} {query_str}"),
    "simple_template": PromptTemplate("{query_str}"),
}


def never(prompt):
    raise AssertionError("stepping asks no model")


def begin(mode, chunks, window=100, num_output=10, **options):
    """The steps of a mode in which every word is a token."""
    helper = PromptHelper(window, num_output, chunk_overlap_ratio=0, tokenizer=str.split)
    synthesizer = get_response_synthesizer(
        mode, FunctionLLM(never), helper, response_padding_size=0, **SHORT_TEMPLATES, **options
    )
    texts = [Text.of(chunk, "chunk", number) for number, chunk in enumerate(chunks, 1)]
    return synthesizer.steps("why?", texts)


def test_refine_cuts_an_answer_that_leaves_no_room_and_says_so():
    steps = begin("refine", ["a", "b"])
    advance(steps, None)
    [call] = advance(steps, [Answer(1, "long " * 300)])
    assert call.notes == ("existing answer cut from 300 to 86 tokens, so that a chunk fits",)
    assert call.prompt.text.split().count("long") == 86  # 100 - 10 for the answer - 3 - 1


def test_a_tree_that_does_not_shrink_says_why():
    steps = begin("tree_summarize", ["a " * 80] * 2)
    advance(steps, None)
    with pytest.raises(NotShrinking, match="Level 1 has 2 texts of 160 tokens, level 0 had 2"):
        advance(steps, [Answer(1, "x " * 80), Answer(2, "x " * 80)])


def test_a_tree_of_as_many_texts_with_fewer_tokens_goes_on():
    steps = begin("tree_summarize", ["a " * 80] * 2)
    advance(steps, None)
    assert len(advance(steps, [Answer(1, "x " * 60), Answer(2, "x " * 60)])) == 2


def test_an_empty_batch_is_a_defect_of_the_mode():
    def idle():
        yield []
        return ""

    with pytest.raises(ValueError, match="empty batch"):
        advance(idle(), None)


def test_an_error_in_a_mode_is_not_its_end():
    def broken():
        yield from ()
        raise RuntimeError("defect")

    with pytest.raises(RuntimeError, match="defect"):
        advance(broken(), None)


PASSAGES = tuple(passage("english", 1_600, seed) for seed in range(6))


class Halved(Refine):
    """A mode that changes the steps of another, and says nothing of its own."""

    mode = "halved"

    def steps(self, query_str, texts, **variables):
        return super().steps(query_str, texts[::2], **variables)


class Pairs(Refine):
    """A mode that packs otherwise, and says nothing of that."""

    mode = "pairs"

    def pack(self, question, refine, texts):
        pairs = [texts[at : at + 2] for at in range(0, len(texts), 2)]
        return [text for pair in pairs for text in self.packer.repack(question, pair)]


class WithPairs(Pairs):
    """Another name for the same."""

    mode = "with_pairs"


@pytest.mark.parametrize("changed", [Halved, Pairs, WithPairs])
def test_facts_about_steps_and_packing_end_where_these_are_replaced(changed):
    ours = changed(prompt_helper=PromptHelper(1_600, 60))
    assert ours.plan("Why?", PASSAGES).call_count == 3
    assert facts_of(changed) == ModeFacts()
    assert (ours.bounds("Why?", PASSAGES).calls.high == inf) == (changed is Halved)


def test_a_mode_that_names_a_template_of_its_own_is_told_what_to_do():
    with pytest.raises(SynthError, match=r"Own names a template vote_template.*get_response"):
        type("Own", (BaseSynthesizer,), {"templates": ("text_qa_template", "vote_template")})
    text = PromptTemplate("Vote on {context_str} {query_str}")
    assert Pairs(text_qa_template=text).plan("Why?", ["a"]).calls[0].prompt.text == "Vote on a Why?"


def test_loading_twice_is_no_clash(vote, monkeypatch):
    monkeypatch.setenv("SYNTH_PLUGINS", " vote ,")
    del sys.modules["vote"]
    assert load_plugins() == ["vote"]
    assert get_response_synthesizer("vote").plan("why", ["a", "b"]).calls
