"""Our engine beside the recording, in a sentence; the first difference, and what explains it."""

from __future__ import annotations

from collections.abc import Iterator

import streamlit as st

from synth.text.wording import Bold, counted, listed
from synth.traces import Verification
from ui.imports.opened_file import OpenedFile, OpenedRun
from ui.look.elements import box, sentence, small
from ui.look.escape import label_text


def draw_sentence(run: OpenedRun) -> None:
    """Draw whether all prompts are equal."""
    sentence(_sentence(run, run.verification))


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
        yield ", character for character."
        if run.why_not_held is None:
            yield " What other modes would send is computed from the same input."
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


def draw_explanations(file: OpenedFile, run: OpenedRun) -> None:
    """Draw what makes all prompts equal where one differs, each with a button that takes it."""
    if run.verification is None or run.verification.first_difference is None:
        return
    if not run.searches_at_once and not st.button(
        "Try other settings", icon=":material/search:", help="Nothing is sent."
    ):
        chunks, calls = counted(len(run.run.chunks), "chunk"), counted(len(run.run.calls), "call")
        small(
            f"Another overlap, padding or window may explain it. With {chunks} and {calls} trying"
            " them may take up to a minute."
        )
        return
    with st.spinner("Trying other settings; nothing is sent."):
        found, problem = run.search
    if problem is not None:
        box("Not all settings were tried.", problem)
    elif not found:
        box(
            "No setting explains it.",
            "Overlap, padding, window, chunk size limit, num_output, tokenizer, metadata and the"
            " way in which templates are measured were tried: each alone, and each size with"
            " each overlap.",
        )
    for number, fit in enumerate(found):
        changes = listed(fit.changes)
        head = f"✓ Explained by {changes}." if not number else f"✓ As well by {changes}."
        box(head, "No trace says it; with it all prompts are equal to the recording.").button(
            f"Use {label_text(changes)}",
            key=f"fit {number}",
            icon=":material/check:",
            type="secondary" if number else "primary",
            on_click=file.replace,
            args=(OpenedRun(fit.run, fit.changes),),
        )
