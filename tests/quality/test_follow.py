"""Every place at which a fact can be lost, in every mode, by hand."""

import json
from dataclasses import dataclass, field

import pytest

from synth import ChatPromptTemplate, PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import ModelError, SynthError
from synth.llms import FunctionLLM
from synth.quality import Fact, Follower, follow, read_facts
from synth.response_synthesizers.registry import MODES

TEMPLATES = {
    "text_qa_template": PromptTemplate("{context_str}\n{query_str}"),
    "refine_template": PromptTemplate("{existing_answer}\n{context_msg}\n{query_str}"),
    "summary_template": PromptTemplate("{context_str}\n{query_str}"),
    "simple_template": PromptTemplate("{query_str}"),
}
FACT = Fact("the seal was worn")
A, B, C = "The pump stopped at night.", "At noon we saw that the seal was worn.", "Nobody was hurt."
YES, NO = "It says: The seal was worn!", "Nothing is known."
FAILS = object()


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

    mode: str
    chunks: list
    answers: list
    stage: str
    call: int | None = None
    why: str | None = None
    sent: tuple = ()
    held: tuple = ()
    fact: Fact = FACT
    options: dict = field(default_factory=dict)


def filtered(satisfied, answer):
    return json.dumps({"query_satisfied": satisfied, "answer": answer})


A_WORN_SEAL = ("compact", [A, B], ["A worn seal."], "answered", 1, None, (1,), (1,))
LONG = f"{words(60)} the seal was worn {words(60, 'more')}"
TIGHT = {"window": 200, "num_output": 20}
FILTER = {"structured_answer_filtering": True}
THEIRS = {"behaviour": "llama_index"}
CHINESE = ["水泵在夜里停了。", "中午我们发现密封圈磨损，损失为一万二千元。", "没有人受伤。"]
WORN = Fact("密封圈磨损")
COST = Fact("12,000 元")

CASES = {
    "refine kept": Case("refine", [A, B, C], [NO, YES, YES], "answered", 3, None, (2,), (2, 3)),
    "refine left out": Case(
        "refine", [A, B, C], [NO, NO, NO], "not_answered", 2, "left_out", (2,)
    ),
    "refine dropped": Case(
        "refine", [A, B, C], [NO, YES, NO], "dropped", 3, "left_out", (2,), (2,)
    ),
    "refine dropped early": Case(
        "refine", [B, A, C], [YES, NO, NO], "dropped", 2, "left_out", (1,), (1,)
    ),
    "refine came back": Case(
        "refine", [B, A, C], [YES, NO, YES], "answered", 3, None, (1,), (1, 3)
    ),
    "refine last chunk": Case(
        "refine", [A, C, B], [NO, NO, NO], "not_answered", 3, "left_out", (3,)
    ),
    "refine twice in the chunks": Case(
        "refine", [B, A, B], [NO, NO, NO], "not_answered", 3, "left_out", (1, 3)
    ),
    "refine blank reply keeps it": Case(
        "refine", [B, A, C], [YES, "", YES], "answered", 3, None, (1,), (1, 3)
    ),
    "refine dropped after a blank reply": Case(
        "refine", [B, A, C], [YES, "", NO], "dropped", 3, "left_out", (1,), (1,)
    ),
    "refine known before it was sent": Case(
        "refine", [A, B, C], [YES, NO, NO], "dropped", 2, "left_out", (2,), (1,)
    ),
    "refine filtered out": Case(
        "refine",
        [A, B],
        [filtered(True, NO), filtered(False, YES)],
        "dropped",
        2,
        "unused",
        (2,),
        (2,),
        options=FILTER,
    ),
    "refine filtered, the answer stays": Case(
        "refine",
        [B, A],
        [filtered(True, YES), filtered(False, NO)],
        "answered",
        1,
        None,
        (1,),
        (1,),
        options=FILTER,
    ),
    "refine fails later": Case(
        "refine", [B, A, C], [YES, FAILS], "dropped", 1, "unfinished", (1,), (1,)
    ),
    "refine fails before": Case("refine", [A, C, B], [NO, FAILS], "not_sent", None, "unfinished"),
    "refine fails there": Case(
        "refine", [A, B, C], [NO, FAILS], "not_answered", 2, "unfinished", (2,)
    ),
    "refine dropped, then fails": Case(
        "refine", [B, A, C], [YES, NO, FAILS], "dropped", 2, "left_out", (1,), (1,)
    ),
    "refine long answer cut": Case(
        "refine",
        [A, C],
        [f"{words(80)} {YES}", NO],
        "dropped",
        2,
        "cut",
        (),
        (1,),
        options={"window": 180, "num_output": 20},
    ),
    "refine long chunk, first piece": Case(
        "refine",
        [f"{B} {LONG.replace('the seal was worn', '')}"],
        [YES, YES, YES],
        "answered",
        None,
        None,
        (1,),
        options=TIGHT,
    ),
    "refine in theirs": Case(
        "refine", [A, B, C], [NO, YES, NO], "dropped", 3, "left_out", (2,), (2,), options=THEIRS
    ),
    "compact in one call": Case("compact", [A, B, C], [YES], "answered", 1, None, (1,), (1,)),
    "compact left out": Case(
        "compact", [A, B, C], [NO], "not_answered", 1, "left_out", (1,), ()
    ),
    "compact fails": Case("compact", [A, B, C], [FAILS], "not_answered", 1, "unfinished", (1,)),
    "compact in theirs": Case(
        "compact", [A, B, C], [YES], "answered", 1, None, (1,), (1,), options=THEIRS
    ),
    "compact two calls, dropped": Case(
        "compact",
        [f"{B} {words(60)}", words(60, "more")],
        [YES, NO, NO, NO],
        "dropped",
        2,
        "left_out",
        (1,),
        (1,),
        options={"window": 220, "num_output": 20},
    ),
    "compact two calls, kept": Case(
        "compact",
        [f"{B} {words(60)}", words(60, "more")],
        [YES, YES, YES, YES],
        "answered",
        None,
        None,
        (1,),
        options={"window": 220, "num_output": 20},
    ),
    "tree one call": Case("tree_summarize", [A, B], [YES], "answered", 1, None, (1,), (1,)),
    "tree one call, left out": Case(
        "tree_summarize", [A, B], [NO], "not_answered", 1, "left_out", (1,)
    ),
    "simple kept": Case("simple_summarize", [A, B, C], [YES], "answered", 1, None, (1,), (1,)),
    "simple left out": Case(
        "simple_summarize", [A, B, C], [NO], "not_answered", 1, "left_out", (1,)
    ),
    "simple cut": Case(
        "simple_summarize", [words(100), B], [NO], "not_sent", 1, "cut", options=TIGHT
    ),
    "simple cut, but known": Case(
        "simple_summarize", [words(100), B], [YES], "answered", 1, None, (), (1,), options=TIGHT
    ),
    "simple fails": Case(
        "simple_summarize", [A, B], [FAILS], "not_answered", 1, "unfinished", (1,)
    ),
    "simple cut and fails": Case(
        "simple_summarize", [words(100), B], [FAILS], "not_sent", None, "unfinished", options=TIGHT
    ),
    "simple in theirs, escaped": Case(
        "simple_summarize",
        [A, "We 'saw' it:\nthe 'seal'\nwas worn."],
        [NO],
        "not_answered",
        1,
        "left_out",
        (1,),
        options=THEIRS,
    ),
    "accumulate kept": Case(
        "accumulate", [A, B, C], [NO, YES, NO], "answered", 2, None, (2,), (2,)
    ),
    "accumulate left out": Case(
        "accumulate", [A, B, C], [NO, NO, NO], "not_answered", 2, "left_out", (2,)
    ),
    "accumulate fails there": Case(
        "accumulate", [A, B, C], [NO, FAILS], "not_answered", 2, "unfinished", (2,)
    ),
    "accumulate fails later": Case(
        "accumulate", [B, A, C], [YES, FAILS], "dropped", 1, "unfinished", (1,), (1,)
    ),
    "accumulate said without it": Case(
        "accumulate", [A, B, C], [YES, NO, NO], "answered", 1, None, (2,), (1,)
    ),
    "accumulate in theirs": Case(
        "accumulate", [A, B], [NO, NO], "not_answered", 2, "left_out", (2,), options=THEIRS
    ),
    "compact_accumulate kept": Case(
        "compact_accumulate", [A, B, C], [YES], "answered", 1, None, (1,), (1,)
    ),
    "compact_accumulate left out": Case(
        "compact_accumulate", [A, B, C], [NO], "not_answered", 1, "left_out", (1,)
    ),
    "generation never sends": Case("generation", [A, B], [NO], "not_sent", None, "no_chunks"),
    "generation knows it": Case("generation", [A, B], [YES], "answered", 1, None, (), (1,)),
    "generation echoes the question": Case(
        "generation",
        [A, B],
        [NO],
        "not_sent",
        None,
        "no_chunks",
        options={"query": "Is it true that the seal was worn?"},
    ),
    "no_text": Case("no_text", [A, B], [], "not_sent", None, "no_chunks"),
    "context_only": Case("context_only", [A, B], [], "answered", None, None),
    "absent": Case("compact", [A, C], [NO], "absent"),
    "absent, but said": Case("compact", [A, C], [YES], "answered", 1, None, (), (1,)),
    "absent, said and dropped": Case(
        "refine", [A, C], [YES, NO], "dropped", 2, "left_out", (), (1,)
    ),
    "no chunks": Case("compact", [], [], "absent"),
    "another wording in the answer": Case(
        *A_WORN_SEAL, fact=Fact("the seal was worn", ("worn seal",))
    ),
    "another wording in the chunk": Case(
        *A_WORN_SEAL, fact=Fact("worn seal", ("the seal was worn",))
    ),
    "only part of a word": Case(
        "compact", ["The seals were warm."], [NO], "absent", fact=Fact("seal")
    ),
    "a number of another form": Case(
        "compact",
        ["There were 1,081 seats."],
        ["It had 1081 seats."],
        "answered",
        1,
        None,
        (1,),
        (1,),
        fact=Fact("１０８１ seats"),
    ),
    "a number with more digits": Case(
        "compact", ["There were 80 seats."], ["80 seats."], "absent", fact=Fact("8 seats")
    ),
    "a date of another form": Case(
        "compact",
        ["It began on 2026-05-03."],
        ["On May 3rd it began."],
        "answered",
        1,
        None,
        (1,),
        (1,),
        fact=Fact("3 May"),
    ),
    "a time of another form": Case(
        "compact",
        ["It began at 14:15."],
        ["It was 2:15 pm."],
        "answered",
        1,
        None,
        (1,),
        (1,),
        fact=Fact("14:15"),
    ),
    "Chinese kept": Case(
        "refine", CHINESE, ["不知道。", "密封圈磨损。", "原因是密封圈磨损。"], "answered", 3, None,
        (2,), (2, 3), fact=WORN,
    ),
    "Chinese dropped": Case(
        "refine", CHINESE, ["不知道。", "密封圈磨损。", "不知道。"], "dropped", 3, "left_out",
        (2,), (2,), fact=WORN,
    ),
    "Chinese cut": Case(
        "simple_summarize",
        ["水泵在夜里停了。" * 20, CHINESE[1]],
        ["不知道。"],
        "not_sent",
        1,
        "cut",
        fact=WORN,
        options={"window": 120, "num_output": 20},
    ),
    "Chinese numerals": Case(
        "accumulate", CHINESE, ["无", "损失12000元。", "无"], "answered", 2, None, (2,), (2,),
        fact=COST,
    ),
    "Chinese numerals left out": Case(
        "accumulate", CHINESE, ["无", "损失1200元。", "无"], "not_answered", 2, "left_out", (2,),
        fact=COST,
    ),
    "a chat": Case(
        "compact",
        [A, B],
        [YES],
        "answered",
        1,
        None,
        (1,),
        (1,),
        options={
            "text_qa_template": ChatPromptTemplate.from_messages(
                [("system", "Answer."), ("user", "{context_str} {query_str}")]
            )
        },
    ),
    "chunks rewritten by a function": Case(
        "compact",
        [A, B],
        [NO],
        "not_answered",
        1,
        "left_out",
        (1,),
        options={
            "text_qa_template": PromptTemplate(
                "{context_str} {query_str}",
                function_mappings={"context_str": lambda context_str, **_: context_str.upper()},
            )
        },
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_the_path_of_the_fact(name):
    case = CASES[name]
    path = follow(case.fact, ran(case.mode, case.chunks, case.answers, **case.options))
    assert (path.stage, path.why, path.sent) == (case.stage, case.why, case.sent)
    if case.call is not None or case.stage != "answered":
        assert (path.call, path.answers) == (case.call, case.held)


def test_each_mode_and_each_stage_has_a_case():
    assert {case.mode for case in CASES.values()} == set(MODES)
    assert len(CASES) >= 60
    assert {case.stage for case in CASES.values()} == {
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


@pytest.mark.parametrize("mode", ["refine", "compact", "accumulate"])
def test_an_overlap_sends_it_whole(mode):
    _, word = first_cut(mode)
    number = int(word.removeprefix("word"))
    trace, _ = first_cut(mode, overlap=0.3)
    assert follow(Fact(f"word{number - 1} word{number}"), trace).stage == "not_answered"


def test_the_cut_is_told_to_the_character_and_the_token():
    trace = ran("simple_summarize", [words(100), B], [NO], window=200, num_output=20)
    path = follow(FACT, trace)
    [place] = path.evidence
    sent = trace.calls[0].origins[-1]
    assert (path.cut.chunk, path.cut.at) == (sent.number, sent.end)
    missing = f"{words(100)[sent.end :]}\n{B[: place.end]}"
    assert path.cut.tokens == trace.setup.tokenizer.count(missing)


def test_a_fact_that_the_cut_goes_through():
    trace = ran("simple_summarize", [words(150)], [NO], window=200, num_output=20)
    end = trace.calls[0].origins[0].end
    number = int(words(150)[end:].split()[0].removeprefix("word"))
    path = follow(Fact(f"word{number - 1} word{number}"), trace)
    assert (path.stage, path.why, path.cut.at) == ("not_sent", "cut", end)


def test_evidence_is_the_last_text_that_has_the_fact():
    chunk = follow(FACT, ran("refine", [A, B, C], [NO, NO, NO])).evidence[0]
    assert (chunk.kind, chunk.number) == ("chunk", 2)
    answer = follow(FACT, ran("refine", [A, B, C], [NO, YES, NO])).evidence[0]
    assert (answer.kind, answer.number, YES[answer.start : answer.end]) == (
        "answer", 2, "The seal was worn",
    )  # fmt: skip
    response = follow(FACT, ran("refine", [A, B, C], [NO, YES, YES])).evidence[0]
    assert response.kind == "response"


def test_facts_of_one_run_together_are_the_same_as_one_by_one():
    trace = ran("refine", [A, B, C], [NO, YES, NO])
    facts = read_facts("the seal was worn\nnobody was hurt\nthe moon")
    follower = Follower(trace)
    assert [follower.path(fact) for fact in facts] == [follow(fact, trace) for fact in facts]
