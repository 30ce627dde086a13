"""Every place at which a fact can be lost, in every mode, and the change that sends it."""

import json
from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import (
    BM25Index,
    ChatPromptTemplate,
    ExtractiveLLM,
    Node,
    PromptHelper,
    PromptTemplate,
    get_response_synthesizer,
)
from synth.errors import ModelError, SynthError
from synth.llms import FunctionLLM
from synth.modes.registry import MODES
from synth.quality import Choice, Fact, Follower, follow, shipped_questions, smallest_changes
from tests.examples import examples, share

TEMPLATES = {
    "text_qa_template": PromptTemplate("{context_str}\n{query_str}"),
    "refine_template": PromptTemplate("{existing_answer}\n{context_msg}\n{query_str}"),
    "summary_template": PromptTemplate("{context_str}\n{query_str}"),
    "simple_template": PromptTemplate("{query_str}"),
}
FACT = Fact("the seal was worn")
A, B, C = "The pump stopped at night.", "At noon we saw that the seal was worn.", "Nobody was hurt."
YES, NO = "It says: The seal was worn!", "Nothing is known."
HALVES = ["At noon we saw that the seal", "was worn, and nobody was hurt."]
FAILS = object()
LETTERS = {"A": A, "B": B, "C": C, "Y": YES, "N": NO, "F": FAILS, "_": ""}


def words(count, word="word"):
    return " ".join(f"{word}{number}" for number in range(count))


def ran(mode, chunks, answers, window=2000, num_output=40, overlap=0.0, query="Why?", **options):
    """The trace of a run whose calls get these answers in turn, also of one that fails."""
    replies = iter(answers)

    def reply(_):
        answer = next(replies)
        if answer is FAILS:
            raise ModelError("no answer")
        return answer

    helper = PromptHelper(window, num_output, chunk_overlap_ratio=overlap)
    options = {**TEMPLATES, "response_padding_size": 0, **options}
    synthesizer = get_response_synthesizer(
        mode, FunctionLLM(reply), prompt_helper=helper, **options
    )
    try:
        return synthesizer.run(query, chunks)
    except SynthError as problem:
        return problem.trace


@dataclass
class Case:
    """Answers of a mode's calls to chunks, and the path of the fact that comes of them."""

    name: str
    mode: str
    chunks: str | list  # "AC" for [A, C]
    answers: str | list  # "YF" for [YES, FAILS]; "_" is a blank one
    stage: str
    call: int | None = None
    why: str | None = None
    sent: tuple = ()
    held: tuple = ()
    fact: Fact = FACT
    options: dict = field(default_factory=dict)

    def run(self):
        chunks, answers = (
            [LETTERS.get(one, one) for one in given] for given in (self.chunks, self.answers)
        )
        return ran(self.mode, chunks, answers, **self.options)


def filtered(satisfied, answer):
    return json.dumps({"query_satisfied": satisfied, "answer": answer})


LONG = f"{words(60)} the seal was worn {words(60, 'more')}"
TIGHT = {"window": 200, "num_output": 20}
FILTER = {"structured_answer_filtering": True}
THEIRS = {"behaviour": "llama_index"}
CHAT = {
    "text_qa_template": ChatPromptTemplate.from_messages(
        [("system", "Answer."), ("user", "{context_str} {query_str}")]
    )
}
LOUD = {
    "text_qa_template": PromptTemplate(
        "{context_str} {query_str}",
        function_mappings={"context_str": lambda context_str, **_: context_str.upper()},
    )
}

CASES = [
    Case("kept", "refine", "ABC", "NYY", "answered", 3, None, (2,), (2, 3)),
    Case("left out", "refine", "ABC", "NNN", "not_answered", 2, "left_out", (2,)),
    Case("dropped", "refine", "ABC", "NYN", "dropped", 3, "left_out", (2,), (2,)),
    Case("came back", "refine", "BAC", "YNY", "answered", 3, None, (1,), (1, 3)),
    Case("twice in the chunks", "refine", "BAB", "NNN", "not_answered", 3, "left_out", (1, 3)),
    Case("blank reply keeps it", "refine", "BAC", "Y_Y", "answered", 3, None, (1,), (1, 3)),
    Case("dropped after a blank", "refine", "BAC", "Y_N", "dropped", 3, "left_out", (1,), (1,)),
    Case("known before it was sent", "refine", "ABC", "YNN", "dropped", 2, "left_out", (2,), (1,)),
    Case(
        "filtered out", "refine", "AB", [filtered(True, NO), filtered(False, YES)], "dropped", 2,
        "unused", (2,), (2,), options=FILTER,
    ),
    Case(
        "filtered, the answer stays", "refine", "BA", [filtered(True, YES), filtered(False, NO)],
        "answered", 1, None, (1,), (1,), options=FILTER,
    ),
    Case("fails later", "refine", "BAC", "YF", "dropped", 1, "unfinished", (1,), (1,)),
    Case("fails before", "refine", "ACB", "NF", "not_sent", None, "unfinished"),
    Case("fails there", "refine", "ABC", "NF", "not_answered", 2, "unfinished", (2,)),
    Case("dropped, then fails", "refine", "BAC", "YNF", "dropped", 2, "left_out", (1,), (1,)),
    Case(
        "long answer cut", "refine", "AC", [f"{words(80)} {YES}", NO], "dropped", 2, "cut", (),
        (1,), options={"window": 180, "num_output": 20},
    ),
    Case(
        "long chunk, first piece", "refine", [f"{B} {LONG.replace('the seal was worn', '')}"],
        "YYY", "answered", None, None, (1,), options=TIGHT,
    ),
    Case("in theirs", "refine", "ABC", "NYN", "dropped", 3, "left_out", (2,), (2,), options=THEIRS),
    Case("in one call", "compact", "ABC", "Y", "answered", 1, None, (1,), (1,)),
    Case("left out", "compact", "ABC", "N", "not_answered", 1, "left_out", (1,), ()),
    Case("one call", "tree_summarize", "AB", "Y", "answered", 1, None, (1,), (1,)),
    Case("kept", "simple_summarize", "ABC", "Y", "answered", 1, None, (1,), (1,)),
    Case("cut", "simple_summarize", [words(100), B], "N", "not_sent", 1, "cut", options=TIGHT),
    Case(
        "cut, but known", "simple_summarize", [words(100), B], "Y", "answered", 1, None, (), (1,),
        options=TIGHT,
    ),
    Case("fails", "simple_summarize", "AB", "F", "not_answered", 1, "unfinished", (1,)),
    Case(
        "cut and fails", "simple_summarize", [words(100), B], "F", "not_sent", None, "unfinished",
        options=TIGHT,
    ),
    Case(
        "in theirs, escaped", "simple_summarize", [A, "We 'saw' it:\nthe 'seal'\nwas worn."], "N",
        "not_answered", 1, "left_out", (1,), options=THEIRS,
    ),
    Case("kept", "accumulate", "ABC", "NYN", "answered", 2, None, (2,), (2,)),
    Case("fails later", "accumulate", "BAC", "YF", "dropped", 1, "unfinished", (1,), (1,)),
    Case("said without it", "accumulate", "ABC", "YNN", "answered", 1, None, (2,), (1,)),
    Case(
        "in theirs", "accumulate", "AB", "NN", "not_answered", 2, "left_out", (2,), options=THEIRS,
    ),
    Case("kept", "compact_accumulate", "ABC", "Y", "answered", 1, None, (1,), (1,)),
    Case("never sends", "generation", "AB", "N", "not_sent", None, "no_chunks"),
    Case("knows it", "generation", "AB", "Y", "answered", 1, None, (), (1,)),
    Case(
        "echoes the question", "generation", "AB", "N", "not_sent", None, "no_chunks",
        options={"query": "Is it true that the seal was worn?"},
    ),
    Case("no_text", "no_text", "AB", [], "not_sent", None, "no_chunks"),
    Case("context_only", "context_only", "AB", [], "answered", None, None),
    Case("absent", "compact", "AC", "N", "absent"),
    Case("absent, but said", "compact", "AC", "Y", "answered", 1, None, (), (1,)),
    Case("absent, said and dropped", "refine", "AC", "YN", "dropped", 2, "left_out", (), (1,)),
    Case("no chunks", "compact", [], [], "absent"),
    Case(
        "another wording in the answer", "compact", [A, B], ["A worn seal."], "answered", 1, None,
        (1,), (1,), fact=Fact("the seal was worn", ("worn seal",)),
    ),
    Case("across two chunks", "compact", [A, *HALVES], "N", "absent"),
    Case("a chat", "compact", "AB", "Y", "answered", 1, None, (1,), (1,), FACT, CHAT),
    Case("rewritten", "compact", "AB", "N", "not_answered", 1, "left_out", (1,), options=LOUD),
]  # fmt: skip


each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.mode}, {case.name}")


@each_case
def test_the_path_of_the_fact(case):
    path = follow(case.fact, case.run())
    assert (path.stage, path.why, path.sent) == (case.stage, case.why, case.sent)
    if case.call is not None or case.stage != "answered":
        assert (path.call, path.answers) == (case.call, case.held)


def test_each_mode_and_each_stage_has_a_case():
    assert {case.mode for case in CASES} == set(MODES)
    assert {case.stage for case in CASES} == {
        "absent", "not_sent", "not_answered", "dropped", "answered",
    }  # fmt: skip


def test_a_fact_in_a_chunk_that_was_not_retrieved():
    path = follow(FACT, ran("compact", [A, C], [NO]), retrieved_from=[A, B, C])
    assert path.stage == "not_retrieved"
    [place] = path.evidence
    assert (place.kind, place.number) == ("listed", 2)
    assert B[place.start : place.end] == "the seal was worn"


LEAVES = [f"{B} {words(55)}", f"{words(55, 'more')} {C}"]


@pytest.mark.parametrize(
    ("answers", "stage", "call", "held"),
    [
        ([YES, NO, YES], "answered", 3, (1, 3)),
        ([YES, NO, NO], "dropped", 3, (1,)),
        ([NO, NO, NO], "not_answered", 1, ()),
        ([NO, YES, NO], "dropped", 3, (2,)),
        ([NO, NO, YES], "answered", 3, (3,)),
        ([YES, FAILS], "dropped", 1, (1,)),
    ],
)
def test_the_levels_of_a_tree(answers, stage, call, held):
    trace = ran("tree_summarize", LEAVES, answers, window=220, num_output=20)
    assert [one.depth for one in trace.calls][:2] == [0, 0]
    path = follow(FACT, trace)
    assert (path.stage, path.call, path.answers, path.sent) == (stage, call, held, (1,))


def first_cut(mode, **options):
    """A run of one long chunk, and the word before which it is cut first."""
    trace = ran(mode, [words(150)], [NO] * 9, window=220, num_output=20, **options)
    end = trace.calls[0].origins[0].end
    return trace, words(150)[end:].split()[0]


@pytest.mark.parametrize("mode", ["refine", "compact", "tree_summarize", "accumulate"])
def test_a_fact_whose_words_go_out_in_two_calls_is_not_sent(mode):
    trace, word = first_cut(mode)
    number = int(word.removeprefix("word"))
    path = follow(Fact(f"word{number - 1} word{number}"), trace)
    assert (path.stage, path.why, path.call) == ("not_sent", "split", 1)
    assert path.cut.call == 1
    assert path.cut.tokens > 0


def test_the_cut_is_told_to_the_character_and_the_token():
    trace = ran("simple_summarize", [words(100), B], [NO], window=200, num_output=20)
    path = follow(FACT, trace)
    [place] = path.evidence
    sent = trace.calls[0].origins[-1]
    assert (path.cut.chunk, path.cut.at) == (sent.number, sent.end)
    missing = f"{words(100)[sent.end :]}\n{B[: place.end]}"
    assert path.cut.tokens == trace.setup.tokenizer.count(missing)


QUESTIONS = shipped_questions()
SOME = QUESTIONS[:: max(1, len(QUESTIONS) // share(6))]
CUTTING = ("simple_summarize", "refine", "compact", "accumulate")


class Trial:
    """A question over chunks, planned and run under any choice."""

    def __init__(self, question, chunks, behaviour="documented"):
        self.question, self.chunks, self.behaviour = question, chunks, behaviour
        ranked = BM25Index([Node(text) for text in chunks]).as_retriever(
            similarity_top_k=len(chunks)
        )
        self.best_first = [node.node.text for node in ranked.retrieve(question)]

    def given(self, choice):
        return (
            self.chunks
            if choice.similarity_top_k is None
            else self.best_first[: choice.similarity_top_k]
        )

    def made(self, choice, llm=None):
        helper = PromptHelper(choice.context_window, choice.num_output, choice.chunk_overlap_ratio)
        return get_response_synthesizer(
            choice.mode, llm or FunctionLLM(str), prompt_helper=helper, behaviour=self.behaviour
        )

    def plans(self, choice):
        synthesizer = self.made(choice)
        return [
            synthesizer.plan(self.question, self.given(choice), answer_tokens=tokens)
            for tokens in (0, choice.num_output)
        ]

    def changes(self, fact, choice):
        return smallest_changes(fact, choice, self.plans, MODES, len(self.chunks))

    def path(self, fact, choice, llm):
        trace = self.made(choice, llm).run(self.question, self.given(choice))
        return follow(fact, trace, retrieved_from=self.chunks)


@pytest.mark.slow
def test_the_root_cause_of_the_sample_needs_a_slightly_larger_window():
    asked = QUESTIONS[0]
    trial = Trial(asked.question, asked.chunks)
    choice = Choice("simple_summarize", asked.window, asked.num_output, 0.1)
    first, *others = trial.changes(Fact("8 instead of 80"), choice)
    assert first.after == Choice("simple_summarize", first.after.context_window, 128, 0.1)
    assert first.calls == 1
    # No smaller window does, and none of the answer lengths nearer to the present one.
    least = first.after.context_window
    assert _sends(trial, choice, context_window=least)
    smaller = [*range(1024, least - 1, 10), least - 1]
    assert not any(_sends(trial, choice, context_window=window) for window in smaller)
    [shorter] = [one.after.num_output for one in others if one.after.num_output != 128]
    nearer = range(shorter + 1, 129, 10)
    assert not any(_sends(trial, choice, num_output=size) for size in nearer)
    assert {one.after.mode for one in others} == {"simple_summarize", "compact_accumulate"}


def _sends(trial, choice, **limits):
    changed = Choice(**{**choice.__dict__, **limits})
    llm = ExtractiveLLM(changed.context_window, changed.num_output)
    return bool(trial.path(Fact("8 instead of 80"), changed, llm).sent)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("behaviour", "top_k"), [("documented", None), ("documented", 2), ("llama_index", None)]
)
@pytest.mark.parametrize("asked", SOME, ids=lambda asked: asked.question)
def test_under_every_change_the_fact_is_sent(asked, top_k, behaviour):
    trial = Trial(asked.question, asked.chunks, behaviour)
    choice = Choice("simple_summarize", asked.window, asked.num_output, 0.1, top_k)
    for fact in asked.facts:
        if trial.path(fact, choice, ExtractiveLLM(asked.window, asked.num_output)).sent:
            continue
        changes = trial.changes(fact, choice)
        assert changes
        assert [one.size for one in changes] == sorted(one.size for one in changes)
        for change in changes:
            llm = ExtractiveLLM(change.after.context_window, change.after.num_output)
            assert trial.path(fact, change.after, llm).sent, change


TEXT = " ".join(f"word{number}" for number in range(400))


@examples(40)
@given(
    st.sampled_from(CUTTING),
    st.integers(200, 420),
    st.integers(17, 60),
    st.integers(0, 398),
    st.lists(st.integers(0, 60), min_size=1, max_size=40),
)
def test_it_is_sent_whatever_the_answers_say(mode, window, num_output, at, lengths):
    fact = Fact(f"word{at} word{at + 1}")
    trial = Trial("Why?", [TEXT])
    choice = Choice(mode, window, num_output, 0.0)
    waiting = iter(lengths * 1000)

    def answer(_):
        return " so" * next(waiting)

    def size(most):
        return FunctionLLM(lambda prompt: answer(prompt)[: 3 * most])

    if trial.path(fact, choice, size(num_output)).sent:
        return
    for change in trial.changes(fact, choice):
        assert trial.path(fact, change.after, size(change.after.num_output)).sent, change


def test_a_fact_between_two_calls_can_be_kept_by_overlap():
    trial = Trial("Why?", [TEXT])
    choice = Choice("accumulate", 300, 20, 0.0)
    follower = Follower(trial.made(choice, FunctionLLM(lambda _: "so")).run("Why?", [TEXT]))
    facts = [Fact(f"word{at} word{at + 1}") for at in range(399)]
    split = next(fact for fact in facts if follower.path(fact).why == "split")
    overlaps = [one.after.chunk_overlap_ratio for one in trial.changes(split, choice)]
    assert any(overlaps)


@pytest.mark.parametrize(
    ("fact", "mode", "top_k"),
    [("the moon", "simple_summarize", 2), ("8 instead of 80", "compact", None)],
)
def test_nothing_is_found_for_a_fact_that_stands_nowhere_or_is_sent(fact, mode, top_k):
    asked = QUESTIONS[0]
    choice = Choice(mode, asked.window, asked.num_output, 0.1, top_k)
    assert Trial(asked.question, asked.chunks).changes(Fact(fact), choice) == ()
