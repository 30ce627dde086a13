"""Lint knows what each mode passes to each template."""

import re

import pytest

from synth import ChatPromptTemplate, PromptTemplate, get_response_synthesizer
from synth.errors import TemplateError
from synth.llms import FunctionLLM
from synth.modes.advice.lint import apply_fix, bare_tokens, custom_variables, find_misspelt, lint
from synth.prompts.defaults import CHAT_DEFAULTS, DEFAULTS
from synth.prompts.templates import MOST_CHARACTERS, MOST_VARIABLES, TEMPLATES
from synth.text.tokens import get_tokenizer
from tests.calls import calls_of

CL100K = get_tokenizer("cl100k_base")


def found(name, text, variables=(), window=4000):
    return lint(name, PromptTemplate(text), variables, CL100K, window)


@pytest.mark.parametrize("name", TEMPLATES)
def test_our_own_templates_are_clean(name):
    assert lint(name, DEFAULTS[name], (), CL100K, 1024) == []
    assert lint(name, CHAT_DEFAULTS[name], (), CL100K, 1024) == []


def test_a_custom_variable_is_clean_once_it_has_a_value():
    taken = "{context_str} {query_str} {query_string}"
    assert found("text_qa_template", taken, ["query_string"]) == []
    text = "{context_str} {query_str} in the style of {tone}"
    [finding] = found("text_qa_template", text)
    assert finding.message == "{tone} has no value: it is sent as it stands."
    assert found("text_qa_template", text, ["tone"]) == []
    [finding] = found("text_qa_template", text.replace("tone", "existing_answer"))
    assert finding.message.startswith("{existing_answer} is not passed to text_qa_template")


@pytest.mark.parametrize("name", ["语气", "größe", "tone-1"])
def test_a_name_that_a_chat_does_not_fill_is_named(name):
    text = f"{{context_str}} {{query_str}} in the style of {{{name}}}"
    wanted = f"{{{name}}} is sent as it stands: a name has letters from a to z, digits and _ alone."
    [finding] = found("text_qa_template", text)
    assert finding.message == wanted
    assert found("text_qa_template", text, [name]) == []  # a text fills it
    chat = ChatPromptTemplate.from_messages([("user", text)])
    [finding] = lint("text_qa_template", chat, [name], CL100K, 1000)
    assert finding.message == wanted


def test_a_reserved_name_is_an_error_and_without_a_value_it_is_sent_as_it_stands():
    [finding] = found("text_qa_template", "{context_str} {query_str} {log}", ["log"])
    assert finding.level == "error"
    for name in ("log", "self"):
        [finding] = found("text_qa_template", f"{{context_str}} {{query_str}} {{{name}}}")
        assert finding.level == "warning"
        said = f"{{{name}}} is a reserved name of this package: rename it."
        assert finding.message == said


def test_a_template_that_eats_the_window_says_how_much():
    text = "{context_str} {query_str}" + " word" * 60
    [finding] = found("text_qa_template", text, window=100)
    assert f"{bare_tokens(PromptTemplate(text), CL100K)} of 100 tokens" in finding.message


def test_chat_templates_are_read_in_all_their_messages():
    chat = ChatPromptTemplate.from_messages(
        [("system", "Speak {tone}."), ("user", "{context_str} {query_str} {tone} {person}")]
    )
    assert custom_variables(chat) == ["tone", "person"]
    assert [f.level for f in lint("text_qa_template", chat, ["person"], CL100K, 4000)] == [
        "warning"
    ]


QA, REFINE = "text_qa_template", "refine_template"
WHOLE = "{context_str} {query_str}"


@pytest.mark.parametrize(
    ("name", "text", "level", "mended"),
    [
        (QA, "{contxt_str} {query_str}", "error", WHOLE),
        (QA, "{context_msg} {query_str}", "error", WHOLE),
        (QA, "{ context_str } {query_str}", "error", WHOLE),
        (QA, "{query_str}", "error", "{context_str}\n{query_str}"),
        (QA, "{context_str}", "warning", "{query_str}\n{context_str}"),
        (QA, "{context_str} {query_sr}", "warning", WHOLE),
        (QA, "{context_str} {qestion_str}", "warning", WHOLE),
        (QA, WHOLE + " {query_string}", "warning", WHOLE + " {query_str}"),
        (QA, "{{context_str}} {query_str}", "warning", WHOLE),
        (
            REFINE,
            WHOLE + " {existing_answer}",
            "error",
            "{context_msg} {query_str} {existing_answer}",
        ),
        (
            REFINE,
            "{context_msg} {query_str}",
            "warning",
            "{existing_answer}\n{context_msg} {query_str}",
        ),
    ],
)
def test_one_problem_is_told_once_and_its_fix_leaves_none(name, text, level, mended):
    [problem] = found(name, text)
    assert problem.level == level
    assert problem.fix.label == f"{'Add' if mended.count(chr(10)) else 'Use'} {problem.fix.new}"
    assert apply_fix(text, problem.fix) == mended
    assert found(name, mended) == []


def test_only_a_name_that_is_missing_is_taken_for_one_that_is_less_alike():
    for text, meant in (("", {"qestion_str": "query_str"}), ("{query_str}", {})):
        template = PromptTemplate(f"{{context_str}} {{qestion_str}} {text}")
        assert find_misspelt("text_qa_template", template) == meant


LARGE = {
    "too long": "{context_str} {query_str}" + "x" * MOST_CHARACTERS,
    "too many variables": "{context_str} {query_str}"
    + "".join(f"{{v{number}}}" for number in range(MOST_VARIABLES)),
}


@pytest.mark.parametrize("text", LARGE.values(), ids=LARGE)
def test_a_template_that_is_too_large_is_refused_by_its_bound_and_not_looked_through(text):
    [finding] = found("text_qa_template", text)
    assert finding.level == "error"
    assert re.search(r"has [\d,]+ (characters|variables), and [\d,]+ are the most", finding.message)
    assert len(custom_variables(PromptTemplate(text))) <= MOST_VARIABLES
    beside = ChatPromptTemplate([("user", "Hi")], default_template=PromptTemplate(text))
    for template in (PromptTemplate(text), beside):
        with pytest.raises(TemplateError, match=r"text_qa_template has .* are the most"):
            get_response_synthesizer("compact", FunctionLLM(str), text_qa_template=template)
    synthesizer = get_response_synthesizer("compact", FunctionLLM(str))
    with pytest.raises(TemplateError, match="are the most"):
        synthesizer.update_prompts({"text_qa_template": PromptTemplate(text)})


def work(names):
    """How many calls of functions the linter takes for this many misspelt names."""
    text = "".join(f"{{query_st{number}}}" for number in range(names)) * 60
    return calls_of(lint, "text_qa_template", PromptTemplate(text), (), CL100K, 4000)


def test_the_work_grows_with_the_template_and_no_faster():
    assert work(80) < 2.2 * work(40)
