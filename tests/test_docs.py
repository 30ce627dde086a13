"""The documents: what they name is there."""

import builtins
import re
from pathlib import Path

import pytest

from tests.test_imports import ORDER

ROOT = Path(__file__).parents[1]
MAP = (ROOT / "docs" / "architecture.md").read_text("utf-8")
PAGES = [ROOT / f"{name}.md" for name in ("README", "CONTRIBUTING", "CHANGELOG", "AGENTS")]
PAGES += sorted((ROOT / "docs").glob("*.md"))
FILE = re.compile(r"`((?:ui|synth|tests|pages|scripts|benchmarks|docs)/[\w/.]*)`")
LINK = re.compile(r"\]\((?!https?://)([^)#]+)")
MOST_WORDS = {"README.md": 1_200, "docs/architecture.md": 3_500}
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
