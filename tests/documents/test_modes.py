"""What LlamaIndex's documents say of each response mode, statement by statement.

The list of modes stands in all four pages; context_only in the newest alone.
"""

from itertools import pairwise

import pytest

from synth import BM25Index, Node, NodeWithScore, ResponseMode, TokenTextSplitter
from synth import get_response_synthesizer as made
from synth.modes.registry import MODES
from tests.documents.asked import QUESTION, Asked, words

CHUNKS = ["Ada kept it.", "Bo painted it.", "Cy left."]


# refine


def test_refine_goes_through_the_chunks_in_their_order():
    asked = Asked("refine")
    asked.response(*CHUNKS)
    for chunk, prompt in zip(CHUNKS, asked.prompts, strict=True):
        assert chunk in prompt


def test_refine_makes_a_call_of_its_own_for_every_chunk():
    for count in range(1, 6):
        asked = Asked("refine")
        asked.response(*["Ada kept it."] * count)
        assert len(asked.prompts) == count


def test_refine_asks_with_the_first_chunk_in_text_qa_template():
    asked = Asked("refine")
    asked.response(*CHUNKS)
    assert asked.prompts[0] == f"[ask] {QUESTION}\nAda kept it."


def test_refine_sends_answer_next_chunk_and_question_in_refine_template():
    asked = Asked("refine")
    asked.response(*CHUNKS)
    assert asked.prompts[1] == f"[refine] {QUESTION}\nanswer 1\nBo painted it."
    assert asked.prompts[2] == f"[refine] {QUESTION}\nanswer 2\nCy left."


def test_refine_ends_when_all_chunks_were_read_with_the_last_answer():
    asked = Asked("refine")
    assert asked.response(*CHUNKS) == "answer 3"
    assert asked.templates == ["ask", "refine", "refine"]


def test_refine_splits_a_chunk_that_does_not_fit_beside_the_prompt():
    chunk = words(60)
    alone = Asked("refine", window=400)
    alone.response(chunk)
    assert len(alone.prompts) == 1
    beside = Asked("refine", window=400, text_qa_template=None, refine_template=None)
    question = " ".join(["Who?"] * 100)
    beside.synthesizer.get_response(question, [chunk])  # the same chunk, a longer prompt
    assert len(beside.prompts) > 1


def test_refine_splits_as_the_token_text_splitter_does():
    asked = Asked("refine", window=120, response_padding_size=10)
    asked.response(words(150))
    packer, filled = asked.synthesizer.packer, asked.synthesizer.filled
    larger = filled("refine_template", query_str=QUESTION, existing_answer="")
    splitter = TokenTextSplitter(packer.room(larger, packer.padding), 0)
    pieces = splitter.split_text(words(150))
    assert len(pieces) > 2
    assert asked.sent[0] == pieces[0]
    assert [sent.split("\n", 1)[1] for sent in asked.sent[1:]] == pieces[1:]


def test_refine_lets_the_splits_overlap():
    asked = Asked("refine", window=200, overlap=0.3)
    asked.response(words(150))
    first = asked.sent[0].split()
    second = asked.sent[1].split("\n", 1)[1].split()
    assert set(first) & set(second)
    assert second[0] != first[0]


def test_refine_counts_the_splits_among_the_chunks():
    asked = Asked("refine", window=120)
    asked.response(words(120), "Ada kept it.")
    assert len(asked.prompts) > 2
    assert asked.templates == ["ask"] + ["refine"] * (len(asked.prompts) - 1)
    assert "Ada kept it." in asked.prompts[-1]


# compact


def test_compact_is_the_default():
    assert made().mode == "compact"


def test_compact_joins_the_chunks_before_it_asks():
    asked = Asked("compact")
    asked.response(*CHUNKS)
    assert asked.sent == ["Ada kept it.\n\nBo painted it.\n\nCy left."]


def test_compact_puts_into_a_prompt_what_fits_the_window():
    chunks = [words(10, start) for start in range(0, 120, 10)]
    asked = Asked("compact", window=200, response_padding_size=5)
    asked.response(*chunks)
    count = asked.synthesizer.prompt_helper.tokenizer.count
    assert 1 < len(asked.prompts) < len(chunks)
    assert all(count(prompt) + 20 <= 200 for prompt in asked.prompts)
    room = 200 - 20 - count(asked.prompts[0])
    assert count(f"\n\n{chunks[0]}") > room - 15  # no further chunk would have fitted


@pytest.mark.parametrize("larger", ["text_qa_template", "refine_template"])
def test_compact_packs_for_the_larger_of_both_templates(larger):
    plain = Asked("compact", window=300)
    plain.response(words(150))
    templates = plain.synthesizer.get_prompts()
    long = type(templates[larger])(f"{'please ' * 80}{templates[larger].template}")
    asked = Asked("compact", window=300, **{larger: long})
    asked.response(words(150))
    assert len(asked.sent[0].split()) < len(plain.sent[0].split()) - 10


def test_compact_splits_what_is_too_long_and_lets_the_parts_overlap():
    asked = Asked("compact", window=200, overlap=0.3)
    asked.response(words(100), words(100, 100))
    assert len(asked.prompts) > 2
    parts = [set(sent.split()) for sent in asked.sent]
    assert all(one & other for one, other in pairwise(parts))
    assert set().union(*parts) >= set(words(200).split())


def test_compact_refines_over_its_parts_as_refine_does_over_chunks():
    asked = Asked("compact", window=120)
    asked.response(words(150))
    assert asked.templates == ["ask"] + ["refine"] * (len(asked.prompts) - 1)
    assert "\nanswer 1\n" in asked.prompts[1]


def test_compact_makes_fewer_calls_than_refine():
    refine, compact = Asked("refine"), Asked("compact")
    refine.response(*CHUNKS)
    compact.response(*CHUNKS)
    assert len(compact.prompts) < len(refine.prompts)


# tree_summarize


def test_tree_summarize_asks_until_all_text_was_sent():
    asked = Asked("tree_summarize", window=120)
    asked.response(words(100), words(100, 100))
    assert set(" ".join(asked.sent).split()) >= set(words(200).split())


def test_tree_summarize_packs_and_splits_for_the_summary_template():
    asked = Asked("tree_summarize", window=120, overlap=0.3)
    asked.response("Ada kept it.", words(200))
    count = asked.synthesizer.prompt_helper.tokenizer.count
    assert "Ada kept it.\n\nword0 " in asked.prompts[0]
    assert set(asked.sent[0].split()) & set(asked.sent[1].split())
    assert all(count(prompt) + 20 <= 120 for prompt in asked.prompts)


def test_tree_summarize_never_refines():
    asked = Asked("tree_summarize", window=120)
    asked.response(words(200))
    assert set(asked.templates) == {"summary"}


def test_tree_summarize_of_one_text_has_its_answer_in_one_call():
    asked = Asked("tree_summarize")
    assert asked.response(*CHUNKS) == "answer 1"
    assert len(asked.prompts) == 1


def test_tree_summarize_makes_the_answers_its_next_chunks():
    asked = Asked("tree_summarize", window=120)
    asked.response(words(100))
    *leaves, root = asked.sent
    assert root == "\n\n".join(f"answer {number}" for number in range(1, len(leaves) + 1))


def test_tree_summarize_goes_on_until_one_is_left():
    asked = Asked("tree_summarize", window=60, num_output=10)
    trace = asked.synthesizer.run(QUESTION, [words(500)])
    assert trace.longest_chain > 2
    *_, before, last = [call.depth for call in trace.calls]
    assert last == before + 1 == trace.longest_chain - 1
    assert trace.response == f"answer {trace.call_count}"


# simple_summarize


def test_simple_summarize_cuts_the_chunks_to_one_prompt():
    asked = Asked("simple_summarize", window=120)
    asked.response(words(100), words(100, 100))
    assert len(asked.prompts) == 1
    assert asked.synthesizer.prompt_helper.tokenizer.count(asked.prompts[0]) + 20 <= 120
    assert asked.sent[0].split()[:10] == words(10).split()


def test_simple_summarize_may_lose_text_and_the_trace_says_how_much():
    asked = Asked("simple_summarize", window=120)
    trace = asked.synthesizer.run(QUESTION, ["Ada kept it.", words(200)])
    assert "word199" not in asked.prompts[0]
    assert trace.lost_tokens > 100


# no_text and context_only


def test_no_text_retrieves_and_asks_no_model():
    asked = Asked("no_text")
    engine = BM25Index([Node(text=chunk) for chunk in CHUNKS]).as_query_engine(asked.synthesizer)
    assert str(engine.query("Who kept it?")) == ""
    assert asked.prompts == []


def test_no_text_shows_its_nodes_in_source_nodes():
    index = BM25Index([Node(text=chunk) for chunk in CHUNKS])
    response = index.as_query_engine(made("no_text"), similarity_top_k=1).query("Who kept it?")
    [found] = response.source_nodes
    assert isinstance(found, NodeWithScore)
    assert found.node.text == "Ada kept it."


def test_context_only_gives_the_chunks_as_one_string():
    asked = Asked("context_only")
    assert asked.response(*CHUNKS) == "Ada kept it.\n\nBo painted it.\n\nCy left."
    assert asked.prompts == []


# accumulate and compact_accumulate


def test_accumulate_asks_every_chunk():
    asked = Asked("accumulate")
    asked.response(*CHUNKS)
    assert asked.sent == CHUNKS


def test_accumulate_gives_all_answers_as_one_string():
    response = Asked("accumulate").response(*CHUNKS, separator="; ")
    assert response == "Response 1: answer 1; Response 2: answer 2; Response 3: answer 3"


def test_accumulate_asks_the_same_question_each_time_and_passes_no_answer_on():
    asked = Asked("accumulate")
    asked.response(*CHUNKS)
    assert [prompt.split("\n")[0] for prompt in asked.prompts] == [f"[ask] {QUESTION}"] * 3
    assert not any("answer" in prompt for prompt in asked.prompts)


def test_compact_accumulate_packs_each_prompt_as_compact_does():
    chunks = [words(30, start) for start in range(0, 180, 30)]
    asked = Asked("compact_accumulate", window=200)
    asked.response(*chunks)
    assert 1 < len(asked.prompts) < len(chunks)
    assert "\n\n".join(chunks).startswith(asked.sent[0])


def test_compact_accumulate_asks_every_text_the_same_and_lists_the_answers():
    asked = Asked("compact_accumulate", window=200)
    response = asked.response(*[words(30, start) for start in range(0, 180, 30)], separator="; ")
    assert set(asked.templates) == {"ask"}
    count = len(asked.prompts)
    assert response == "; ".join(f"Response {n}: answer {n}" for n in range(1, count + 1))


# all of them


@pytest.mark.parametrize("mode", ResponseMode)
def test_every_mode_of_the_list_is_there_by_its_name_and_by_the_enum(mode):
    assert type(made(response_mode=mode)) is type(made(response_mode=mode.value))
    assert type(made(response_mode=mode)) is MODES[mode.value]
