"""Valid files with random damage, which is the same for the same dice."""

import json
from collections.abc import Iterator
from copy import deepcopy
from random import Random
from typing import Any

VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 2, 1.5, 1e308, float("nan"), float("inf"), 2**63, 10**400),
    *("", " ", "\0", "\ud800", "\u202e", "é", "中文", "a" * 10_000, "1e999", "-0", "None", "true"),
    *("{self}", "{}", "{0}", "{a.b}", "{a!r:>99}", "{{", "{{x}}", "{%", "%s", "file://x", "a,\n"),
    *("9999-12-31T23:59:59.9-23:59", "0001-01-01T00:00:00+14:00", "__REDACTED__", "9" * 400),
    *("[5]", '{"query_satisfied": 5}', "[" * 1_000, "1_0", "٣", "²", -(10**400), 1e-300),
    *("![i](http://127.0.0.1/x.png)", "<script>", ":red[a]", "$x$", "=1+1", "(a+)+$", "[z-a]"),
    *([], {}, [[]], [None], [5], ["x"], {"": ""}, {"self": "x", "texts": "y", "log": "z"}),
    *({"$ref": "#"}, {"type": "x"}, {"min": 10**400}),
)
"""What may stand in the place of any value."""

_BITS = (
    *"\0\n\r\t\"'{}[],:;|\\/<>*&!#%@`-~0é中\ufeff",
    *("'''", "<<: *a\n", "9" * 5_000),
    *(value for value in VALUES if isinstance(value, str)),
)


def damaged(dice: Random, file: str) -> str:
    """The file with one to three damages: in the values of its JSON, or anywhere in its text."""
    lines = [file] if _json(file) is not None else file.split("\n")
    at = dice.randrange(len(lines))
    value = _json(lines[at])
    if value is None or dice.random() < 0.3:
        return _in_text(dice, file)
    lines[at] = json.dumps(_in_values(dice, value))
    return "\n".join(lines)


def _json(text: str) -> Any:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, list | dict) else None


def _in_text(dice: Random, text: str) -> str:
    for _ in range(dice.randint(1, 3)):
        start = dice.randint(0, len(text))
        end = start + dice.choice((0, 1, 5, 100))
        put = dice.choice(("", dice.choice(_BITS), text[start:end] * dice.choice((2, 50))))
        text = text[:start] + put + text[end:]
    return text


def _in_values(dice: Random, value: Any) -> Any:
    """The value with damages; JSON that stands in a text of it is damaged as such, now and then."""
    holder = [value]
    for _ in range(dice.choice((1, 1, 1, 2, 3))):
        places = list(_places(holder))
        # A name that stands in many objects is not damaged more often than one that stands in few.
        name = dice.choice(list(dict.fromkeys(key for _, key in places)))
        inside, key = dice.choice([place for place in places if place[1] == name])
        within = _json(inside[key]) if isinstance(inside[key], str) else None
        match dice.randrange(6):
            case _ if within is not None and dice.random() < 0.8:
                inside[key] = json.dumps(_in_values(dice, within))
            case 0 | 1:
                inside[key] = deepcopy(dice.choice(VALUES))
            case 2 if inside is not holder:
                del inside[key]
            case 3:
                other, place = dice.choice(places)
                inside[key] = deepcopy(other[place])
            case 4 if isinstance(inside, dict):
                inside[str(dice.choice(VALUES))] = inside[key]
            case _:
                for _ in range(dice.choice((1, 20, 300))):
                    inside[key] = [inside[key]]
    return holder[0]


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Each place in lists and objects, as the one that holds it and the key there."""
    waiting = [value]
    while waiting:
        holder = waiting.pop()
        for key in holder if isinstance(holder, dict) else range(len(holder)):
            yield holder, key
            if isinstance(holder[key], list | dict):
                waiting.append(holder[key])
