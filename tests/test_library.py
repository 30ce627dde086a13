"""The package as its callers see it: what is public, and the examples of the pages about it."""

import ast
import doctest
import inspect
import io
import re
import subprocess
import sys
from contextlib import redirect_stdout
from importlib import import_module
from pathlib import Path

import pytest
from openinference.instrumentation.llama_index import LlamaIndexInstrumentor

import synth
from synth.modes.registry import MODES
from tests.fake_openai import Answer, FakeOpenAI
from tests.page_examples import examples
from tests.traces.application import end

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "library.md"
EXAMPLES = [*examples(ROOT / "README.md"), *examples(PAGE)]
ROWS = re.findall(r"^\| `(synth[\w.]*)`.*? \| (.*) \|$", PAGE.read_text("utf-8"), re.MULTILINE)
NAMES = [(module, name) for module, names in ROWS for name in re.findall(r"`(\w+)`", names)]
PUBLIC = {module: {name for there, name in NAMES if there == module} for module, _ in NAMES}
ENDPOINT = "http://localhost:4000/v1"  # as the page has it


each_example = pytest.mark.parametrize("example", EXAMPLES, ids=str)


@pytest.fixture
def modes():
    """The modes, which are afterwards as they were before."""
    before = dict(MODES)
    yield
    MODES.clear()
    MODES.update(before)


@each_example
@pytest.mark.usefixtures("modes")
def test_an_example_prints_what_the_page_shows(example, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # where an example may write a file
    lines_above = "\n" * (example.line - 1)  # so that a traceback has the lines of the page
    printed = io.StringIO()
    with FakeOpenAI(Answer("It was set to 8."), models=["qwen3", "llama3.2"]) as server:
        code = lines_above + example.code.replace(ENDPOINT, server.base_url)
        with redirect_stdout(printed):
            exec(compile(code, str(example.page), "exec"), {"__name__": "example"})
    if "LlamaIndexInstrumentor" in example.code:
        end(LlamaIndexInstrumentor())
    assert printed.getvalue() == example.output


@each_example
def test_an_example_imports_public_names_alone(example):
    for node in ast.walk(ast.parse(example.code)):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("synth"):
            assert {alias.name for alias in node.names} <= PUBLIC[node.module]
        elif isinstance(node, ast.Import):
            assert not [alias.name for alias in node.names if alias.name.startswith("synth")]


def test_every_block_of_the_page_belongs_to_an_example():
    blocks = re.findall(r"^```(\w+)$", PAGE.read_text("utf-8"), re.MULTILINE)
    assert blocks == ["python", "text"] * len(examples(PAGE))
    assert blocks


def test_the_page_names_everything_public_once():
    assert PUBLIC["synth"] == set(synth.__all__)
    assert len({name for _, name in NAMES}) == len(NAMES) > len(synth.__all__)


EXTRAS = {  # what needs each package, and the extra that brings it
    "synth.get_response_synthesizer().plan('Why?', ['A']).to_frame()": ("pandas", "frames"),
    "synth.OpenAILLM": ("httpx2", "openai"),
    "from synth.llms import list_models": ("httpx2", "openai"),
    "from synth.llms.model_prices import model_facts; model_facts('gpt-4o')": (
        "genai_prices",
        "openai",
    ),
    "from synth.quality import read_questions; read_questions('a.yml', '')": ("yaml", "quality"),
}
WITHOUT = """
import sys
sys.modules |= dict.fromkeys(["pandas", "httpx2", "genai_prices", "yaml"])
import synth
for use in sys.argv[1:]:
    try:
        exec(use)
    except ModuleNotFoundError as problem:
        print(problem)
"""


@pytest.mark.slow
def test_what_needs_an_extra_names_it():
    command = [sys.executable, "-c", WITHOUT, *EXTRAS]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines() == [
        f"The package {package} is not installed: install synthesis-playground[{extra}], which"
        " brings it."
        for package, extra in EXTRAS.values()
    ]


def signatures(thing):
    """The public functions of a class, or the function itself, each with the module it is in."""
    owners = thing.__mro__ if inspect.isclass(thing) else [thing]
    for owner in owners:
        if owner.__module__.startswith("synth."):
            scope = vars(import_module(owner.__module__))
            members = vars(owner).items() if inspect.isclass(owner) else [("", owner)]
            for name, member in members:
                function = getattr(member, "fget", None) or getattr(member, "func", member)
                function = getattr(function, "__func__", function)
                if inspect.isfunction(function) and not name.startswith("_"):
                    yield function, scope


@pytest.mark.parametrize(("module", "name"), NAMES)
def test_a_public_name_is_there_and_the_classes_in_its_signature_are_public(module, name):
    assert not name.startswith("_")
    thing = getattr(import_module(module), name)
    if not (inspect.isroutine(thing) or inspect.isclass(thing)):
        return
    known = {one for _, one in NAMES}
    for function, scope in signatures(thing):
        for word in re.findall(r"\w+", " ".join(map(str, function.__annotations__.values()))):
            kind = scope.get(word)
            if inspect.isclass(kind) and kind.__module__.startswith("synth."):
                assert word in known, function.__qualname__


WITH_EXAMPLES = [
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for path in sorted((ROOT / "synth").rglob("*.py"))
    if ">>>" in path.read_text("utf-8")
]


@pytest.mark.parametrize("name", WITH_EXAMPLES)
def test_examples_of_docstrings_print_what_they_show(name):
    failed, tried = doctest.testmod(import_module(name))
    assert tried
    assert not failed
