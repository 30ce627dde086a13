"""What the offline model answers from a text, and makes of an answer with a further text."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from synth.llms import ExtractiveLLM
from synth.llms.extractive import NO_CHUNKS
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.text.sentences import paragraphs
from synth.text.tokens import get_tokenizer

QA = PromptTemplate("Read this:\n{context_str}\nAnswer: {query_str}")
REFINE = PromptTemplate("{query_str} so far {existing_answer} more {context_msg} better?")
QUERY = "What caused the outage and how was it fixed?"
LLM = ExtractiveLLM()
ODD = st.text(st.characters(), max_size=200)  # surrogates, NUL and unassigned points included

CAUSE = "The outage was caused by a pool of 8 connections."
FIX = "It was fixed by a roll-back of the configuration."
WEATHER = "The weather in Lisbon stayed warm and dry all week."
LUNCH = "Lunch was served at noon in the garden behind the house."


class Filtered(BaseModel):
    query_satisfied: bool
    answer: str


def answer(context, query=QUERY, llm=LLM):
    return llm.complete(QA.fill(context_str=context, query_str=query)).text


def refined(existing, context, query=QUERY, llm=LLM):
    prompt = REFINE.fill(context_msg=context, query_str=query, existing_answer=existing)
    return llm.complete(prompt).text


# Sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("Dr. Ada paid 3.5 euros to J. R. Smith. He was glad of it.", 2),
        ("We saw it, e.g. in Fig. 3 of vol. 2 and so on. Nothing else did.", 2),
        ("The whole of it cost 5 mio. euros in that year.", 1),
        ("He said “That is quite enough!” Then he left... and came back again.", 2),
        ("这次故障是怎么发生的？连接池太小。“好的。”他说", 4),
        ("A line that is wrapped where a page would end it goes\non in the next one.", 1),
        ("Shopping list\n- eggs\n- milk\n\n1. Boil them for 4 min.\n2. Eat them", 5),
        ("Root cause. The pool had lost a zero.", 1),
        ("x" * 1000, 3),
        (" \n\n\t ", 0),
    ],
)
def test_sentences_end_where_a_reader_ends_them(text, sentences):
    assert sum(map(len, paragraphs(text))) == sentences


@given(ODD)
def test_splitting_loses_only_white_space(text):
    sentences = [sentence for part in paragraphs(text) for sentence in part]
    assert "".join("".join(sentences).split()) == "".join(text.split())


# Answers


def test_only_labelled_text_is_read():
    template = ChatPromptTemplate.from_messages(
        [("system", f"{CAUSE} {{tone}}"), ("user", "{context_str} {query_str}")]
    )
    prompt = template.fill(context_str=WEATHER, query_str=QUERY, tone=FIX)
    assert LLM.complete(prompt).text == WEATHER


def test_without_chunks_it_says_so():
    assert LLM.complete(PromptTemplate("{query_str}").fill(query_str=QUERY)).text == NO_CHUNKS
    assert answer("  \n ") == NO_CHUNKS


@pytest.mark.parametrize("query", ["Summarize this text", "请总结主要内容", "", "Any dinosaurs?"])
def test_a_question_without_a_match_gets_the_beginnings_of_paragraphs(query):
    paragraph = [f"Paragraph {number} begins like this. {LUNCH}" for number in range(8)]
    assert answer("\n\n".join(paragraph), query) == " ".join(
        f"Paragraph {number} begins like this." for number in (0, 2, 4, 6)
    )


def test_a_better_sentence_joins_the_answer_and_a_worse_one_leaves():
    assert refined(CAUSE, f"{LUNCH} {FIX}") == f"{CAUSE} {FIX}"
    assert refined(WEATHER, f"{LUNCH} {FIX}") == FIX


def test_an_answer_is_kept_where_the_chunk_says_nothing_new():
    kept = f"  {CAUSE}\n as I said"
    assert refined(kept, WEATHER) == kept
    assert refined(kept, CAUSE) == kept
    assert refined(kept, " ") == kept
    template = PromptTemplate("{existing_answer} {existing_answer} {context_msg} {query_str}")
    prompt = template.fill(existing_answer=kept, context_msg=WEATHER, query_str=QUERY)
    assert LLM.complete(prompt).text == kept


@pytest.mark.parametrize("num_output", [1, 5, 20, 60])
def test_an_answer_has_at_most_num_output_tokens(num_output):
    llm = ExtractiveLLM(num_output=num_output)
    count = get_tokenizer("cl100k_base").count
    text = f"{CAUSE} {FIX} " * 3 + "The outage, fixed 😀 " * 200
    for reply in (
        answer(text, llm=llm),
        refined(text, FIX, llm=llm),
        answer(text, "summarize", llm),
        answer("", llm=llm),
    ):
        assert len(reply) > 0
        assert count(reply) <= num_output


def test_streaming_brings_the_same_text_word_by_word():
    prompt = QA.fill(context_str=f"{CAUSE}\n\n- {FIX}", query_str=QUERY)
    *pieces, completion = LLM.stream(prompt)
    assert completion == LLM.complete(prompt)
    assert "".join(pieces) == completion.text
    assert len(pieces) == len(completion.text.split())


@given(ODD, ODD, ODD)
def test_any_text_gives_an_answer_and_valid_json(context, query, existing):
    prompt = REFINE.fill(context_msg=context, query_str=query, existing_answer=existing)
    assert LLM.complete(prompt) == LLM.complete(prompt)
    Filtered.model_validate_json(LLM.complete(prompt, Filtered).text)


@pytest.mark.parametrize(
    "character",
    ["a", ".", "\n", " ", "。", "1. ", "故障", "\0", "\ud800", "😀", "suspected ", "It ", "第三条"],
)
def test_a_paste_of_one_thing_is_read(character):
    text = character * (200_000 // len(character))
    assert isinstance(answer(text, "a 故障"), str)


# JSON


def test_a_chunk_that_says_nothing_of_the_query_is_filtered():
    replies = [
        json.loads(LLM.complete(QA.fill(context_str=text, query_str=QUERY), Filtered).text)
        for text in (WEATHER, CAUSE, "")
    ]
    assert replies == [
        {"query_satisfied": False, "answer": ""},
        {"query_satisfied": True, "answer": CAUSE},
        {"query_satisfied": False, "answer": ""},
    ]


def test_json_is_shortened_to_num_output_and_stays_valid():
    llm = ExtractiveLLM(num_output=30)
    text = llm.complete(QA.fill(context_str=f"{CAUSE} {FIX}", query_str=QUERY), Filtered).text
    filled = Filtered.model_validate_json(text)
    assert get_tokenizer("cl100k_base").count(text) <= 30
    assert filled.answer
    assert f"{CAUSE} {FIX}".startswith(filled.answer)
