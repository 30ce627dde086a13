"""The package's own default templates, with a chat model: the chat is sent, its text compared."""

import pytest
from llama_index.core.prompts.default_prompt_selectors import (
    DEFAULT_REFINE_PROMPT_SEL,
    DEFAULT_TEXT_QA_PROMPT_SEL,
    DEFAULT_TREE_SUMMARIZE_PROMPT_SEL,
)

from synth import ChatPromptTemplate, PromptTemplate, get_response_synthesizer
from synth.errors import TemplateError
from tests.parity import ours, package
from tests.parity.cases import Case, Model

SELECTORS = {
    "text_qa_template": DEFAULT_TEXT_QA_PROMPT_SEL,
    "refine_template": DEFAULT_REFINE_PROMPT_SEL,
    "summary_template": DEFAULT_TREE_SUMMARIZE_PROMPT_SEL,
}
CHUNKS = tuple(f"chunk {number} " + "word and more " * 30 * number for number in range(1, 5))
WINDOWS = range(900, 1500, 50)


class ChatModel(package.CaseLLM):
    """The model of a case, which says that it is one for chat."""

    @property
    def metadata(self):
        return super().metadata.model_copy(update={"is_chat_model": True})


def as_text(messages):
    """A chat as one text, as our prompts show it."""
    if [one.role.value for one in messages] == ["user"]:
        return messages[0].content
    lines = "".join(f"{one.role.value}: {one.content}\n" for one in messages)
    return f"{lines}assistant: "


def their_prompts(case):
    model = Model(case)
    llm = ChatModel(model)
    llm.messages_to_prompt = as_text
    package.synthesizer_of(case, llm).get_response(case.query, list(case.chunks))
    return model.prompts


def our_prompts(case, *, beside):
    model, templates = Model(case), {}
    for name, selector in SELECTORS.items():
        [(_, chat)] = selector.conditionals
        templates[name] = ChatPromptTemplate(
            [(one.role.value, one.content) for one in chat.message_templates],
            default_template=PromptTemplate(selector.default_template.template) if beside else None,
        )
    ours.synthesizer_of(case, model, **templates).run(case.query, list(case.chunks))
    return model.prompts


def case(mode, window):
    return Case(mode, "what is it?", CHUNKS, context_window=window, num_output=50)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("mode", ["refine", "compact", "tree_summarize", "accumulate"])
def test_the_defaults_for_chat_models(mode, window):
    assert our_prompts(case(mode, window), beside=True) == their_prompts(case(mode, window))


def test_without_the_text_beside_it_another_template_is_the_larger_one():
    cases = [case("compact", window) for window in WINDOWS]
    assert any(our_prompts(each, beside=False) != their_prompts(each) for each in cases)


def test_documented_behaviour_does_not_read_the_text_beside():
    plans = [
        get_response_synthesizer(
            "compact",
            text_qa_template=ChatPromptTemplate(
                [("system", "Be brief."), ("user", "{context_str} {query_str}")],
                default_template=beside,
            ),
        ).plan("what?", list(CHUNKS))
        for beside in (None, PromptTemplate("long " * 200))
    ]
    assert plans[0].calls == plans[1].calls


def test_a_text_beside_that_is_no_template_is_refused():
    with pytest.raises(TemplateError, match=r"is 'text' \(str\): give a PromptTemplate"):
        ChatPromptTemplate([("user", "{context_str}")], default_template="text")
