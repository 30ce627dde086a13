"""The lock file has what the extra `hosting` asks for, each with hashes and from nowhere else."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[1]
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
