"""The contract of a run or of a plan: what a person ticks becomes tests in a file."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import streamlit as st

from synth.errors import SynthError
from synth.export.contract import Clauses, Contract
from synth.wording import counted
from ui.export.downloads import file_stem
from ui.look.elements import small


class Source(NamedTuple):
    """What a contract is made from, in words: whose answers it takes, and what made its calls."""

    answers: str
    calls: str


RUN = Source("the answers of this run", "this run made")
PLAN = Source("empty answers", "this plan has")


def draw(contract: Contract, made: int, source: Source) -> None:
    """Draw the clauses with their boxes, and the button that saves the file.

    `made` is how many calls the run made, or the plan has.
    """
    small(
        "Tests for your own project: they need llama-index-core and no key, and fail where an"
        " upgrade or an edit changes what is sent."
    )
    try:
        prompts, size = contract.prompts, contract.size
    except SynthError as problem:
        small(f"LlamaIndex refuses these inputs, so nothing can be held: {problem}")
        return
    if len(prompts) != made:
        calls = counted(len(prompts), "call")
        small(f"They hold what LlamaIndex does here: {calls}, where {source.calls} {made:,}.")
    clauses = _ticked(contract, source.answers, size)
    st.download_button(
        "Contract for pytest",
        partial(contract.text, clauses),
        f"test_{file_stem(contract.recipe.mode)}_contract.py",
        "text/x-python",
        key="download_contract",
        icon=":material/download:",
        on_click="ignore",
        disabled=clauses == Clauses(prompts=False),
    )


def _ticked(contract: Contract, answers: str, size: tuple[int, int] | None) -> Clauses:
    words = f"With {answers}, the same {counted(len(contract.prompts), 'prompt')}"
    same = st.checkbox(words, value=True, key="clause_prompts")
    bounded = _box("size", _size_words(size), size is not None)
    whole = _box("whole", "No text of a chunk is lost", contract.whole)
    templates = _box("templates", "Templates have their variables, no others", contract.templates)
    last: list[int] = []
    if contract.last:
        last = st.multiselect(
            "Chunks that stand whole in the last prompt", contract.last, key="clause_last"
        )
    return Clauses(bounded, whole, tuple(sorted(last)), templates, same)


def _size_words(size: tuple[int, int] | None) -> str:
    if size is None:
        return "A limit on calls and tokens"
    calls, tokens = size
    amounts = f"{counted(calls, 'call')} and {counted(tokens, 'prompt token')}"
    return f"At most {amounts}, whatever the model answers"


def _box(clause: str, words: str, holds: bool) -> bool:
    """A box for a clause; one that does not hold can't be ticked."""
    label = words if holds else f"{words}: not true here"
    key = f"clause_{clause}"
    return bool(st.checkbox(label, value=holds, key=key, disabled=not holds)) and holds
