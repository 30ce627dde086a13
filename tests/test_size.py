"""What pyproject.toml says holds: the sizes of the house, and what its lock file has."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

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


PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
LOCK = (ROOT / "requirements.lock").read_text("utf-8")
LOCKED = dict(re.findall(r"^([\w.-]+)==([^ ]+)", LOCK, re.MULTILINE))


def asked_for(extra: str) -> Iterator[Requirement]:
    for one in map(Requirement, PROJECT["optional-dependencies"][extra]):
        if canonicalize_name(one.name) == canonicalize_name(PROJECT["name"]):
            for other in one.extras:
                yield from asked_for(other)
        else:
            yield one


def test_what_is_asked_for_is_locked_at_a_version_that_is_allowed():
    wanted = [*map(Requirement, PROJECT["dependencies"]), *asked_for("hosting")]
    wrong = [
        f"{one}, locked: {LOCKED.get(canonicalize_name(one.name))}"
        for one in wanted
        if not one.specifier.contains(LOCKED.get(canonicalize_name(one.name), "0"))
    ]
    assert not wrong, f"{wrong}: run `make lock`."


def test_each_has_hashes_and_no_place_is_named():
    entries = re.split(r"\n(?=[\w.-]+==)", LOCK)[1:]
    assert len(entries) > 50
    assert all("--hash=sha256:" in entry for entry in entries)
    assert not re.search(r"://|index-url|find-links", LOCK)
