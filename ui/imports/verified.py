"""Our engine beside the recording, in a sentence; the first difference, and what explains it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import streamlit as st

from synth.imports import Fit, Verification
from synth.wording import counted, listed
from ui.imports.difference import draw_difference
from ui.imports.opened_file import OpenedFile, OpenedRun
from ui.look.elements import box, sentence
from ui.look.escape import Bold


def draw(file: OpenedFile, run: OpenedRun) -> None:
    """Draw whether all prompts are equal; if not, the difference and what explains it."""
    found = run.verification
    sentence(_sentence(run, found))
    if found is None or found.equal or found.first_difference is None:
        return
    with st.spinner("Trying other settings; nothing is sent."):
        tried = run.fits
    _explained(file, tried)
    draw_difference(run.run, found.first_difference)


def _sentence(run: OpenedRun, found: Verification | None) -> Iterator[str]:
    if found is None:
        yield Bold("Shown as it was recorded. ")
        yield "Its mode is not known here, so nothing is computed and nothing is claimed."
    elif not run.run.calls:
        yield Bold("Nothing to compare. ")
        yield "This mode made no call."
    elif found.equal:
        prompts = counted(found.calls, "prompt")
        yield Bold(f"✓ Verified: our engine sends the same {prompts} as your recording")
        yield ", character for character. What other modes would send is computed from the same"
        yield " input."
        if run.changes:
            yield f" This is so with {listed(run.changes)}."
    elif found.first_difference is None:
        yield Bold("✕ Not compared. ")
        yield f"{str(found.problem).rstrip('.')}. What was recorded is shown as it is."
    else:
        number, calls = found.first_difference.number, len(run.run.calls)
        yield Bold(f"✕ Differs at call {number:,} of {calls:,}. ")
        yield _equal_before(found.calls)
        yield "What was recorded is shown as it is."


def _equal_before(calls: int) -> str:
    if not calls:
        return ""
    return "Call 1 is equal. " if calls == 1 else f"Calls 1 to {calls:,} are equal. "


def _explained(file: OpenedFile, fits: Sequence[Fit]) -> None:
    """What makes all prompts equal, each with a button that takes it."""
    if not fits:
        box(
            "No setting explains it.",
            "Overlap, padding, window, chunk size limit, num_output, tokenizer, metadata and the"
            " way in which templates are measured were tried, one after the other.",
        )
        return
    for number, fit in enumerate(fits):
        changes = listed(fit.changes)
        head = f"✓ Explained by {changes}." if not number else f"✓ As well by {changes}."
        box(head, "No trace says it; with it all prompts are equal to the recording.").button(
            f"Use {changes}",
            key=f"fit {number}",
            icon=":material/check:",
            type="secondary" if number else "primary",
            on_click=file.replace,
            args=(OpenedRun(fit.run, fit.changes),),
        )
