"""What is paid once is not paid again, and no run crosses its cap."""

import math
import threading

import pytest

from synth import get_response_synthesizer
from synth.errors import BudgetError, CapReached, CountingFailed, SynthError
from synth.llms import Completion, FunctionLLM
from synth.runs.calls import AnswerCache, Logged, Spent
from synth.runs.events import Cap
from synth.runs.prices import Price
from synth.text.tokenizer import Tokenizer

CHUNKS = ["alpha beta", "gamma delta", "epsilon zeta", "eta theta"]


class Counting(FunctionLLM):
    """A model that counts its calls and says who it is."""

    def __init__(self, name="one", window=400, num_output=20):
        super().__init__(self.reply, window, num_output)
        self.name = name
        self.asked = 0
        self.lock = threading.Lock()

    @property
    def identity(self):
        return self.name

    def reply(self, prompt):
        with self.lock:
            self.asked += 1
        return f"answer {len(prompt)}"


def test_the_same_prompts_are_asked_once_of_each_model():
    llm, cache = Counting(), AnswerCache()
    synthesizer = get_response_synthesizer("refine", llm, cache=cache)
    first = synthesizer.run("why", CHUNKS)
    second = synthesizer.run("why", CHUNKS)
    assert llm.asked == 4
    assert second == first
    assert all(call.replayed for call in second.calls)
    assert [call.seconds for call in second.calls] == [call.seconds for call in first.calls]
    another = Counting("two")
    get_response_synthesizer("refine", another, cache=cache).run("why", CHUNKS)
    assert another.asked == 4


def test_a_model_without_identity_is_never_kept():
    asked = []
    llm = FunctionLLM(lambda prompt: asked.append(prompt) or "yes")
    synthesizer = get_response_synthesizer("compact", llm, cache=AnswerCache())
    synthesizer.run("why", CHUNKS)
    synthesizer.run("why", CHUNKS)
    assert len(asked) == 2


def test_failures_are_not_kept():
    answers = iter([None, "fine"])

    class Once(Counting):
        def reply(self, prompt):
            answer = next(answers)
            if answer is None:
                raise RuntimeError("no line")
            return answer

    synthesizer = get_response_synthesizer("compact", Once(), cache=AnswerCache())
    with pytest.raises(SynthError, match="no line"):
        synthesizer.run("why", CHUNKS)
    assert synthesizer.run("why", CHUNKS).response == "fine"


def test_the_oldest_answers_leave_a_full_cache():
    cache = AnswerCache(most_characters=10)
    for key in "abc":
        cache.put(key, Logged("hash", "12345"))
    assert [cache.get(key) is not None for key in "abc"] == [False, True, True]
    cache.put("b", Logged("hash", "1"))
    cache.put("d", Logged("hash", "1234"))
    assert [cache.get(key) is not None for key in "bcd"] == [True, True, True]


@pytest.mark.parametrize("use_async", [False, True])
def test_a_cap_on_calls_sends_no_more_and_can_be_gone_on_from(use_async):
    llm = Counting()
    capped = get_response_synthesizer(
        "accumulate", llm, cap=Cap(calls=3), use_async=use_async, max_concurrency=4
    )
    with pytest.raises(BudgetError, match="cap of 3 calls") as caught:
        capped.run("why", CHUNKS)
    assert llm.asked == 3
    free = get_response_synthesizer("accumulate", llm)
    *_, last = free.stream("why", CHUNKS, log=caught.value.trace.log())
    assert last.trace.response.count("Response") == 4
    assert llm.asked == 4


@pytest.mark.parametrize(
    ("cap", "said"),
    [(Cap(tokens=150), "150 tokens"), (Cap(dollars=0.00015, price=Price(1.0, 1.0)), r"\$0.0001")],
)
def test_caps_on_tokens_and_dollars_hold_for_the_worst_case(cap, said):
    llm = Counting()
    with pytest.raises(BudgetError, match=said) as caught:
        get_response_synthesizer("accumulate", llm, cap=cap).run("why", CHUNKS)
    trace = caught.value.trace
    assert 0 < len(trace.calls) == llm.asked < 4
    assert trace.prompt_tokens + trace.output_tokens <= 150


@pytest.mark.parametrize("use_async", [False, True])
@pytest.mark.parametrize("cap", [Cap(tokens=150), Cap(dollars=0.00015, price=Price(1.0, 1.0))])
def test_a_server_that_counts_too_little_lets_no_cap_slip(cap, use_async):
    llm = FunctionLLM(str, num_output=10)
    answer = "yes " * 10
    llm.complete = lambda prompt, schema=None: Completion(answer, prompt_tokens=0, output_tokens=1)
    synthesizer = get_response_synthesizer("refine", llm, cap=cap, use_async=use_async)
    with pytest.raises(CapReached) as caught:
        synthesizer.run("why", CHUNKS * 10)
    assert 0 < len(caught.value.trace.calls) < 4
    assert caught.value.trace.spent.prompt_tokens == 0  # what is shown stays what was said


def test_reasoning_counts_for_the_cap_where_the_server_left_it_out():
    llm = FunctionLLM(str, num_output=10)
    llm.complete = lambda prompt, schema=None: Completion("yes", 9, 1, reasoning="so " * 200)
    with pytest.raises(CapReached):
        get_response_synthesizer("refine", llm, cap=Cap(tokens=200)).run("why", CHUNKS)


def test_where_our_own_count_fails_that_of_the_server_stands():
    def encode(text):
        if text.startswith("yes"):
            raise CountingFailed("the server that counts is gone")
        return text.split()

    llm = FunctionLLM(str, num_output=10, tokenizer=Tokenizer("gone", encode))
    llm.complete = lambda prompt, schema=None: Completion("yes yes", 9, 7)
    trace = get_response_synthesizer("refine", llm, cap=Cap(tokens=10_000)).run("why", CHUNKS)
    assert trace.spent == Spent(4, 36, 28)


def test_answers_from_the_cache_cost_nothing_of_the_cap():
    llm, cache = Counting(), AnswerCache()
    get_response_synthesizer("accumulate", llm, cache=cache).run("why", CHUNKS)
    again = get_response_synthesizer("accumulate", llm, cache=cache, cap=Cap(calls=0))
    assert len(again.run("why", CHUNKS).calls) == 4


def test_dollars_without_a_price_are_no_cap():
    with pytest.raises(SynthError, match="needs a price"):
        Cap(dollars=1.0)


def test_tokens_without_a_price_cost_nothing_however_many():
    assert Price(0.0, 2.0).of(math.inf, 1_000_000) == 2.0
    assert Price(0.0, 0.0).of(math.inf, math.inf) == 0.0
    assert Price(1.0, 0.0).of(math.inf, math.inf) == math.inf


def test_a_run_that_goes_on_counts_what_it_spent_before():
    llm = Counting()
    cap = Cap(calls=3, spent=Spent(calls=2, prompt_tokens=90, output_tokens=10))
    with pytest.raises(CapReached, match=r"call 2 was not sent, .* the run to 4\."):
        get_response_synthesizer("accumulate", llm, cap=cap).run("why", CHUNKS)
    assert llm.asked == 1
    cap = Cap(tokens=100, spent=Spent(prompt_tokens=90, output_tokens=10))
    with pytest.raises(CapReached, match="100 tokens"):
        get_response_synthesizer("accumulate", llm, cap=cap).run("why", CHUNKS)
    price = Price(1.0, 100.0)
    cap = Cap(dollars=0.001, price=price, spent=Spent(output_tokens=9))
    with pytest.raises(CapReached, match=r"\$0\.001"):
        get_response_synthesizer("accumulate", llm, cap=cap).run("why", CHUNKS)
    assert llm.asked == 1
