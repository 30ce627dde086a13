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
ORDER = [
    "errors",
    "elsewhere",
    "schema",
    "data_structs",
    "text",
    "documents",
    "prompts",
    "runs",
    "llms",
    "modes",
    "response_synthesizers",
    "pictures",
    "quality",
    "export",
    "traces",
    "words",
    "html",
    "terminal",
    "__main__",
]
FLOOR = ROOT / "benchmarks" / "floor.py"  # an app of its own, to measure Streamlit by itself
MESSAGES = "streamlit.proto"  # what goes over the wire, which a benchmark reads


def modules(folder):
    return sorted((ROOT / folder).rglob("*.py"))


def dotted(path):
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@cache
def imported(path):
    """The modules that a file imports, anywhere in it, those for type checkers included."""
    tree = ast.parse(path.read_text("utf-8"))
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found = [f"{node.module}.{alias.name}" for alias in node.names]
            names |= {name if is_module(name) else node.module for name in found}
    return names


def is_module(name):
    path = ROOT.joinpath(*name.split("."))
    return path.with_suffix(".py").exists() or (path / "__init__.py").exists()


def room(name):
    """The room of the house that a module of synth is in; None for synth itself, and for others."""
    top, *rest = name.split(".")
    return rest[0] if top == "synth" and rest else None


def rank(name):
    return ORDER.index(room(name))


SYNTH = [path for path in modules("synth") if dotted(path) != "synth"]


def test_every_module_of_synth_has_its_room():
    assert {room(dotted(path)) for path in SYNTH} == set(ORDER)


def circle(imports):
    """The modules of one circle of imports; none where there is no circle."""
    try:
        TopologicalSorter(imports).prepare()
    except CycleError as found:
        return found.args[1]
    return []


@pytest.mark.parametrize("folder", ["synth", "ui"])
def test_no_module_imports_itself_by_way_of_others(folder):
    assert not circle({dotted(path): imported(path) for path in modules(folder)})


def test_a_circle_is_found():
    assert set(circle({"a": {"b"}, "b": {"c"}, "c": {"a"}})) == {"a", "b", "c"}


@pytest.mark.parametrize("path", SYNTH, ids=dotted)
def test_imports_go_one_way(path):
    for name in imported(path):
        if room(name) is not None:
            assert rank(name) <= rank(dotted(path)), f"{dotted(path)} imports {name}"


@pytest.mark.parametrize("path", modules("synth/modes"), ids=dotted)
def test_modes_know_no_model_but_which_one_is_the_default(path):
    models = {name for name in imported(path) if room(name) == "llms"}
    assert models <= {"synth.llms.default"}


ASKED = {"synth.runs.llm", "synth.runs.prices", "synth.runs.steps"}
"""What models know of runs: what they are asked, what they return, what that costs."""


@pytest.mark.parametrize("path", modules("synth/llms"), ids=dotted)
def test_models_do_not_know_who_calls_them(path):
    assert {name for name in imported(path) if room(name) == "runs"} <= ASKED


@pytest.mark.parametrize("path", modules("synth"), ids=dotted)
def test_synth_draws_nothing(path):
    roots = {name.split(".")[0] for name in imported(path)}
    assert not roots & {"streamlit", "plotly", "ui", "app", "tests"}
    if not dotted(path).startswith("synth.llms."):
        assert "openai" not in roots


ALGORITHMS = {mode.__module__ for mode in MODES.values()}


@pytest.mark.parametrize("name", sorted(ALGORITHMS))
def test_modes_know_nothing_of_behaviours(name):
    path = ROOT.joinpath(*name.split(".")).with_suffix(".py")
    assert "behaviour" not in path.read_text("utf-8")


# A default, the columns to begin with, and what llama-index-core does in one mode alone.
NAMES_A_MODE = {"schema.py", "columns.py", "upstream.py"}
MODE_NAMES = set(ResponseMode)


def knows_modes(path):
    """Whether a file is of the modes, gives them their older names, or is a lesson on one."""
    return path.parent.name in ("modes", "lessons", "response_synthesizers")


@pytest.mark.parametrize("path", [*modules("synth"), *modules("ui")], ids=dotted)
def test_what_is_true_of_a_mode_is_said_by_the_mode(path):
    if knows_modes(path) or path.name in NAMES_A_MODE:
        return
    tree = ast.parse(path.read_text("utf-8"))
    texts = {node.value for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert not MODE_NAMES & texts
    if dotted(path) != "synth":
        assert not ALGORITHMS & imported(path)


ROOMS = [
    "headers",
    "look",
    "session",
    "settings",
    "plans",
    "history",
    "received",
    "runs",
    "views",
    "export",
    "controls",
    "imported",
    "pages",
    "kept",
    "frame",
]


def ui_room(name):
    """The room of `ui` that a module is in; None for ui itself, and for others."""
    top, *rest = name.split(".")
    return rest[0] if top == "ui" and rest else None


UI = [path for path in modules("ui") if dotted(path) != "ui"]


def test_every_module_of_ui_has_its_room():
    assert {ui_room(dotted(path)) for path in UI} == set(ROOMS)


@pytest.mark.parametrize("path", UI, ids=dotted)
def test_a_value_goes_through_the_rooms_of_ui_in_one_direction(path):
    own = ui_room(dotted(path))
    rooms = {ui_room(name) for name in imported(path)} - {None}
    assert max(map(ROOMS.index, rooms), default=0) <= ROOMS.index(own)


@pytest.mark.parametrize("path", modules("ui/pages"), ids=dotted)
def test_pages_do_not_import_pages(path):
    pages = {name.split(".")[2] for name in imported(path) if name.startswith("ui.pages.")}
    assert pages <= set(dotted(path).split(".")[2:3])


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
    "ui/history",
    "ui/plans",
    "ui/pages/compare/analysis",
    "ui/pages/learn/lessons",
)
REPORTS = [path for path in modules("ui/export") if path.stem != "popover"]


@pytest.mark.parametrize(
    "path", [*REPORTS, *(path for name in PURE for path in modules(name))], ids=dotted
)
def test_what_draws_nothing_does_not_know_streamlit(path):
    assert not {name for name in imported(path) if name.split(".")[0] == "streamlit"}


def loaded_by(modules):
    """The packages that a fresh interpreter has loaded after it imported these modules."""
    code = f"import {', '.join(sorted(modules))}, sys; print(*sys.modules)"
    command = [sys.executable, "-c", code]
    done = subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True)
    return {name.split(".")[0] for name in done.stdout.split()}


SLOW = {"bm25s", "genai_prices", "openai", "pandas", "pypdf", "scipy", "yaml"}


def test_synth_loads_little():
    loaded = loaded_by({"synth", "synth.quality"})
    assert {"numpy", "pydantic", "tiktoken"} <= loaded
    assert not loaded & (SLOW | {"markupsafe", "plotly", "streamlit"})


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
