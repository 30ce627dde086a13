"""The contract of a run: what a person ticks becomes tests in a file."""

from __future__ import annotations

from functools import partial

import streamlit as st

from synth.errors import SynthError
from synth.export.contract import Clauses, Contract
from synth.wording import counted
from ui.export.downloads import file_stem
from ui.look.elements import small
from ui.request.request import Request


class _Terms:
    """What a contract offers, looked up once."""

    def __init__(self, contract: Contract) -> None:
        self.contract = contract
        self.prompts, self.size = contract.prompts, contract.size
        self.whole, self.last, self.templates = contract.whole, contract.last, contract.templates


def terms_of(contract: Contract) -> _Terms | SynthError:
    """What can be held of a run, or the problem with it."""
    try:
        return _Terms(contract)
    except SynthError as problem:
        return problem


def draw(request: Request, terms: _Terms | SynthError, made: int) -> None:
    """Draw the clauses with their boxes, and the button that saves the file.

    `made` is how many calls the run made.
    """
    small(
        "Tests for your own project: they need llama-index-core and no key, and fail where an"
        " upgrade or an edit changes what is sent."
    )
    if isinstance(terms, SynthError):
        small(f"LlamaIndex refuses these inputs, so nothing can be held: {terms}")
        return
    if len(terms.prompts) != made:
        calls = counted(len(terms.prompts), "call")
        small(f"They hold what LlamaIndex does here: {calls}, where this run made {made:,}.")
    clauses = _ticked(terms)
    st.download_button(
        "Contract for pytest",
        partial(terms.contract.text, clauses),
        f"test_{file_stem(request.mode)}_contract.py",
        "text/x-python",
        key="download_contract",
        icon=":material/download:",
        on_click="ignore",
        disabled=clauses == Clauses(prompts=False),
    )


def _ticked(terms: _Terms) -> Clauses:
    count = counted(len(terms.prompts), "prompt")
    words = f"With the answers of this run, the same {count}"
    prompts = st.checkbox(words, value=True, key="clause_prompts")
    size = _box("size", _size_words(terms.size), terms.size is not None)
    whole = _box("whole", "No text of a chunk is lost", terms.whole)
    templates = _box("templates", "Templates have their variables, no others", terms.templates)
    last: list[int] = []
    if terms.last:
        last = st.multiselect(
            "Chunks that stand whole in the last prompt", terms.last, key="clause_last"
        )
    return Clauses(size, whole, tuple(sorted(last)), templates, prompts)


def _size_words(size: tuple[int, int] | None) -> str:
    if size is None:
        return "A limit on calls and tokens"
    calls, tokens = size
    amounts = f"{counted(calls, 'call')} and {counted(tokens, 'prompt token')}"
    return f"At most {amounts}, whatever the model answers"


def _box(clause: str, words: str, holds: bool) -> bool:
    """A box for a clause; one that does not hold can't be ticked."""
    label = words if holds else f"{words}: not true of this run"
    key = f"clause_{clause}"
    return bool(st.checkbox(label, value=holds, key=key, disabled=not holds)) and holds
