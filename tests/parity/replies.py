"""Replies as models write them where an object was asked for, and how they come in pieces."""

import json
import re
from random import Random
from typing import Any

_TEXTS = (
    *("Ada", "Ada fixed the pool.", "", "-", "a {b} c", "}", "{", 'she said "no"', '5" pipe'),
    *("line\nline", "café 模型 🚀", "```x```", "<think>", "\\", "null", "{existing_answer}"),
)
_WRONG: tuple[Any, ...] = (
    None,
    5,
    0.5,
    True,
    [],
    ["Ada"],
    {},
    {"text": "Ada"},
    [None, 1],
    "5",
    "",
    "Ada",
)
_VERDICTS: tuple[Any, ...] = (
    *[True] * 4,
    *[False] * 3,
    "true",
    "false",
    "no",
    "maybe",
    1,
    0,
    None,
    "",
    [],
    {},
)
_WORDS = (
    *(
        "Sure, here it is:",
        "I hope this helps.",
        "It is {Ada}.",
        "Note: use {} with care.",
        "{",
        "}",
    ),
    *("As JSON:", "```", "[1]", "Ada fixed the pool.", "", '"', "The schema was {answer: str}."),
)


def value(dice: Random, kind: str) -> Any:
    """The value of a field of this kind, often of the right type."""
    if kind == "bool":
        return dice.choice(_VERDICTS)
    if dice.random() < 0.15:
        return dice.choice(_WRONG)
    numbers = {"int": [8, 0, -1, 8.0, "8", 8.5], "float": [0.5, 1, 0, "0.5", 1e30]}
    if kind == "list":
        return [dice.choice(_TEXTS) for _ in range(dice.randrange(3))]
    return dice.choice(numbers.get(kind, _TEXTS))


def fields(dice: Random, kinds: dict[str, str]) -> dict[str, Any]:
    """An object with these fields, now and then without one, with one more, in another order."""
    names = [name for name in kinds if dice.random() > 0.08]
    if dice.random() < 0.2:
        dice.shuffle(names)
    found = {name: value(dice, kinds[name]) for name in names}
    if dice.random() < 0.15:
        found[dice.choice(["answer", "why", "query_satisfied", "confidence"])] = value(dice, "")
    return found


def well_formed(dice: Random, kinds: dict[str, str]) -> str:
    """An object as the arguments of a function call are: JSON and nothing else."""
    return json.dumps(fields(dice, kinds), ensure_ascii=dice.random() < 0.5)


def reply(dice: Random, kinds: dict[str, str]) -> str:
    """A reply of a model that was asked for an object of these fields."""
    found = fields(dice, kinds)
    text = json.dumps(found, ensure_ascii=dice.random() < 0.5, indent=dice.choice([None, 2]))
    text = _marred(dice, text, found)
    if dice.random() < 0.35:
        return text
    return _wrapped(dice, text, kinds)


def _marred(dice: Random, text: str, found: dict[str, Any]) -> str:
    kind = dice.randrange(16)
    if kind == 0:
        return text[: dice.randrange(len(text) + 1)]
    return {
        1: text[:-1] + ",}",
        2: repr(found),
        3: f"[{text}]",
        4: json.dumps({"result": found}),
        5: json.dumps(text),
        6: text + text[: dice.randrange(len(text) + 1)],
    }.get(kind, text)


def _wrapped(dice: Random, text: str, kinds: dict[str, str]) -> str:
    before, after = dice.choice(_WORDS), dice.choice(_WORDS)
    fence = f"```{dice.choice(['json', '', 'JSON'])}\n{text}\n```"
    thought = dice.choice([*_WORDS, well_formed(dice, kinds), "Hm.\n\nIs it Ada?"])
    tag = dice.choice(["think", "thinking", "thought", "reasoning", "seed:think"])
    return dice.choice(
        [
            f"{before}\n{text}",
            f"{text}\n{after}",
            f"{before}\n{text}\n{after}",
            fence,
            f"{before}\n{fence}\n{after}",
            f"<{tag}>{thought}</{tag}>{dice.choice(['', chr(10) * 2])}{text}",
            f"<{tag}>\n{thought}\n</{tag}>\n{fence}",
            f"<{tag}>{thought}</{tag}>",
            f"<{tag}>{thought} {text}",
            f"{thought}\n</think>\n\n{text}",
            f"[THINK]{thought}[/THINK]{text}",
            f"◁think▷{thought}◁/think▷{text}",
            f"<|channel|>analysis<|message|>{thought}<|end|><|start|>assistant<|channel|>final"
            f"<|message|>{text}<|return|>",
            f"{text}\n{well_formed(dice, kinds)}",
            f"{well_formed(dice, kinds)}\n\n{text}",
            f"\ufeff{text}",
            f" \n{text}\n ",
            before,
            "",
        ]
    )


def pieces(dice: Random, text: str) -> list[str]:
    """The pieces in which a reply comes: whole, by words, or of some characters each."""
    kind = dice.randrange(4)
    if kind == 0 or not text:
        return [text]
    if kind == 1:
        return re.findall(r"\S+\s*|\s+", text)
    most, cut, at = dice.choice([1, 4, 20]), [], 0
    while at < len(text):
        size = dice.randint(1, most)
        cut.append(text[at : at + size])
        at += size
    return cut
