"""Lint knows what each mode passes to each template; any text is one that is filled or refused."""

import importlib
import inspect
import pkgutil
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synth
from synth import ChatPromptTemplate, PromptTemplate, get_response_synthesizer
from synth.errors import SynthError, TemplateError
from synth.export.recipe import Recipe
from synth.llms import FunctionLLM
from synth.modes.adviser import totals
from synth.modes.inputs import RESERVED
from synth.modes.lint import (
    apply_fix,
    custom_variables,
    describe_order,
    find_misspelt,
    lint,
    put_chunks_first,
)
from synth.modes.registry import MODES
from synth.prompts.templates import (
    CHAT_DEFAULTS,
    DEFAULTS,
    MOST_CHARACTERS,
    MOST_VARIABLES,
    TEMPLATES,
)
from tests.calls import calls_of
from tests.examples import examples
from tests.recipes import recipe_values


def found(name, text, variables=()):
    return lint(name, PromptTemplate(text), variables)


@pytest.mark.parametrize("name", TEMPLATES)
def test_our_own_templates_are_clean(name):
    assert lint(name, DEFAULTS[name], ()) == []
    assert lint(name, CHAT_DEFAULTS[name], ()) == []


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
    [finding] = lint("text_qa_template", chat, [name])
    assert finding.message == wanted


def test_a_reserved_name_is_an_error_and_without_a_value_it_is_sent_as_it_stands():
    [finding] = found("text_qa_template", "{context_str} {query_str} {log}", ["log"])
    assert finding.level == "error"
    for name in ("log", "self"):
        [finding] = found("text_qa_template", f"{{context_str}} {{query_str}} {{{name}}}")
        assert finding.level == "warning"
        said = f"{{{name}}} is a reserved name of this package: rename it."
        assert finding.message == said


@pytest.mark.parametrize(
    "code", ["{% if tone %}", "{{ tone | upper }}", "{{#tone}}", "{{ tone.x }}", "{# note #}"]
)
def test_what_is_computed_nowhere_is_named(code):
    [finding] = found("text_qa_template", f"{{context_str}} {{query_str}} {code}")
    assert finding == ("warning", f"{code} is computed nowhere: it is sent as it stands.", None)


def test_chat_templates_are_read_in_all_their_messages():
    chat = ChatPromptTemplate.from_messages(
        [("system", "Speak {tone}."), ("user", "{context_str} {query_str} {tone} {person}")]
    )
    assert custom_variables(chat) == ["tone", "person"]
    assert [f.level for f in lint("text_qa_template", chat, ["person"])] == ["warning"]


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
        (QA, WHOLE + " {query_string}", "warning", WHOLE + " {query_str}"),
        (QA, "{{context_str}} {query_str}", "warning", WHOLE),
        (QA, "{{ context_str }} {query_str}", "error", WHOLE),
        (QA, "{{ text }} {query_str}", "error", WHOLE),
        (QA, "{context_str} {question}", "warning", WHOLE),
        (QA, WHOLE + ' {{"a": 1}}', "warning", WHOLE + ' {"a": 1}'),
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


@pytest.mark.parametrize(
    ("name", "text", "before", "chunks_first"),
    [
        (QA, "{query_str}: {context_str}.", "{query_str} stands", "{context_str}: {query_str}."),
        (QA, "{tone} {context_str}, {query_str}", "", "{tone} {context_str}, {query_str}"),
        (QA, "{query_str}", "", "{query_str}"),
        (
            REFINE,
            "{query_str}, {existing_answer} {x} {query_str}; {context_msg}",
            "{query_str} and {existing_answer} stand",
            "{context_msg}, {query_str} {x} {existing_answer}; {query_str}",
        ),
    ],
)
def test_what_stands_before_the_chunks_is_named_and_can_stand_behind_them(
    name, text, before, chunks_first
):
    said = describe_order(name, PromptTemplate(text))
    assert said.partition(" before ")[0] == before
    [(_, reordered)] = put_chunks_first(name, [("user", text)])
    assert reordered == chunks_first
    assert describe_order(name, PromptTemplate(reordered)) == ""


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
    return calls_of(lint, "text_qa_template", PromptTemplate(text), ())


def test_the_work_grows_with_the_template_and_no_faster():
    assert work(80) < 2.2 * work(40)


CHUNKS = ("alpha beta", "gamma")
GIVEN = {"query_str", "text_chunks", "query", "nodes"}  # Python itself refuses these given twice

names = st.sampled_from([*sorted(RESERVED), "self", "cls", "name", "template", "values"]) | st.text(
    max_size=8
)
pieces = st.one_of(
    st.text(max_size=20),
    names.map("{{{}}}".format),
    st.sampled_from(
        [
            "{",
            "}",
            "{{",
            "}}",
            "{{ tone }}",
            "{question}",
            "{}",
            "{0}",
            "{a!r}",
            "{a:>10}",
            "{query_str.__class__}",
            "{ tone }",
        ]
    ),
)
templates = st.lists(pieces, max_size=8).map("".join)
variables = st.dictionaries(names, st.text(max_size=8), max_size=3)


def only_synth_errors(function, *args, **more):
    try:
        return function(*args, **more)
    except SynthError:
        return None


def fixes(name, template, values):
    problems = lint(name, template, values)
    return [problem.fix for problem in problems if problem.fix is not None]


@given(st.sampled_from(sorted(TEMPLATES)), templates, variables)
@examples(200)
def test_any_text_is_linted_and_filled(name, text, values):
    for template in (PromptTemplate(text), ChatPromptTemplate([("system", text), ("user", text)])):
        for fix in fixes(name, template, values):
            fixed = ChatPromptTemplate([("user", apply_fix(text, fix))])
            assert fix.new not in {after.old for after in fixes(name, fixed, values)}
        assert not set(custom_variables(template)) & RESERVED
        filled = template.partial_format(**values)
        assert filled.format() == template.format(**values) == template.fill(**values).text
        assert filled.format_messages() == template.format_messages(**values)


@given(st.sampled_from(sorted(MODES)), st.booleans(), templates, variables)
@examples(200)
def test_any_template_and_any_variables_are_planned_and_run(mode, as_llama_index, text, values):
    texts = {name: PromptTemplate(text) for name in MODES[mode].templates}
    made = get_response_synthesizer(
        mode,
        FunctionLLM(lambda prompt: "yes", context_window=400, num_output=20),
        behaviour="llama_index" if as_llama_index else "documented",
        **texts,
    )
    values = {name: value for name, value in values.items() if name not in GIVEN}
    for ask in (made.plan, made.bounds, made.run, made.get_response, made.synthesize):
        only_synth_errors(ask, "why", CHUNKS, **values)


@given(st.sampled_from(sorted(MODES)), templates, variables)
@examples(100)
def test_any_recipe_is_planned_or_refused(mode, text, values):
    given = recipe_values(mode) | {
        "templates": tuple((name, (("user", text),)) for name in MODES[mode].templates),
        "variables": tuple(values.items()),
    }
    recipe = Recipe(mode=mode, query_str="why", text_chunks=CHUNKS, context_window=400, **given)
    made = only_synth_errors(recipe.synthesizer)
    if made is not None:
        only_synth_errors(made.plan, "why", CHUNKS, answer_tokens=5, **values)
        totals(made, "why", CHUNKS, 5, values)


@pytest.mark.parametrize("name", sorted(RESERVED))
def test_a_name_that_is_taken_is_refused_by_name_wherever_variables_come_from_a_template(name):
    made = get_response_synthesizer("accumulate", FunctionLLM(str))
    refused = totals(made, "why", CHUNKS, 5, {name: "x"})
    assert f"{name} can't be a custom variable" in refused.problem or (
        f"get_response has no {name}: " in refused.problem
    )


@pytest.mark.parametrize("method", ["plan", "bounds", "run", "stream", "get_response"])
def test_a_variable_called_self_is_refused_by_name(method):
    made = get_response_synthesizer("refine", FunctionLLM(str))
    with pytest.raises(TemplateError, match="self can't be a custom variable"):
        list(getattr(made, method)("why", CHUNKS, **{"self": "x"}))


def functions():
    """All functions of the package that take any names, with those names' parameter."""
    for info in pkgutil.walk_packages(synth.__path__, "synth."):
        if ".export.code" in info.name:
            continue  # texts of programs for other people
        module = importlib.import_module(info.name)
        classes = [one for _, one in inspect.getmembers(module, inspect.isclass)]
        for owner in (module, *classes):
            for _, function in inspect.getmembers(owner, inspect.isfunction):
                if function.__module__.startswith("synth."):
                    found = inspect.signature(function).parameters.values()
                    yield from (
                        (function, one, found) for one in found if one.kind == one.VAR_KEYWORD
                    )


def test_no_argument_beside_variables_can_be_taken_for_one():
    """`separator` is an argument of accumulate's, by LlamaIndex's documents."""
    checked = set()
    for function, open_names, found in functions():
        closed = {one.name for one in found if one.kind == one.POSITIONAL_OR_KEYWORD}
        if open_names.name == "variables":
            assert closed <= RESERVED | {"separator"}, function.__qualname__
        elif open_names.name == "values":
            assert closed <= {"llm"}, function.__qualname__  # an argument of LlamaIndex's
        checked.add(open_names.name)
    assert {"variables", "values"} <= checked
