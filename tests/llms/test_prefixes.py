"""What a server has read before of a prompt: planned, and counted by servers of others' rules."""

import pytest
from genai_prices import Usage, calc_price
from hypothesis import given
from hypothesis import strategies as st

from synth import PromptTemplate, get_response_synthesizer
from synth.errors import SynthError
from synth.llms import FunctionLLM, OpenAILLM
from synth.llms.model_prices import model_facts
from synth.modes.registry import MODES
from synth.runs.prefixes import SeenPrompts, plan_in_order
from synth.runs.prices import CACHE_RULES, CacheRule, Price
from synth.text.diff import count_common
from synth.text.model_tokenizers import tokenizer_for
from synth.text.tokenizer import scale
from tests.llms.providers import Anthropic, DeepSeek, Gemini, OpenAI, answers, bill, read, shared

MODEL = "gpt-5-mini"
CHUNKS = [f"Chunk {number} says: " + f"{number * 7} of a few words. " * 60 for number in range(24)]
QUESTIONS = ["Who left first?", "What was seen at noon?", "Who left last?"]
OWN = [mode for mode in MODES if mode not in ("generation", "no_text", "context_only")]
SERVERS = {
    "openai": lambda prompts: OpenAI(),
    "openai, from gpt-5.6": lambda prompts: OpenAI(writes=True),
    "anthropic": Anthropic,
    "deepseek": lambda prompts: DeepSeek(),
    "gemini-2.5": lambda prompts: Gemini(2_048),
    "gemini": lambda prompts: Gemini(4_096),
}


def asked(mode, questions=QUESTIONS, window=4_096, **options):
    """The plans of questions in a mode, and all prompts that a run of them sends."""
    tokenizer, sent, reply = tokenizer_for(MODEL), [], answers(100)

    def answer(prompt):
        sent.append(read(prompt))
        return next(reply)

    llm = FunctionLLM(answer, window, 100, tokenizer)
    synthesizer = get_response_synthesizer(mode, llm, **options)
    plans = [synthesizer.plan(question, CHUNKS, 100) for question in questions]
    for question in questions:
        synthesizer.run(question, CHUNKS)
    return plans, sent


@pytest.mark.parametrize("mode", OWN)
@pytest.mark.parametrize("rule", SERVERS)
def test_a_plan_has_the_cached_tokens_that_servers_count(rule, mode):
    plans, sent = asked(mode)
    server = SERVERS[rule](sent)
    counted = [server.count(prompt) for prompt in sent]
    planned = plan_in_order(plans, CACHE_RULES[rule])
    calls = [call for plan in planned for call in plan.calls]
    assert [call.prompt_tokens for call in calls] == [usage.prompt for usage in counted]
    assert [call.cached_tokens for call in calls] == [usage.cached for usage in counted]
    assert [call.written_tokens for call in calls] == [usage.written for usage in counted]
    price = Price(0.25, 2.0, 0.025, 0.3125)
    billed = sum(bill(0.25, 2.0, 0.025, 0.3125)(usage, 100) for usage in counted)
    assert sum(price.of(*plan.spent.tokens) for plan in planned) == pytest.approx(billed)


PROMPTS = st.lists(st.lists(st.integers(0, 1), max_size=12), max_size=12)


@given(PROMPTS)
def test_the_longest_common_beginning_is_that_of_a_search_through_all(prompts):
    seen = SeenPrompts(CacheRule())
    for at, prompt in enumerate(prompts):
        expected = max((shared(prompt, earlier) for earlier in prompts[:at]), default=0)
        assert seen.find_cached(prompt) == expected
        seen.add(prompt)


@given(PROMPTS)
def test_units_are_those_of_a_search_through_all(prompts):
    seen, server = SeenPrompts(CacheRule(64, 64, stores_units=True)), DeepSeek()
    for prompt in prompts:
        longer = tuple(token for token in prompt for _ in range(64))
        assert seen.find_cached(longer) == server.count(longer).cached
        seen.add(longer)


@given(st.lists(st.integers(0, 2)), st.lists(st.integers(0, 2)))
def test_common_tokens_are_counted(one, other):
    assert count_common(one, other) == shared(tuple(one), tuple(other))


def test_calls_that_go_out_together_warm_nothing_for_each_other():
    long = PromptTemplate("One rule. " * 1_000 + "{context_str} {query_str}")
    plans, _ = asked("accumulate", QUESTIONS[:2], 8_192, text_qa_template=long)
    in_turn, together = (plan_in_order(plans, CACHE_RULES["openai"], most) for most in (1, 4))
    first = [call.cached_tokens for call in in_turn[0].calls]
    assert first == [0] + [first[1]] * (len(first) - 1)
    assert first[1] >= 1_024
    assert [call.cached_tokens for call in together[0].calls[:5]] == [0] * 4 + [first[1]]
    assert together[1].calls[0].cached_tokens > 0
    side_by_side = plan_in_order(plans, CACHE_RULES["openai"], runs_at_once=2)
    assert [plan.calls[0].cached_tokens for plan in side_by_side] == [0, 0]
    assert side_by_side[1].calls[1].cached_tokens == first[1]


def test_a_factor_scales_what_is_cached_as_it_scales_the_prompt():
    tokenizer = scale(tokenizer_for(MODEL), 2)
    llm = FunctionLLM(str.upper, 16_384, 100, tokenizer)
    plan = get_response_synthesizer("simple_summarize", llm).plan(QUESTIONS[0], CHUNKS[:8])
    once, again = plan_in_order([plan, plan], CACHE_RULES["openai, from gpt-5.6"])
    assert (once.cached_tokens, again.cached_tokens) == (0, plan.prompt_tokens // 128 * 128)
    assert (once.calls[0].written_tokens, again.calls[0].written_tokens) == (again.cached_tokens, 0)


@pytest.mark.parametrize("encode", [list, str.split, len])
def test_a_tokenizer_that_is_a_function_has_no_cache(encode):
    counter = encode if encode is not len else lambda text: range(len(text) // 4)
    llm = OpenAILLM(MODEL, "a key", context_window=16_384, tokenizer=counter)
    plan = get_response_synthesizer("compact", llm).plan(QUESTIONS[0], CHUNKS[:2])
    assert plan.cached_tokens is None


def test_a_prompt_may_begin_with_an_answer():
    template = PromptTemplate("{existing_answer} {query_str} {context_msg}")
    plans, _ = asked("refine", QUESTIONS[:1], refine_template=template)
    assert plan_in_order(plans, CACHE_RULES["llama.cpp"])[0].calls[1].cached_tokens is not None


def test_the_question_in_front_leaves_nothing_to_share():
    behind, _ = asked("compact")
    before, _ = asked(
        "compact", text_qa_template=PromptTemplate("{query_str}\n{context_str}\nAnswer:")
    )
    rule = CACHE_RULES["openai"]
    cached = [sum(plan.cached_tokens for plan in plan_in_order(x, rule)) for x in (behind, before)]
    assert cached[0] > 1_024
    assert cached[1] == 0


def test_what_was_warm_before_is_read_from_the_first_call_on():
    plans, sent = asked("compact", QUESTIONS[:1])
    rule = CACHE_RULES["openai"]
    warm = [call.prompt.encode(tokenizer_for(MODEL)) for call in plans[0].calls[:1]]
    cold, again = plan_in_order(plans, rule)[0], plan_in_order(plans, rule, warm=warm)[0]
    assert cold.cached_tokens == 0
    assert again.calls[0].cached_tokens == len(sent[0]) // 128 * 128


def test_a_plan_and_a_trace_say_what_they_cost():
    llm = OpenAILLM(MODEL, "a key", context_window=4_096, num_output=100)
    plan = get_response_synthesizer("compact", llm).plan(QUESTIONS[0], CHUNKS, 20)
    price = model_facts(MODEL).price
    most = price.at_most(plan.prompt_tokens, 100 * plan.call_count)
    assert plan.cost == (price.of(plan.prompt_tokens, 20 * plan.call_count), most, None)
    assert plan.cached_tokens == 0
    assert plan.to_frame()["cached_tokens"].tolist() == [0] * plan.call_count
    function = get_response_synthesizer("compact", FunctionLLM(str.upper, 4_096))
    assert function.plan(QUESTIONS[0], CHUNKS).cost is None
    assert function.plan(QUESTIONS[0], CHUNKS).calls[0].cached_tokens is None


@pytest.mark.parametrize(
    ("model", "rule", "automatic"),
    [
        ("gpt-5-mini", "openai", True),
        ("openai/gpt-4o", "openai", True),
        ("gpt-5.6", "openai, from gpt-5.6", True),
        ("gemini-2.5-flash", "gemini-2.5", True),
        ("gemini-3-pro-preview", "gemini", True),
        ("deepseek-chat", "deepseek", True),
        ("claude-sonnet-4-5", "anthropic", False),
        ("gemini-2.0-flash", "gemini", False),
    ],
)
def test_the_name_of_a_model_chooses_the_rule(model, rule, automatic):
    facts = model_facts(model)
    assert facts.cache == (CACHE_RULES[rule] if automatic else None)
    assert (facts.price.cached is not None) is automatic
    if model == "gemini-2.0-flash":
        return
    chosen = OpenAILLM(model, "a key", cache=rule)
    assert chosen.cache == CACHE_RULES[rule]
    assert chosen.price.cached < chosen.price.prompt


def test_a_cache_that_saves_time_alone_has_no_price():
    llm = OpenAILLM("gpt-4o", "a key", cache="vllm")
    assert (llm.cache, llm.price.cached) == (CACHE_RULES["vllm"], None)
    assert OpenAILLM("deepseek-chat", base_url="http://localhost:1/v1", cache="vllm").price is None


@pytest.mark.parametrize("model", ["gemini-2.5-pro", "claude-sonnet-4-5", "gpt-5.6", "gpt-5-mini"])
@pytest.mark.parametrize("tokens", [1_000, 199_000, 300_000, 900_000])
def test_a_bound_is_no_less_than_the_list_price_of_long_prompts(model, tokens):
    price = model_facts(model).price
    listed = calc_price(Usage(input_tokens=tokens, output_tokens=1_000), model_ref=model)
    assert price.at_most(tokens, 1_000) >= float(listed.total_price) - 1e-9
    assert (price.long is None) == (model == "gpt-5-mini")


def test_what_is_not_known_has_no_rule():
    assert model_facts("grok-4").cache is None
    assert model_facts("nonsense-9000") == (None, None, None)
    with pytest.raises(SynthError, match="no rule of a cache named 'none'"):
        OpenAILLM(MODEL, "a key", cache="none")
