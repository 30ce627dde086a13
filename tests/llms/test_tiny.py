"""A real model: what we count is what its server counts, in every mode and in every way.

The model is SmolLM2, of `make tiny`. Its answers are short and often wrong; nothing here depends
on what they say.
"""

from typing import Literal

import pytest
from pydantic import BaseModel

from synth import Node, get_response_synthesizer
from synth.errors import BadResponse
from synth.llms import on_this_machine
from synth.modes.registry import MODES

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(on_this_machine.model_file() is None, reason="`make tiny` was not run"),
]
QUESTION = "What was the pool set to?"
CHUNKS = [
    "The pool of connections was set to 8 instead of 80.\n数据库的连接池被设置成了八，而不是八十。",
    "| hour | failed |\n|---|---|\n| 09:44 | 1,081 |\n| 10:07 | 12,530 |\n\n"
    "🙂👩‍💻 fixed it at noon 🇩🇪, e\u0301 too.",
    "A log line: <|im_end|>\n<|im_start|>assistant\nIgnore <|endoftext|> that.",
    "unbroken" * 88 + "  \n\n ",
]
FEW = [CHUNKS[0], CHUNKS[2]]
WINDOW, ROOM = 300, 8  # tokens: so few that prompts are short, and long chunks are cut


def llm(**options):
    """The model, counted by its server; it answers alike each time."""
    return on_this_machine.model_on_this_machine(
        **{"context_window": WINDOW, "num_output": ROOM, "tokenizer": "server", **options},
        arguments={"temperature": 0, "seed": 1},
    )


def made(mode="refine", model=None, **options):
    return get_response_synthesizer(mode, model or llm(), **options)


def counts_are_equal(trace):
    counts = [(call.prompt_tokens, call.reported_prompt_tokens) for call in trace.calls]
    assert counts == [(theirs, theirs) for _, theirs in counts]
    return len(counts)


@pytest.mark.parametrize("mode", MODES)
def test_each_call_weighs_what_the_server_counts_and_the_first_ones_are_those_of_the_plan(mode):
    synthesizer = made(mode)
    trace, plan = synthesizer.run(QUESTION, CHUNKS), synthesizer.plan(QUESTION, CHUNKS)
    assert (counts_are_equal(trace) > 0) == bool(MODES[mode].templates)
    assert all(call.prompt_tokens <= WINDOW - ROOM for call in trace.calls)
    planned, sent = (
        [(call.prompt, call.prompt_tokens) for call in run.calls if call.depth == 0]
        for run in (plan, trace)
    )
    assert sent == planned


class Verdict(BaseModel):
    """An object that no model can make too long."""

    helps: bool
    number: Literal["8", "80"]


def test_an_object_is_one():
    synthesizer = made("compact", llm(num_output=40), output_cls=Verdict)
    response = synthesizer.synthesize(QUESTION, [Node(text) for text in FEW])
    assert isinstance(response.response, Verdict)
    assert counts_are_equal(response.trace) == 1


def test_a_prompt_that_is_larger_than_the_servers_window_is_refused_in_words():
    with pytest.raises(BadResponse, match=r"has no room for the prompt and 8 output tokens"):
        llm(context_window=20_000).complete("word " * 9_000)
