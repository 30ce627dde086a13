"""The offline model: its answers to texts and samples, and which sentences it prefers."""

import json
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from synth import ExtractiveLLM, get_response_synthesizer
from synth.llms.extractive import NO_CHUNKS
from synth.llms.sentence_ranking import split_question
from synth.prompts.templates import ChatPromptTemplate, PromptTemplate
from synth.quality.samples import SAMPLES
from synth.text.model_tokenizers import get_tokenizer
from synth.text.words_and_sentences import paragraphs

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


WHY = "What caused the outage?"
SUSPECT = "The team suspected that the outage was caused by the name server."
REJECTED = "The name server was ruled out at noon."


@pytest.mark.parametrize(
    ("query", "best", "other"),
    [
        (
            "When was the bridge closed?",
            "The bridge was closed on 3 May.",
            "The bridge was closed.",
        ),
        ("When is it open?", "It is open on 3 May.", "It is open to all who may come."),
        ("How many boats came?", "Eleven boats came in.", "The boats came in with the tide."),
        ("Who built the mill?", "Ana Holm built the mill.", "Masons built the mill in stone."),
        ("How many boats came?", "Eleven boats came in.", "Of the many boats a few came in."),
        ("Why was it late?", "It was late because of snow.", "The train was late on that day."),
        ("何时报案？", "应当在四十八小时内报案。", "报案应当通过热线电话。"),
        ("多少户报案？", "共有三百户报案。", "各户都可以报案。"),
    ],
)
def test_a_sentence_that_looks_like_the_answer_comes_first(query, best, other):
    for text in (f"{best}\n\n{other}", f"{other}\n\n{best}"):
        assert answer(text, query).startswith(best)


GRAPH = "The graph looked healthy all morning. It shows a mean over all pods."
FEES = "The fees of the library are low, and children under ten pay nothing."
ARTICLE = "第三条　水淹损失。车辆被水淹没的，本公司赔偿清洗费用。其他费用由车主承担。"


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        # A word of the topic of a question is a match.
        (f"{LUNCH} The storm took it.", "After the storm, what was shut?", "The storm took it."),
        # A suspicion is quoted while nothing better is known.
        (f"{LUNCH} {SUSPECT}", WHY, SUSPECT),
        # A sentence about "it" is read with the one before it.
        (f"{GRAPH} {LUNCH}", "Why did the graph look healthy?", GRAPH),
        # The article of a contract is quoted with its title.
        (ARTICLE, "车辆被水淹没怎么办？", "第三条 水淹损失。车辆被水淹没的，本公司赔偿清洗费用。"),
    ],
)
def test_the_answer_is(text, query, expected):
    assert answer(text, query) == expected


@pytest.mark.parametrize(
    ("text", "query", "expected"),
    [
        # A statement comes before a suspicion, and before what is not so.
        (f"{SUSPECT} {CAUSE}", WHY, CAUSE),
        (f"{SUSPECT} {REJECTED} {CAUSE}", WHY, CAUSE),
        (f"{REJECTED} {SUSPECT} {CAUSE}", "What did the team suspect?", SUSPECT),
        # A heading is no answer.
        (f"# Fees\n\n{FEES}\n\n{LUNCH}", "Which fees?", "The fees of the library"),
        # Other languages are matched by their words.
        ("Der Damm brach im Mai. Das Brot war frisch.", "Wann brach der Damm?", "Der Damm"),
        ("انهار السد في مايو. كان الخبز طازجا.", "متى انهار السد؟", "انهار السد"),
        ("ダムは五月に壊れました。パンは新鮮でした。", "ダムはいつ壊れましたか", "ダムは五月"),
    ],
)
def test_the_answer_begins_with(text, query, expected):
    assert answer(text, query).startswith(expected)


@pytest.mark.parametrize("character", [" ", ",", ", ", "? ", "and ", "，", "\n", "what "])
def test_a_paste_of_one_thing_is_cut(character):
    assert split_question("a" + character * (200_000 // len(character)) + "b").parts


SAMPLE = {sample.name: sample for sample in SAMPLES}
SUSPICION = "suspected the cluster's DNS resolver"
LOST_ZERO = "set max_pool_size of the checkout service to 8 instead of 80"
ROLL_BACK = "the configuration change was rolled back"
COVERED = "清洗、烘干"
DEADLINE = "四十八小时"


@cache
def run_of_sample(name, mode):
    sample = SAMPLE[name]
    llm = ExtractiveLLM(sample.window, sample.num_output)
    return get_response_synthesizer(mode, llm).run(sample.question, list(sample.chunks))


def steps(name, mode, text):
    """The calls, counted from 1, whose answers hold the text."""
    return [call.number for call in run_of_sample(name, mode).calls if text in call.answer]


def test_refine_adds_the_cause_and_the_fix_to_the_suspicion():
    assert steps("post_mortem", "refine", SUSPICION) == [*range(3, 13)]
    assert steps("post_mortem", "refine", LOST_ZERO) == [9, 10, 11, 12]
    assert steps("post_mortem", "refine", ROLL_BACK) == [10, 11, 12]


def test_the_deadline_of_the_policy_comes_with_its_chunk_and_a_tree_loses_it_at_a_leaf():
    assert steps("policy", "refine", DEADLINE) == [5, 6, 7, 8]
    assert DEADLINE in run_of_sample("policy", "compact").response
    trace = run_of_sample("policy", "tree_summarize")
    assert COVERED in trace.response
    assert DEADLINE in trace.calls[1].prompt.text
    assert steps("policy", "tree_summarize", DEADLINE) == []
