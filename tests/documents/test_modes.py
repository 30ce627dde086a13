"""What LlamaIndex's documents say of each response mode, statement by statement.

The list of modes stands in all four pages; context_only in the newest alone. That all text is
sent, in its order and within the window, is in tests/invariants.
"""

from itertools import pairwise

import pytest

from tests.documents.asked import QUESTION, Asked, words

CHUNKS = ["Ada kept it.", "Bo painted it.", "Cy left."]


def test_refine_splits_a_chunk_that_does_not_fit_beside_the_prompt():
    chunk = words(150)
    alone = Asked("refine", window=400)
    alone.response(chunk)
    assert len(alone.prompts) == 1
    beside = Asked("refine", window=400, text_qa_template=None, refine_template=None)
    question = " ".join(["Who?"] * 50)
    beside.synthesizer.get_response(question, [chunk])  # the same chunk, a longer prompt
    assert len(beside.prompts) > 1


def test_refine_splits_where_a_chunk_no_longer_fits_and_leaves_room_for_the_answer():
    asked = Asked("refine", window=120, num_output=20)
    asked.response(words(150))
    count = asked.synthesizer.prompt_helper.tokenizer.count
    word = count(" word100")
    first, *later = asked.prompts[:-1]
    assert len(later) > 1
    assert 100 - word < count(first) <= 100
    for prompt in later:
        answer = 20 - count("answer 1")  # as long as it may be, and a few tokens where it joins
        assert 100 - word - 4 < count(prompt) + answer <= 100


@pytest.mark.parametrize("mode", ["refine", "compact"])
def test_the_parts_of_a_split_text_are_refined_over_like_chunks_and_overlap(mode):
    asked = Asked(mode, window=200, overlap=0.3)
    asked.response(words(100), words(100, 100))
    assert len(asked.prompts) > 2
    assert asked.templates == ["ask"] + ["refine"] * (len(asked.prompts) - 1)
    assert "\nanswer 1\n" in asked.prompts[1]
    parts = [set(sent.split("\n")[-1].split()) for sent in asked.sent]
    assert any(one & other for one, other in pairwise(parts))


@pytest.mark.parametrize("mode", ["compact", "compact_accumulate"])
def test_a_prompt_has_as_many_chunks_as_fit_the_window(mode):
    chunks = [words(10, start) for start in range(0, 120, 10)]
    asked = Asked(mode, window=200, response_padding_size=5)
    asked.response(*chunks)
    assert 1 < len(asked.prompts) < len(chunks)
    assert "\n\n".join(chunks).startswith(asked.sent[0])
    count = asked.synthesizer.prompt_helper.tokenizer.count
    room = 200 - 20 - count(asked.prompts[0])
    assert count(f"\n\n{chunks[0]}") > room - 15  # no further chunk would have fitted


@pytest.mark.parametrize(("larger", "place"), [("text_qa_template", 0), ("refine_template", 1)])
def test_compact_packs_for_each_of_both_templates(larger, place):
    plain = Asked("compact", window=300)
    plain.response(words(300))
    templates = plain.synthesizer.get_prompts()
    long = type(templates[larger])(f"{'please ' * 80}{templates[larger].template}")
    asked = Asked("compact", window=300, **{larger: long})
    asked.response(words(300))
    assert len(asked.sent[place].split()) < len(plain.sent[place].split()) - 10


def test_tree_summarize_packs_for_the_summary_template_and_lets_the_parts_overlap():
    asked = Asked("tree_summarize", window=120, overlap=0.3)
    asked.response("Ada kept it.", words(200))
    assert "Ada kept it.\n\nword0 " in asked.prompts[0]
    assert set(asked.templates) == {"summary"}
    assert set(asked.sent[0].split()) & set(asked.sent[1].split())


def test_tree_summarize_goes_on_until_one_is_left():
    asked = Asked("tree_summarize", window=60, num_output=10)
    trace = asked.synthesizer.run(QUESTION, [words(500)])
    assert trace.longest_chain > 2
    *_, before, last = [call.depth for call in trace.calls]
    assert last == before + 1 == trace.longest_chain - 1
    assert trace.response == f"answer {trace.call_count}"


def test_accumulate_asks_every_chunk_the_same_and_lists_the_answers():
    asked = Asked("accumulate")
    response = asked.response(*CHUNKS, separator="; ")
    assert asked.prompts == [f"[ask] {QUESTION}\n{chunk}" for chunk in CHUNKS]
    assert response == "Response 1: answer 1; Response 2: answer 2; Response 3: answer 3"
