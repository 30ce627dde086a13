import pytest

from synth import PromptHelper, PromptTemplate, get_response_synthesizer
from synth.errors import BudgetError, SynthError, TemplateError
from synth.llms import FunctionLLM


def test_without_a_helper_the_sizes_are_the_models():
    synthesizer = get_response_synthesizer(llm=FunctionLLM(str, 777, 33, "o200k_base"))
    helper = synthesizer.prompt_helper
    assert (helper.context_window, helper.num_output) == (777, 33)
    assert helper.tokenizer.name == "o200k_base"


def test_templates_can_be_read_and_replaced_by_name():
    synthesizer = get_response_synthesizer("refine", FunctionLLM(str.upper))
    mine = PromptTemplate("{context_str}?")
    synthesizer.update_prompts({"text_qa_template": mine})
    assert synthesizer.get_prompts()["text_qa_template"] is mine
    assert synthesizer.get_response("q", ["a"]) == "A?"
    with pytest.raises(TemplateError, match="Refine has no summary_template"):
        synthesizer.update_prompts({"summary_template": mine})


def test_filtering_is_refused_where_no_call_carries_an_answer():
    with pytest.raises(SynthError, match="its calls carry no answer"):
        get_response_synthesizer("accumulate", structured_answer_filtering=True)


def test_an_overlap_of_whole_chunks_is_refused_where_it_must_not_be_imitated():
    helper = PromptHelper(chunk_overlap_ratio=1.0)
    with pytest.raises(BudgetError, match=r"An overlap of 1 .*give 0.5 or less"):
        get_response_synthesizer("compact", FunctionLLM(str), helper)
    get_response_synthesizer("compact", FunctionLLM(str), helper, "llama_index")
