"""Exported scripts, run with the real llama-index-core."""

from dataclasses import replace
from functools import cache

import pytest

from synth.errors import SynthError
from synth.export.programs import llama_index_script
from synth.modes.registry import ResponseMode
from tests.export.programs import outputs
from tests.export.recipes import Interrupted, chats, recipe, recorded

MODES = tuple(map(str, ResponseMode))
CALLING = tuple(mode for mode in MODES if mode not in ("no_text", "context_only"))


@cache
def runs():
    """Recorded runs, by what is special about them."""
    return {
        **{mode: recorded(recipe(mode)) for mode in MODES},
        **{f"{mode}, chat": recorded(chats(recipe(mode))) for mode in CALLING},
        **{
            f"{mode}, filtering": recorded(
                recipe(mode, structured_answer_filtering=True, context_window=800)
            )
            for mode in ("refine", "compact")
        },
        "filtering, chat": recorded(chats(recipe("refine", structured_answer_filtering=True))),
        "limits": recorded(
            recipe(
                "refine",
                chunk_size_limit=70,
                response_padding_size=33,
                chunk_overlap_ratio=0.4,
                tokenizer="o200k_base",
            )
        ),
        "a tree of levels": recorded(recipe("tree_summarize", context_window=500)),
        "no chunks": recorded(recipe("refine", text_chunks=())),
        "a question alone": recorded(recipe("generation", query_str="'''\"\"\"\\")),
        "interrupted": recorded(recipe("refine"), Interrupted(4)),
        "a failure that counts as no answer": recorded(
            recipe("refine"), lambda prompt: (_ for _ in ()).throw(ValueError("broken"))
        ),
        "the text by which templates are compared": recorded(
            replace(
                chats(recipe("compact")), measured=(("text_qa_template", "{context_str} " * 90),)
            )
        ),
        "accumulate in a small window": recorded(recipe("accumulate", context_window=400)),
    }


OWN_LLM = "from llama_index.core.llms import MockLLM\nOWN_LLM = MockLLM(max_tokens=3)"
CHANGES = {
    "changed": ("Answer from these sources alone", "Answer from these sources only"),
    "own": ("OWN_LLM = None", OWN_LLM),
}


@pytest.mark.slow
def test_each_script_sends_the_recorded_prompts_and_says_what_differs(tmp_path):
    programs = {name: llama_index_script(*run) for name, run in runs().items()}
    programs["documented"] = llama_index_script(*recorded(recipe("compact", "documented")))
    for name, change in CHANGES.items():
        programs[name] = programs["compact"].replace(*change, 1)
        assert programs[name] != programs["compact"]
    said = outputs(tmp_path, programs)
    for name, (_, trace) in runs().items():
        code, text = said[name]
        sent = len(trace.log()) + (trace.response is None)
        words = f"LlamaIndex sends the prompts that were recorded: {sent} of {sent}."
        assert words in text, name
        assert code == 0, name
    code, text = said["documented"]
    assert code == 0
    assert "prompts differ: 1" in text
    assert "Call 1 differs:" in text
    code, text = said["changed"]
    assert code == 1
    assert "-Answer from these sources alone" in text
    assert "+Answer from these sources only" in text
    code, text = said["own"]
    assert code == 0
    assert len(text.split()) == 3


def test_a_mode_of_ones_own_has_no_script_with_llama_index(vote):
    made = recipe("vote", "documented")
    with pytest.raises(SynthError, match="vote is a mode of your own"):
        llama_index_script(*recorded(made))
