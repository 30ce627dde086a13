"""Templates that others wrote: taken with their names, or refused with what can't be taken."""

import pytest

from synth.errors import TemplateError
from synth.export.template_files import read_template

WHOLE = "Facts: {context_str}\nQ: {query_str}"
PAIR = (("system", "Be {tone}."), ("user", WHOLE))
JINJA = "Facts: {{ context_str }}\nQ: {{ query_str }}"
CHAT = f"""{{% chat role="system" %}}
Be {{{{ tone }}}}.
{{% endchat %}}
{{% chat role="user" %}}
{JINJA}
{{% endchat %}}
"""
LLAMA_INDEX = """from llama_index.core.prompts import ChatMessage, ChatPromptTemplate, MessageRole
QA = "Facts: {context_str}\\n" "Q: {query_str}"
refine = PromptTemplate("Refine {existing_answer}: {context_msg} {query_str}")
text_qa_template = ChatPromptTemplate(
    message_templates=[
        ChatMessage(role=MessageRole.SYSTEM, content="Be {tone}."),
        ChatMessage(role=MessageRole.USER, content=QA),
    ],
)
"""
LANGCHAIN = """prompt = ChatPromptTemplate.from_messages(
    [("system", "Be {tone}."), ("human", "Facts: {context}\\nQ: {question}")]
)"""
PROMPTY = """---
name: Facts
---
system:
Be {{tone}}.

user:
Facts: {{context}}
Q: {{question}}
"""
PROMPTFOO = """providers: [echo]
prompts:
  - label: plain
    raw: |-
      Facts: {{context}}
      Q: {{question}}
"""
MAPPED = ("{context} became {context_str}.", "{question} became {query_str}.")


@pytest.mark.parametrize(
    ("text", "messages", "notes"),
    [
        (WHOLE, PAIR[1:], ()),
        (JINJA, PAIR[1:], ()),
        (JINJA.replace("{{ context_str }}", "{{{context_str}}}"), PAIR[1:], ()),
        (CHAT, PAIR, ()),
        (f"prompt = RichPromptTemplate({CHAT!r})", PAIR, ()),
        (LLAMA_INDEX, PAIR, ("Of its 2 templates text_qa_template was taken.",)),
        (f'my_prompt = """{WHOLE}"""', PAIR[1:], ()),
        (LANGCHAIN, PAIR, MAPPED),
        ("Facts: {text}\nQ: {question}", PAIR[1:], ("{text} became {context_str}.", MAPPED[1])),
        (WHOLE + ' Say {{"a": 1}}.', (("user", WHOLE + ' Say {"a": 1}.'),), ()),
        (PROMPTY, PAIR, MAPPED),
        (PROMPTFOO, PAIR[1:], MAPPED),
        ('[{"role": "user", "content": "{{input}}"}]', (("user", "{query_str}"),),
         ("{input} became {query_str}.",)),
    ],
)  # fmt: skip
def test_a_template_is_taken_with_its_names(text, messages, notes):
    read = read_template("text_qa_template", text)
    assert read.messages == messages
    assert sorted(read.notes) == sorted(notes)


def test_names_are_those_of_the_kind_of_template():
    [(_, text)] = read_template("refine_template", "{existing_answer} {text} {question}").messages
    assert text == "{existing_answer} {context_msg} {query_str}"
    assert "Refine" in read_template("refine_template", LLAMA_INDEX).messages[0][1]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{% if a %}{{ query_str }}{% endif %}", "Line 1 is computed"),
        ("Q:\n{{ query_str | upper }}", "Line 2 is computed, and a template here has names alone"),
        ("{{#chunks}}{{.}}{{/chunks}}", "Line 1 is computed"),
        (CHAT + "more", "'more' is outside of its chat blocks"),
        ('PromptTemplate(f"{a} {b}")', "Line 1 is computed"),
        ("PromptTemplate(load())", "names alone: load()"),
        (
            'PromptTemplate("{a}", function_mappings={"a": f})',
            "names alone: function_mappings={'a': f}",
        ),
        ("prompts: [file://a.txt]", "file://a.txt is no text"),
        ("x" * 100_001, "It has 100,001 characters"),
    ],
)
def test_what_is_computed_is_refused_by_name(text, words):
    with pytest.raises(TemplateError) as refused:
        read_template("text_qa_template", text)
    assert words in str(refused.value)
