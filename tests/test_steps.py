"""Modes stepped by hand: what they yield, given answers that we make up."""

import pytest

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import NotShrinking
from synth.llms import FunctionLLM
from synth.runs.steps import Answer, advance
from synth.text.spans import Text

TEMPLATES = {
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
        mode, FunctionLLM(never), helper, response_padding_size=0, **TEMPLATES, **options
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
