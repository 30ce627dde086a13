"""This app beside the recording, in a sentence; the first difference, and what explains it."""

from collections.abc import Iterator, Sequence
from itertools import takewhile

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from synth.html.markup import tag
from synth.text.diff import Change, Diff, word_diff
from synth.text.tokenizer import Tokenizer
from synth.text.wording import Bold, counted, listed
from synth.traces import Difference, Fit, ImportedRun, Verification
from synth.traces.settings import lost_templates, unused_templates
from ui.imported.opened_file import OpenedFile, OpenedRun
from ui.look.elements import box, draw_columns, section, sentence, small
from ui.look.markdown import label_text


def draw_sentence(run: OpenedRun) -> None:
    """Draw whether all prompts are equal."""
    sentence(_sentence(run, run.verification))


def _sentence(run: OpenedRun, outcome: Verification | None) -> Iterator[str]:
    if outcome is None:
        yield Bold("Shown as it was recorded. ")
        yield "Its mode is not known here, so nothing is computed and nothing is claimed."
    elif not run.run.calls:
        yield Bold("Nothing to compare. ")
        yield "No call was made."
    elif outcome.equal:
        prompts = counted(outcome.calls, "prompt")
        yield Bold(f"✓ Verified: this app computes the same {prompts}")
        yield " as the recording, character for character."
        if run.changes:
            yield f" This is so with {listed(run.changes)}."
    elif outcome.first_difference is None:
        yield Bold("✕ Not compared. ")
        yield f"{str(outcome.problem).rstrip('.')}. What was recorded is shown as it is."
    else:
        number, calls = outcome.first_difference.number, len(run.run.calls)
        yield Bold(f"✕ Differs at call {number:,} of {calls:,}. ")
        yield _equal_before(outcome.calls)
        yield "What was recorded is shown as it is."


def _equal_before(calls: int) -> str:
    if not calls:
        return ""
    return "Call 1 is equal. " if calls == 1 else f"Calls 1 to {calls:,} are equal. "


def draw_explanations(file: OpenedFile, run: OpenedRun) -> None:
    """Draw what makes all prompts equal where one differs, each with a button that takes it."""
    if run.difference is None:
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
        tried = run.search
    if isinstance(tried, str):
        box("Not all settings were tried.", tried)
    elif tried:
        _draw_fits(file, run, [fit for fit in tried if fit.is_likely] or tried)
    else:
        box(*_unexplained(run.run))


def _draw_fits(file: OpenedFile, run: OpenedRun, likely: Sequence[Fit]) -> None:
    named = [listed(fit.changes) for fit in likely]
    which = "The trace doesn't say it" if len(likely) == 1 else "The trace doesn't say which it was"
    with_it = f"{which}; with {'it' if len(likely) == 1 else 'each'} all prompts are equal."
    if likely[0].is_likely:
        row = box(f"✓ Explained by {' or by '.join(named)}.", with_it)
    else:
        row = box(
            f"All prompts are equal with {' or with '.join(named)}.",
            "Hardly anybody sets such a number, so something else may be the reason.",
        )
    buttons = row.container(horizontal=True)
    for number, (fit, words) in enumerate(zip(likely, named, strict=True)):
        buttons.button(
            f"Use {label_text(words)}",
            key=f"fit {number}",
            icon=":material/check:",
            type="secondary" if number else "primary",
            on_click=file.replace,
            args=(OpenedRun(fit.run, run.source, fit.changes),),
        )


def _unexplained(run: ImportedRun) -> tuple[str, str]:
    if lost := lost_templates(run):
        return (
            "A template is not known.",
            f"{listed(lost)} could not be recovered from the prompts, so it is not known what"
            " LlamaIndex counted.",
        )
    if unused := unused_templates(run):
        return (
            "A template is not in the trace.",
            f"LlamaIndex counts {listed(unused)}, which no call used; of no length does it"
            " explain the difference.",
        )
    return (
        "No setting explains it.",
        "Overlap, padding, window, chunk size limit, num_output and tokenizer were tried.",
    )


_BEFORE, _LENGTH = 160, 1_200
"""Characters that are shown before the first one that differs, and of both prompts in all."""


def draw_difference(difference: Difference, tokenizer: Tokenizer) -> None:
    """Draw both prompts from where they differ, side by side."""
    recorded, computed = difference.recorded, difference.prompt
    if recorded is None or computed is None:
        who, other = "The recording", "the computed run"
        if recorded is None:
            who, other = "The computed run", "the recording"
        small(f"{who} makes a call {difference.number:,}; {other} does not. It begins:")
        _pane((recorded or computed or "")[:_LENGTH])
        return
    pairs = zip(recorded, computed, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    before = tokenizer.count(recorded[:same])
    section(f"Call {difference.number:,}, from token {before + 1:,} on")
    start = max(0, same - _BEFORE)
    diff = word_diff(recorded[start : start + _LENGTH], computed[start : start + _LENGTH])
    left, right = draw_columns("prompts", 1, 1)
    sides: tuple[tuple[DeltaGenerator, str, str, Change], ...] = (
        (left, "Recorded", recorded, "dropped"),
        (right, "Computed by this app", computed, "added"),
    )
    for column, label, text, own in sides:
        with column:
            section(f"{label} · {counted(tokenizer.count(text), 'token')}")
            before_it = "…" if start > 0 else ""
            after_it = "…" if len(text) > start + _LENGTH else ""
            _pane(before_it, *_side(diff, own), after_it)


def _side(diff: Diff, own: Change) -> Iterator[str]:
    for piece in diff.pieces:
        if piece.kind in ("kept", own):
            yield piece.text if piece.kind == "kept" else tag("ins", piece.text)


def _pane(*parts: str) -> None:
    st.html(tag("div.prompt.pane.compared", *parts, tabindex="0", dir="auto"))
