"""Modes of one's own: plugins, and that of CONTRIBUTING.md, which has what the others have."""

import sys
from math import inf

import pytest

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import SynthError
from synth.modes import plugins
from synth.modes.base import BaseSynthesizer
from synth.modes.facts import ModeFacts, facts_of
from synth.modes.refine import Refine
from tests.invariants.world import passage

CHUNKS = tuple(passage("english", 1_600, seed) for seed in range(6))


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
    assert ours.plan("Why?", CHUNKS).call_count == 3
    assert facts_of(changed) == ModeFacts()
    assert (ours.bounds("Why?", CHUNKS).calls.high == inf) == (changed is Halved)


def test_a_mode_that_names_a_template_of_its_own_is_told_what_to_do():
    with pytest.raises(SynthError, match=r"Own names a template vote_template.*get_response"):
        type("Own", (BaseSynthesizer,), {"templates": ("text_qa_template", "vote_template")})
    text = PromptTemplate("Vote on {context_str} {query_str}")
    assert Pairs(text_qa_template=text).plan("Why?", ["a"]).calls[0].prompt.text == "Vote on a Why?"


def test_loading_twice_is_no_clash(vote, monkeypatch):
    monkeypatch.setenv("SYNTH_PLUGINS", " vote ,")
    del sys.modules["vote"]
    assert plugins.load() == ["vote"]
    assert get_response_synthesizer("vote").plan("why", ["a", "b"]).calls
