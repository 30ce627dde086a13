"""Any text as a template, and any names for variables: nothing but a SynthError comes of it."""

import importlib
import inspect
import pkgutil

import pytest
from hypothesis import given
from hypothesis import strategies as st

import synth
from synth.errors import SynthError, TemplateError
from synth.export.recipe import Recipe
from synth.llms import FunctionLLM
from synth.modes.advice.lint import apply_fix, custom_variables, find_misspelt, lint
from synth.modes.advice.what_if import totals
from synth.modes.factory import get_response_synthesizer
from synth.modes.inputs import RESERVED
from synth.modes.registry import MODES
from synth.prompts.templates import TEMPLATES, ChatPromptTemplate, PromptTemplate
from synth.text.tokens import get_tokenizer
from tests.examples import examples
from tests.recipes import recipe_values

CHUNKS = ("alpha beta", "gamma")
GIVEN = {"query_str", "text_chunks", "query", "nodes"}  # Python itself refuses these given twice
CL100K = get_tokenizer("cl100k_base")

names = st.sampled_from([*sorted(RESERVED), "self", "cls", "name", "template", "values"]) | st.text(
    max_size=8
)
pieces = st.one_of(
    st.text(max_size=20),
    names.map("{{{}}}".format),
    st.sampled_from(
        ["{", "}", "{{", "}}", "{}", "{0}", "{a!r}", "{a:>10}", "{query_str.__class__}", "{ tone }"]
    ),
)
templates = st.lists(pieces, max_size=8).map("".join)
variables = st.dictionaries(names, st.text(max_size=8), max_size=3)


def only_synth_errors(function, *args, **more):
    try:
        return function(*args, **more)
    except SynthError:
        return None


@given(st.sampled_from(sorted(TEMPLATES)), templates, variables)
@examples(200)
def test_any_text_is_linted_and_filled(name, text, values):
    for template in (PromptTemplate(text), ChatPromptTemplate([("system", text), ("user", text)])):
        problems = lint(name, template, values, CL100K, 400)
        for problem in problems:
            assert problem.fix is None or isinstance(apply_fix(text, problem.fix), str)
        assert not set(custom_variables(template)) & RESERVED
        assert set(find_misspelt(name, template)) <= set(custom_variables(template))
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
