"""The documents: what they name is there."""

import builtins
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
FILE = re.compile(r"`((?:ui|synth|tests|pages|scripts|benchmarks|docs)/[\w/.]*)`")
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
WAY = re.compile(r"`(?:ui/)?((?!synth/)[a-z_/]+\.py)`")
CALLED = re.compile(r"(?<![.\w])([A-Za-z_]\w+)\(")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_file_that_a_page_names_is_there(page):
    text = page.read_text("utf-8")
    named = {ROOT / name for name in FILE.findall(text)}
    named |= {page.parent / name for name in LINK.findall(text)}
    assert not {path.relative_to(ROOT) for path in named if not path.resolve().exists()}


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


def test_the_ways_through_ui_name_files_of_ui():
    ways = MAP.partition("## Three ways through `ui/`")[2].partition("\n## ")[0]
    files = WAY.findall(ways)
    assert len(files) > 25
    assert not [name for name in files if not (ROOT / "ui" / name).exists()]


def test_a_file_that_the_map_names_without_its_folder_is_somewhere():
    folders = ("synth", "ui", "pages", "tests")
    there = {path.name for name in folders for path in (ROOT / name).rglob("*.*")}
    there |= {path.name for path in ROOT.glob("*.py")}
    bare = re.findall(r"`([\w-]+\.(?:py|js|css|svg|toml))`", MAP)
    assert len(bare) > 80
    assert not set(bare) - there


@pytest.mark.parametrize(("house", "head"), [("synth", "| room of `synth` |"), ("ui", "| room |")])
def test_the_table_of_rooms_has_every_room_and_names_its_modules(house, head):
    rooms = set()
    for row in MAP.partition(head)[2].partition("\n\n")[0].splitlines()[2:]:
        in_row, named = (re.findall(r"`(\w+)/?`", cell) for cell in row.split(" | ", 1))
        rooms |= {*in_row}
        files = [*(ROOT / house).glob("*.py")]
        for room in in_row:
            files += (ROOT / house / room).rglob("*")
        assert not {*named} - {path.stem for path in files}
    folders = {path.parent.name for path in (ROOT / house).glob("*/__init__.py")}
    assert folders <= rooms | {"response_synthesizers"}  # which has names of other rooms alone
