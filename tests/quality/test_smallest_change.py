"""Each change that is found was run, and the fact was sent."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth import BM25Index, ExtractiveLLM, Node, PromptHelper, get_response_synthesizer
from synth.llms import FunctionLLM
from synth.modes.registry import MODES
from synth.quality import Choice, Fact, Follower, follow, shipped_questions, smallest_changes
from tests.examples import examples, share

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


def test_more_chunks_and_a_larger_window_where_neither_alone_would_do():
    asked = QUESTIONS[0]
    trial = Trial(asked.question, asked.chunks)
    choice = Choice("simple_summarize", 320, 128, 0.1, 1)
    fact = Fact("memory of the DNS outage in November")
    changes = trial.changes(fact, choice)
    assert changes
    for change in changes:
        llm = ExtractiveLLM(change.after.context_window, change.after.num_output)
        assert trial.path(fact, change.after, llm).sent
