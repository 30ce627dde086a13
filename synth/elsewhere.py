"""Names of LlamaIndex that this package does not have, each with what to take instead.

One table (elsewhere.toml) for modules, for what they hold, and for attributes and arguments of
classes. Who asks for one of them gets its sentence in place of Python's own words.
"""

import sys
import tomllib
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import FrozenInstanceError, is_dataclass
from functools import wraps
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import Any, NoReturn, TypeVar


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

C = TypeVar("C", bound=type)


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


def says_what_to_take(kind: C) -> C:
    """Decorate a class so that what the table has of it is answered by its sentence.

    AttributeError for an attribute, TypeError for an argument of the constructor. A frozen
    dataclass also says how a changed copy is made.
    """
    owner = kind.__name__.lstrip("_")
    made = kind.__init__  # type: ignore[misc]

    @wraps(made)
    def checked(self: Any, *args: Any, **options: Any) -> None:
        for name in options.keys() & INSTEAD[owner].keys():
            raise TypeError(sentence(owner, name))
        made(self, *args, **options)

    for name in INSTEAD[owner]:
        setattr(kind, name, _Missing(sentence(owner, name)))
    kind.__init__ = checked  # type: ignore[misc]
    if is_dataclass(kind):
        kind.__setattr__ = _say_how(kind.__setattr__)  # type: ignore[method-assign]
    return kind


class _Missing:
    """An attribute that there is not, of a class and of its objects."""

    def __init__(self, sentence: str) -> None:
        self._sentence = sentence

    def __get__(self, instance: object, owner: type | None = None) -> NoReturn:
        raise AttributeError(self._sentence)


def _say_how(assign: Callable[[Any, str, object], None]) -> Callable[[Any, str, object], None]:
    """The `__setattr__` of a frozen dataclass; where it refuses, it says how a copy is made."""

    def assigned(self: object, name: str, value: object) -> None:
        try:
            assign(self, name, value)
        except FrozenInstanceError:
            raise FrozenInstanceError(
                f"A {type(self).__name__} does not change: dataclasses.replace(it, {name}=...)"
                " makes a changed copy."
            ) from None

    return assigned


def sentence(owner: str, name: str) -> str:
    """Say what to take instead of a name that the module or class of the table lacks."""
    return f"{owner} has no {name}: {INSTEAD[owner][name]}."
