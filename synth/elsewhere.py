"""Names of LlamaIndex that this package does not have, each with what to take instead.

One table (elsewhere.toml) for modules and what they hold, and for arguments that would otherwise be
taken for variables. Who asks for one of them gets its sentence in place of Python's own words.
"""

import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, NoReturn


def _read_table() -> dict[str, dict[str, str]]:
    table: dict[str, dict[str, str]] = defaultdict(dict)
    file = Path(__file__).with_name("elsewhere.toml")
    for owners, rows in tomllib.loads(file.read_text("utf-8")).items():
        for owner in owners.split():
            for names, instead in rows.items():
                table[owner] |= dict.fromkeys(names.split(), instead)
    return dict(table)


INSTEAD = _read_table()
"""What to take instead, by the module or class that lacks a name, and by that name."""


def module_names(module: str) -> Callable[[str], NoReturn]:
    """Return the `__getattr__` of a module: ImportError for a name of the table."""

    def missing(name: str) -> NoReturn:
        if name in INSTEAD[module]:  # an AttributeError would lose its words in `from ... import`
            raise ImportError(sentence(module, name))
        raise AttributeError(f"module {module!r} has no attribute {name!r}")

    return missing


class _Modules(MetaPathFinder):
    """Python asks it last, for a module that nothing else finds.

    It is there for `from synth.core import Settings`, which asks no `__getattr__`.
    """

    def find_spec(self, fullname: str, path: Sequence[str] | None, target: Any = None) -> None:
        package, _, name = fullname.rpartition(".")
        if name in INSTEAD.get(package, {}):
            raise ModuleNotFoundError(sentence(package, name), name=fullname)


sys.meta_path.append(_Modules())


def sentence(owner: str, name: str) -> str:
    """Say what to take instead of a name that the module or class of the table lacks."""
    return f"{owner} has no {name}: {INSTEAD[owner][name]}."
