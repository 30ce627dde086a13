"""The documents: what they name is there."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
FILE = re.compile(r"`((?:ui|synth|tests|pages|scripts|benchmarks|docs)/[\w/.]*)`")
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
WAY = re.compile(r"`(?:ui/)?([a-z_/]+\.py)`")


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_each_file_that_a_page_names_is_there(page):
    text = page.read_text("utf-8")
    named = {ROOT / name for name in FILE.findall(text)}
    named |= {page.parent / name for name in LINK.findall(text)}
    assert not {path.relative_to(ROOT) for path in named if not path.resolve().exists()}


def test_the_ways_through_ui_name_files_of_ui():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    ways = text.partition("## Three ways through `ui/`")[2].partition("\n## ")[0]
    files = WAY.findall(ways)
    assert len(files) > 30
    assert not [name for name in files if not (ROOT / "ui" / name).exists()]


def test_the_table_of_rooms_has_every_room():
    text = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    rooms = {path.parent.name for path in (ROOT / "ui").glob("*/__init__.py")}
    assert rooms <= set(re.findall(r"`(\w+)`", text.partition("| room |")[2].partition("\n\n")[0]))
