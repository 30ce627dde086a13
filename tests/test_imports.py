"""The house: imports go one way, and what may be imported where."""

import ast
import subprocess
import sys
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from synth import ResponseMode
from synth.modes.registry import MODES

ROOT = Path(__file__).parents[1]
# fmt: off
ORDER = {
    "synth": [
        "errors", "elsewhere", "lazy", "schema", "data_structs", "text", "documents", "prompts",
        "runs", "llms", "modes", "response_synthesizers", "pictures", "quality", "export", "traces",
        "words", "html", "terminal", "__main__",
    ],
    "ui": [
        "look", "session", "settings", "plans", "store", "received", "runs",
        "views", "export", "controls", "pages", "workspaces", "frame",
    ],
}
# fmt: on
"""The rooms of each house: a module imports from its own room and from those before it."""
FLOOR = ROOT / "benchmarks" / "floor.py"  # an app of its own, to measure Streamlit by itself
MESSAGES = "streamlit.proto"  # what goes over the wire, which a benchmark reads


def modules(folder):
    return sorted((ROOT / folder).rglob("*.py"))


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def nodes(path):
    return [*ast.walk(ast.parse(path.read_text("utf-8")))]


@cache
def imported(path):
    """The modules that a file imports, anywhere in it, those for type checkers included."""
    names = set()
    for node in nodes(path):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {name if is_module(name) else node.module for name in found}
    return names


@cache
def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def room(name):
    """The room of its house that a module is in; None for a house itself, and for others."""
    top, *rest = name.split(".")
    return rest[0] if top in ORDER and rest else None


def rank(name):
    return ORDER[name.split(".")[0]].index(room(name))


each_house = pytest.mark.parametrize("house", ORDER)


@each_house
def test_every_module_has_its_room_and_imports_go_one_way(house):
    inside = [path for path in modules(house) if dotted(path) != house]
    assert {room(dotted(path)) for path in inside} == {*ORDER[house]}
    wrong = [
        f"{dotted(path)} imports {name}"
        for path in inside
        for name in imported(path)
        if name.startswith(f"{house}.") and rank(name) > rank(dotted(path))
    ]
    assert not wrong


def circle(imports):
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return found.args[1]
    return []


@each_house
def test_no_module_imports_itself_by_way_of_others(house):
    assert not circle({dotted(path): imported(path) for path in modules(house)})


def test_modes_know_no_model_but_which_one_is_the_default():
    names = set().union(*map(imported, modules("synth/modes")))
    assert {name for name in names if room(name) == "llms"} <= {"synth.llms.default"}


ASKED = {f"synth.runs.{name}" for name in ("llm", "prices")}
"""What models know of runs: what they are asked, what they return, what that costs."""


def test_models_do_not_know_who_calls_them():
    names = set().union(*map(imported, modules("synth/llms")))
    assert {name for name in names if name.startswith("synth.runs")} <= ASKED


def test_synth_draws_nothing():
    for path in modules("synth"):
        roots = {name.split(".")[0] for name in imported(path)}
        assert not roots & {"streamlit", "plotly", "ui", "app", "tests"}, dotted(path)
        assert "openai" not in roots or dotted(path).startswith("synth.llms."), dotted(path)


ALGORITHMS = {mode.__module__ for mode in MODES.values()}


def test_modes_know_nothing_of_behaviours():
    for name in ALGORITHMS:
        path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
        assert "behaviour" not in path.read_text("utf-8"), name


# A default, the columns to begin with, and the cards of the Playground.
NAMES_A_MODE = {"ui.settings.schema", "ui.pages.compare.columns", "ui.controls.modes"}
MODE_NAMES = set(ResponseMode)


def knows_modes(path):
    """Whether a file is of the modes, gives them their older names, or is a lesson on one."""
    return path.parent.name in ("modes", "lessons", "response_synthesizers")


def test_what_is_true_of_a_mode_is_said_by_the_mode():
    for path in [*modules("synth"), *modules("ui")]:
        if knows_modes(path) or dotted(path) in NAMES_A_MODE:
            continue
        texts = {node.value for node in nodes(path) if isinstance(node, ast.Constant)}
        assert not MODE_NAMES & texts, dotted(path)
        assert not ALGORITHMS & imported(path) or dotted(path) == "synth", dotted(path)


def test_pages_do_not_import_pages():
    for path in modules("ui/pages"):
        pages = {name.split(".")[2] for name in imported(path) if name.startswith("ui.pages.")}
        assert pages <= {*dotted(path).split(".")[2:3]}, dotted(path)


def draws(name):
    return name.split(".")[0] == "streamlit" and not name.startswith(MESSAGES)


def test_streamlit_is_for_the_pages_alone():
    drawing = {
        path.relative_to(ROOT).parts[0]
        for folder in ("synth", "ui", "pages", "benchmarks")
        for path in modules(folder)
        if path != FLOOR and any(map(draws, imported(path)))
    }
    assert drawing <= {"ui", "pages"}


PURE = (
    "ui/store",
    "ui/plans",
    "ui/pages/learn/lessons",
)
REPORTS = [path for path in modules("ui/export") if path.stem != "run_files"]


COMPARED = [ROOT / "ui/pages/compare" / f"{name}.py" for name in ("comparison", "figures")]


def test_what_draws_nothing_does_not_know_streamlit():
    for path in [*REPORTS, *COMPARED, *(path for name in PURE for path in modules(name))]:
        assert not {name for name in imported(path) if name.split(".")[0] == "streamlit"}, path


def loaded_by(modules):
    """The packages that a fresh interpreter has loaded after it imported these modules."""
    code = f"import {', '.join(sorted(modules))}, sys; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return {name.split(".")[0] for name in done.stdout.split()}


SLOW = {"bm25s", "genai_prices", "openai", "pandas", "pypdf", "scipy", "yaml"}


def test_synth_loads_little():
    loaded = loaded_by({"synth", "synth.quality"})
    assert {"pydantic", "tiktoken"} <= loaded
    assert not loaded & (SLOW | {"awkward", "gigatoken", "markupsafe", "numpy", "streamlit"})


@pytest.mark.slow
def test_the_first_plan_waits_for_nothing_that_it_does_not_need():
    loaded = loaded_by(imported(ROOT / "app.py"))
    assert "streamlit" in loaded
    assert not loaded & SLOW


def test_the_check_sees_an_import_that_goes_the_wrong_way(tmp_path):
    for above in ("if TYPE_CHECKING:", "def late():"):
        wrong = tmp_path / f"{len(above)}.py"
        wrong.write_text(f"{above}\n    from synth.runs.drivers import stream\n")
        assert imported(wrong) == {"synth.runs.drivers"}
    assert rank("synth.runs.drivers") > rank("synth.prompts.packing")
