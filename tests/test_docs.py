"""The documents: what they name is there, and benchmarks still come to their last row."""

import builtins
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_imports import ORDER

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "AGENTS")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
SOURCES = [path for house in ("synth", "ui") for path in sorted((ROOT / house).rglob("*.py"))]
FOLDER = re.compile(r"`((?:ui|synth|tests|pages|scripts|benchmarks|docs)/[\w/]*)`")
FILE = re.compile(r"(?<![\w/.*{}-])(?:[\w-]+/|\.\./)*[\w-]+\.(?:py|css|js|toml|md|ipynb|png)\b")
EXAMPLES = {"vote.py", "this_file.py", "with_llama_index.py"}  # which a reader writes or saves
MOST_WORDS = {"README.md": 1_200, "docs/architecture.md": 3_500}
CALLED = re.compile(r"(?<![.\w])([A-Za-z_]\w+)\(")


def find_missing(path):
    text = path.read_text("utf-8")
    folders = [ROOT / name for name in FOLDER.findall(text)]
    names = {*FILE.findall(text)} - EXAMPLES
    # A name alone stands in the folder of a file that is named as well.
    places = [ROOT, path.parent, *folders, *{(ROOT / name).parent for name in names}]
    missing = [name for name in names if not any((place / name).is_file() for place in places)]
    return missing + [folder for folder in folders if not folder.is_dir()]


def test_each_file_that_a_page_or_a_module_names_is_there():
    assert not {str(path): missing for path in PAGES + SOURCES if (missing := find_missing(path))}


def test_what_the_library_page_calls_in_a_sentence_is_there():
    text = (ROOT / "docs" / "library.md").read_text("utf-8")
    sentences = re.sub(r"(?ms)^```.*?^```$", "", text)  # blocks are run
    called = {
        name for code in re.findall(r"`([^`\n]+)`", sentences) for name in CALLED.findall(code)
    }
    source = "\n".join(path.read_text("utf-8") for path in (ROOT / "synth").rglob("*.py"))
    assert called
    elsewhere = {*dir(builtins), "TextNode"}
    assert called <= elsewhere | {*re.findall(r"\b(?:def|class) (\w+)", source)}


@pytest.mark.parametrize(("page", "most"), MOST_WORDS.items())
def test_a_page_for_newcomers_stays_short(page, most):
    assert len((ROOT / page).read_text("utf-8").split()) <= most


@pytest.mark.parametrize(
    ("house", "head"), [("synth", "| room of `synth` |"), ("ui", "| room of `ui` |")]
)
def test_the_table_of_rooms_has_every_room_in_order(house, head):
    rows = MAP.partition(head)[2].partition("\n\n")[0].splitlines()[2:]
    rooms = [name for row in rows for name in re.findall(r"`(\w+)`", row.split(" | ")[0])]
    assert rooms == [name for name in ORDER[house] if name != "__main__"]


LAST = {
    "benchmarks.history 20": "| open a run |",
    "benchmarks.bounds 4": "4 runs, 0 outside their bounds",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", LAST)
def test_a_benchmark_comes_to_its_last_row(command):
    line = [sys.executable, "-m", *command.split()]
    root = Path(__file__).parents[1]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    assert f"\n{LAST[command]}" in done.stdout, done.stderr
