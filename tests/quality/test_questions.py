"""Sets of questions: read from each kind of file, written back, refused with a place."""

import json
import string
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import QuestionSetError
from synth.quality.checks import Check
from synth.quality.facts import Fact
from synth.quality.questions import (
    MOST_BYTES,
    Question,
    read_questions,
    write_questions,
)
from tests.quality.answered import answered

QUESTION = Question(
    query="What was the pool set to?",
    variables={"tone": "dry"},
    facts=(Fact("8", ("eight",), must=True), Fact("not 80")),
    checks=(Check("contains", "8"), Check("word-count", "4")),
    left_out=("chunks",),
)


def test_a_table_with_our_columns():
    table = (
        "query;facts;reference;checks;chunks;tone\n"
        'What was the pool set to?;"* 8 | eight\nnot 80";It was set to 8.;'
        '"contains: 8\nword-count: 4";"[""It was 8."", ""Lunch was late.""]";dry\n'
    )
    [read] = read_questions("set.csv", table)
    rubric = Check("rubric", "It says what this reference answer says: It was set to 8.")
    assert read == replace(QUESTION, checks=(*QUESTION.checks, rubric))


LONG = "The pool was set to 8 instead of 80."
SHORT = Question("What was it?", facts=(Fact("8"),))
RUBRIC = Check("rubric", f"It says what this reference answer says: {LONG}")


def judged(*left_out, **variables):
    """The question with a long ground truth, and what of its file is no part of it."""
    return Question("What was it?", variables, checks=(RUBRIC,), left_out=left_out)


SQUAD = {"question": "What was it?", "id": "1", "answers": [{"text": "8", "answer_start": 7}]}
RAGAS = {"user_input": "What was it?", "retrieved_contexts": ["It was 8."], "reference": LONG}
DEEP_EVAL = {"input": "What was it?", "expected_output": LONG, "retrieval_context": ["It was 8."]}
LABELLED = {
    "query": "What was it?",
    "query_by": {"type": "human"},
    "reference_contexts": ["It was 8."],
    "reference_answer": LONG,
}


@pytest.mark.parametrize(
    ("name", "file", "question"),
    [
        ("ragas.jsonl", RAGAS | {"response": "80"}, judged("retrieved_contexts", response="80")),
        (
            "ragas 0.1.csv",
            "question,answer,contexts,ground_truths\n"
            f"""What was it?,80,"['It was 8.']","['{LONG}']\"""",
            judged("contexts", answer="80"),
        ),
        ("deepeval.json", [DEEP_EVAL | {"actual_output": None, "comments": None}],
         judged("retrieval_context")),
        ("labelled.json", {"examples": [LABELLED]}, judged("query_by", "reference_contexts")),
        ("squad.json", {"data": [{"paragraphs": [{"qas": [SQUAD], "context": "It was 8."}]}]},
         replace(SHORT, variables={"id": "1"})),
        ("evals.jsonl", {"input": [{"role": "user", "content": "What was it?"}], "ideal": ["8"]},
         SHORT),
        ("promptfoo.yaml", "tests: [{vars: {question: 'What was it?', expected_answer: 8}}]",
         SHORT),
        ("excel.csv", "sep=;\nQuestion;Expected Answer\nWhat was it?;8\n", SHORT),
        ("plain.csv", "question,context_str,topic,answer\nWhat was it?,x,pools,8\n",
         replace(SHORT, variables={"topic": "pools"}, left_out=("context_str",))),
        ("plain.json", [{"question": "What was it?", "log": "x", "topic": "pools", "answer": 8}],
         replace(SHORT, variables={"topic": "pools"}, left_out=("log",))),
    ],
)  # fmt: skip
def test_a_ground_truth_is_what_an_answer_is_compared_with_in_the_files_of(name, file, question):
    data = file if isinstance(file, str) else json.dumps(file)
    assert read_questions(name, data) == (question,)


def test_of_several_variables_the_one_that_is_named_like_a_question_is_it():
    [read] = read_questions("set.csv", "product,userQuestion\nPools,Why?\n")
    assert (read.query, read.variables) == ("Why?", {"product": "Pools"})
    with pytest.raises(QuestionSetError, match="None of the columns question_a, question_b"):
        read_questions("set.csv", "question_a,question_b\nWho?,Why?\n")


def test_variables_stand_in_the_question_of_a_table_as_in_that_of_a_test():
    [read] = read_questions("set.csv", "query,who\nWho is {{who}}?,Ada\n")
    assert (read.query, read.variables) == ("Who is Ada?", {"who": "Ada"})


def test_what_all_test_cases_have_in_common():
    config = """
defaultTest:
  vars: {tone: dry, query: Default?}
  assert: [{type: contains, value: "{{name}}"}]
tests:
  - vars: {query: Who?, name: Ada}
  - vars: {name: Bo}
    assert: [{type: equals, value: Bo, metric: exact}]
"""
    one, two = read_questions("config.yaml", config)
    assert one == Question(
        "Who?", {"tone": "dry", "name": "Ada"}, checks=(Check("contains", "Ada"),)
    )
    assert two.query == "Default?"
    assert two.checks == (Check("contains", "Bo"), Check("equals", "Bo"))


TEXTS = st.text(max_size=30)
NAMES = st.text(string.ascii_lowercase).map("my_{}".format)  # none that the package uses
WORDS = st.text(min_size=1, max_size=20).filter(lambda text: any(map(str.isalnum, text)))
FACTS = st.builds(Fact, WORDS, st.lists(WORDS, max_size=2).map(tuple), st.booleans())
CHECKS = st.one_of(
    st.builds(Check, st.sampled_from(["contains", "not-equals"]), st.text(min_size=1)),
    st.builds(Check, st.just("contains-any"), st.lists(st.text(min_size=1), min_size=1)),
    st.builds(Check, st.just("word-count"), st.fixed_dictionaries({"max": st.integers(0, 99)})),
    st.just(Check("is-json")),
)
QUESTIONS = st.builds(
    Question,
    TEXTS.filter(str.strip),
    st.dictionaries(NAMES, TEXTS, max_size=3),
    st.lists(FACTS, max_size=3).map(tuple),
    st.lists(CHECKS, max_size=3).map(tuple),
)


@given(st.lists(QUESTIONS, min_size=1, max_size=4))
def test_there_and_back(questions):
    assert read_questions("set.jsonl", write_questions(questions)) == tuple(questions)


LAUGHS = "\n".join(
    f"a{number}: &a{number} [{', '.join([f'*a{number - 1}' if number else 'ha'] * 9)}]"
    for number in range(9)
)


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("set.txt", "x", r"set\.txt is none of \.csv"),
        ("set.csv", b"PK\0\3", "the file is not a text file"),
        ("set.csv", "query\n", "no question: give 1 to"),
        ("set.csv", "a,b\nx,y\n", "None of the columns a, b is the question: name it query"),
        ("set.csv", "query,query\nx,y\n", "Two columns"),
        ("set.csv", "query,x\na,b\nc\n", "ends in line 3 has 1 columns, the header 2"),
        ("set.csv", 'query\n"a" b\n', "no table"),
        ("set.csv", "query,checks\na,\nc,regex: (\n", "line 3: The check regex"),
        ("set.csv", "query,facts\na,?!\n", "line 2: facts: The fact"),
        ("set.json", '[{"query": "a", "variables": {"log": "b"}}]', "The variable log has a name"),
        ("set.jsonl", '{"query": "a"}\n{"query": []}', r"line 2: query: .*string, and not \[\]"),
        ("set.jsonl", '{"query": "a"}\n{', "line 2: It is no JSON"),
        ("set.jsonl", "[" * 100_000, "line 1: It is no JSON"),
        ("set.jsonl", '{"query": " "}', "line 1: The question is blank"),
        ("set.jsonl", '{"query": "a", "checks": [{"type": "nosuch"}]}', "no such kind"),
        ("set.yaml", "tests: file://tests.csv", "give a list of tests, or objects with a"),
        ("set.yaml", "a: [", "no YAML"),
        ("set.yaml", "[" * 100_000, "100 deep|maximum nesting depth"),  # newer versions of libyaml
        ("set.yaml", "tests: &a [*a]", "more than 100,000 values"),
        ("set.yaml", LAUGHS, "more than 100,000 values"),
        ("set.yaml", "defaultTest: {vars: a}\ntests: [{query: c}]", "vars: .*dictionary"),
    ],
)
def test_what_cannot_be_read_is_refused_with_its_place(name, data, message):
    with pytest.raises(QuestionSetError, match=message) as caught:
        read_questions(name, data)
    assert str(caught.value).startswith(name)


@pytest.mark.parametrize(
    ("fields", "left_out"),
    [
        ("assert: [{type: 'trajectory:tool-used'}, 'not-similar(0.8): x']",
         ("trajectory:tool-used", "not-similar(0.8)")),
        ("assert: [{type: cost, threshold: 1}, 'contains(1): x']", ("cost", "contains(1)")),
        ("assert: [{$ref: '#/loud'}]", ('{"$ref": "#/loud"}',)),
        ("assert: [{type: contains, value: x, weight: 0}]", ("contains with weight",)),
        ("assert: [{type: is-json, value: 'file://c'}]", ("is-json with a file",)),
        ("assert: [{type: equals, value: '{{a | upper}}'}]", ("equals with an expression",)),
        ("assert: [{type: assert-set, assert: [{type: is-json}]}]", ("assert-set",)),
        ("threshold: 0.5\n  description: x", ("the threshold of a test",)),
    ],
)  # fmt: skip
def test_what_only_promptfoo_computes_is_left_out_and_named(fields, left_out):
    text = f"- vars: {{query: Why?, a: b}}\n  {fields}"
    [read] = read_questions("tests.yaml", text)
    assert (read.checks, read.left_out) == ((), left_out)
    assert read_questions("a.jsonl", write_questions([read])) == (read,)


def test_what_aliases_and_merge_keys_stand_for_and_lists_that_fill_nothing():
    text = (
        "shared: &shared {tone: dry, city: [Bonn, Kiel]}\n"
        "tests:\n- vars: {<<: *shared, query: Why?}\n  assert: [not-is-json]"
    )
    [read] = read_questions("tests.yaml", text)
    assert (read.query, read.variables, read.left_out) == ("Why?", {"tone": "dry"}, ("city",))
    with pytest.raises(QuestionSetError, match="query: give a string, and not"):
        read_questions("tests.yaml", "- vars: {query: [Why?, How?]}")


def test_a_file_with_too_much_in_it():
    with pytest.raises(QuestionSetError, match="more than 1,000 questions"):
        read_questions("set.jsonl", '{"query": "a"}\n' * 1_001)
    with pytest.raises(QuestionSetError, match="the limit: split it"):
        read_questions("set.csv", "a" * (MOST_BYTES + 1))
    with pytest.raises(QuestionSetError, match="101 checks"):
        Question("a", checks=(Check("is-json"),) * 101)


FOLDER = Path(__file__).parent / "promptfoo"
RECORDED = json.loads((FOLDER / "recorded.json").read_text("utf-8"))
"""Whether promptfoo 0.121.20 passed each assertion of a test that is not left out.

With the provider `echo` and the prompt "{{output}}": `promptfoo eval -c tests.yaml -o out.json`,
and the same with a config that names tests.csv.
"""


@pytest.mark.parametrize("name", RECORDED)
def test_a_file_scores_as_in_promptfoo(name):
    questions = read_questions(name, (FOLDER / name).read_bytes())
    scored = [
        [
            check.outcome(answered(question.variables["output"])).state == "pass"
            for check in question.checks
        ]
        for question in questions
    ]
    assert scored == RECORDED[name]


@pytest.mark.parametrize("name", ["set.json", "set.yaml"])
def test_a_list_may_have_questions_alone(name):
    assert [one.query for one in read_questions(name, '["Who?", "Why?"]')] == ["Who?", "Why?"]


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "cp1252"])
def test_a_table_is_read_as_excel_saves_it(encoding):
    table = "sep=;\r\nquery;facts\r\nWas ist schön?;Äpfel\r\n"
    [question] = read_questions("from_excel.csv", table.encode(encoding))
    assert (question.query, question.facts[0].text) == ("Was ist schön?", "Äpfel")
