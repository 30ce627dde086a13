import pytest
from llama_index.core.prompts import ChatPromptTemplate as TheirChat
from llama_index.core.prompts import PromptTemplate as TheirTemplate

from synth import ChatPromptTemplate, PromptTemplate
from synth.errors import TemplateError


def test_mappings_rename_what_modes_pass():
    template = PromptTemplate("{question}", template_var_mappings={"query_str": "question"})
    assert template.format(query_str="why") == "why"
    assert template.uses("query_str") == 1


def test_a_function_that_fails_is_named():
    template = PromptTemplate("{a}", function_mappings={"a": lambda **values: 1 / 0})
    with pytest.raises(TemplateError, match=r"function for \{a\} failed \(ZeroDivisionError"):
        template.format(a=1)


def test_a_chat_reads_role_by_role():
    chat = ChatPromptTemplate.from_messages([("system", "Be {tone}."), ("user", "{query_str}")])
    prompt = chat.fill(tone="calm", query_str="why")
    assert prompt.is_chat
    assert prompt.text == "system: Be calm.\nuser: why\nassistant: "
    assert [message.content for message in prompt.messages] == ["Be calm.", "why"]
    single = ChatPromptTemplate.from_messages([("user", "{query_str}")])
    assert single.format(query_str="why") == "user: why\nassistant: "


MESSAGES = [("system", "Be {tone}."), ("user", "{query_str}")]


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        (PromptTemplate("{a} {query_str}", a="1"), TheirTemplate("{a} {query_str}", a="1")),
        (ChatPromptTemplate(MESSAGES), TheirChat.from_messages(MESSAGES)),
    ],
)
def test_the_text_and_the_messages_are_those_of_llama_index(ours, theirs):
    assert ours.get_template() == theirs.get_template()
    values = {"tone": "brief", "query_str": "why"}
    one, other = ours.format_messages(**values), theirs.format_messages(**values)
    assert [message.content for message in one] == [message.content for message in other]
    assert [message.role for message in one] == [message.role.value for message in other]
