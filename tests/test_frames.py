"""What a chat template adds is counted, packed with and shown."""

import pytest

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.llms import FunctionLLM
from synth.prompts.prompt import SpanKind
from synth.prompts.templates import ChatPromptTemplate
from synth.text.model_tokenizers import get_tokenizer
from synth.text.tokenizer import Frame, ModelTokenizer, Tokenizer
from tests import plain

TEXTS = get_tokenizer("cl100k_base")
PAIRS = [("system", "You are brief. {context_str}"), ("user", "  {query_str}\n")]
FILLED = {"context_str": "One chunk.", "query_str": "Why?"}


def chat_ml(roles):
    first, *others = [f"<|im_start|>{role}\n" for role in roles]
    ends = [*(f"<|im_end|>\n{other}" for other in others), "<|im_end|>\n<|im_start|>assistant\n"]
    return Frame((first, *ends), (1,))


def framed(texts: Tokenizer = TEXTS) -> ModelTokenizer:
    return ModelTokenizer("of a test", texts, "exact for a test", True, chat_ml)


def test_text_and_frame_are_counted_as_they_are_read():
    prompt = ChatPromptTemplate.from_messages(PAIRS).fill(**FILLED)
    read = (
        "<|im_start|>system\nYou are brief. One chunk.<|im_end|>\n"
        "<|im_start|>user\n  Why?\n<|im_end|>\n<|im_start|>assistant\n"
    )
    tokenizer = framed()
    assert "".join(str(span.text) for span in prompt.read_by(tokenizer)) == read
    assert prompt.tokens(tokenizer) == plain.count(read) + 1


def test_openai_adds_seven_tokens_to_a_message_and_four_for_each_further():
    tokenizer = get_tokenizer("model gpt-4")
    assert PromptTemplate("Why?").fill().tokens(tokenizer) == plain.count("Why?") + 7
    prompt = ChatPromptTemplate.from_messages(PAIRS).fill(**FILLED)
    alone = plain.count("You are brief. One chunk.") + plain.count("  Why?\n")
    assert prompt.tokens(tokenizer) == alone + 4 + 7


@pytest.mark.parametrize("mode", ["compact", "refine", "tree_summarize", "simple_summarize"])
def test_what_fits_fits_with_its_frame_and_the_budget_names_it(mode):
    helper = PromptHelper(200, 40, tokenizer=framed())
    synthesizer = get_response_synthesizer(mode, FunctionLLM(str), prompt_helper=helper)
    plan = synthesizer.plan("Why?", ["one two three four " * 30, "five six seven " * 60])
    assert max(call.prompt_tokens for call in plan.calls) in range(140, 161)
    for call in plan.calls:
        budget = plan.budget(call)
        assert budget.parts[SpanKind.FRAME] == 1 + plain.count("<|im_start|>user\n") + plain.count(
            "<|im_end|>\n<|im_start|>assistant\n"
        )
        assert budget.prompt == call.prompt_tokens
        assert min(budget.parts.values()) >= 0


def test_packing_as_llama_index_counts_text_alone():
    plans = [
        get_response_synthesizer(
            "compact",
            FunctionLLM(str),
            prompt_helper=PromptHelper(900, 40, tokenizer=tokenizer),
            behaviour="llama_index",
        ).plan("Why?", ["one two three four " * 200])
        for tokenizer in (TEXTS, framed())
    ]
    bare, around = ([call.prompt for call in plan.calls] for plan in plans)
    assert bare == around
    assert plans[1].prompt_tokens > plans[0].prompt_tokens
