"""Random cases of parity."""

from random import Random
from typing import Any

from tests.parity import texts
from tests.parity.cases import Case

MODES = (
    *("refine", "compact", "tree_summarize") * 2,
    *("accumulate", "compact_accumulate", "simple_summarize"),
    *("no_text", "context_only", "generation"),
)
ANSWERS = (
    *("hash", "hash", "head:10", "head:80", "tail:30", "echo:20", "echo:60", "echo:150"),
    *("odd", "empty", "grow:5", "raise:4"),
)
RENAMED = {"query_str": "asked", "context_str": "found"}
ENTRIES = (*["get_response"] * 5, "aget_response", "synthesize", "synthesize", "asynthesize")


def case(dice: Random) -> Case:
    """One case; every field is given, so that no default text of either side is used."""
    mode = dice.choice(MODES)
    window = dice.choice([200, 300, 500, 800, 1_000, 1_500, 2_000])
    return Case(
        mode=mode,
        query=_query(dice),
        chunks=texts.chunks(dice, window),
        context_window=window,
        num_output=dice.choice([0, 16, 64, 100, 256]),
        overlap=dice.choice([0.1, 0.1, 0.1, 0.0, 0.3, 0.5, 1.0]),
        chunk_size_limit=dice.choice([None, None, None, None, 100, 40, 400]),
        encoding=dice.choice(["cl100k_base", "cl100k_base", "o200k_base"]),
        padding=dice.choice([None, 0, 5, 20, 100]),
        answers=dice.choice(ANSWERS),
        entry=dice.choice(ENTRIES),
        metadata=dice.random() < 0.4,
        **_templates(dice),
        **_calls(dice, mode),
    )


def _query(dice: Random) -> str:
    usual = ["who is Paul Graham?", "总结这段文字", "", "what about {context_str}?"]
    return dice.choice([*usual, texts.text(dice, 12), texts.text(dice, 120)])


def _templates(dice: Random) -> dict[str, Any]:
    templates = {
        "text_qa_template": dice.choice(texts.QUESTION_TEMPLATES),
        "refine_template": dice.choice(texts.REFINE_TEMPLATES),
        "summary_template": dice.choice(texts.QUESTION_TEMPLATES),
        "simple_template": dice.choice(texts.SIMPLE_TEMPLATES),
    }
    mappings = RENAMED if dice.random() < 0.15 else {}
    for name, new in mappings.items():
        templates = {
            key: template.replace(f"{{{name}}}", f"{{{new}}}")
            for key, template in templates.items()
        }
    tones = ["a Shakespeare play", "莎士比亚戏剧", "{context_str}", "pirate " * 80]
    return {
        "templates": templates,
        "mappings": mappings,
        "system": "Answer in {lang}." if dice.random() < 0.12 else "",
        "is_chat": dice.random() < 0.2,
        "variables": {"tone_name": dice.choice(tones), "lang": "中文"}
        if dice.random() < 0.9
        else {},
    }


def _calls(dice: Random, mode: str) -> dict[str, Any]:
    """Filtering, objects, streaming or a batch at once, where the package has them."""
    carries, lists = mode in ("refine", "compact"), mode.endswith("accumulate")
    filtering = carries and dice.random() < 0.3
    makes_objects = (carries or lists or mode == "tree_summarize") and dice.random() < 0.2
    plain = not filtering and not makes_objects
    return {
        "filtering": filtering,
        "satisfied": dice.choice(["even", "even", "never", "always", "mixed"]),
        "makes_objects": makes_objects and not filtering,
        "streaming": plain and dice.random() < 0.2,
        "use_async": (lists or mode == "tree_summarize") and dice.random() < 0.2,
    }
