"""The size of the house: it has no more lines than pyproject.toml allows, and no denser ones."""

import ast
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
HOUSE = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["house"]
PARTS = {
    "product": ["synth", "ui", "pages", "app.py", "server.py"],
    "tests": ["tests"],
}
NAMES = ast.Name | ast.Attribute | ast.arg | ast.keyword
IMPORTS = ast.Import | ast.ImportFrom

each_part = pytest.mark.parametrize("part", PARTS)


def texts(part):
    places = [ROOT / name for name in PARTS[part]]
    files = [place for place in places if place.is_file()]
    files += [path for place in places for path in place.rglob("*.py")]
    return [path.read_text("utf-8") for path in files]


@each_part
def test_it_has_no_more_lines_than_it_may(part):
    assert sum(len(text.splitlines()) for text in texts(part)) <= HOUSE[part]["lines"]


@each_part
def test_no_line_was_saved_by_a_denser_one(part):
    lines = characters = names = 0
    for text in texts(part):
        rows = text.splitlines()
        nodes = [node for node in ast.walk(ast.parse(text)) if hasattr(node, "lineno")]
        code = {node.lineno for node in nodes if not isinstance(node, ast.Expr | ast.Constant)}
        for node in nodes:
            if isinstance(node, IMPORTS):  # files that become one have fewer, and are no denser
                code -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
        lines += len(code)
        characters += sum(len(rows[line - 1].strip()) for line in code)
        names += sum(isinstance(node, NAMES) for node in nodes)
    assert characters / lines <= 1.01 * HOUSE[part]["characters"]
    assert names / lines <= 1.01 * HOUSE[part]["names"]
