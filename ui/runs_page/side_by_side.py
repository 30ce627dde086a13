"""Two runs side by side: only what differs, and behind a fold what is the same."""

from __future__ import annotations

from collections.abc import Sequence

import streamlit as st

from synth.runs.prices import Price
from synth.text.diff import word_diff
from synth.text.wording import counted
from ui.controls.template_versions import text_of
from ui.history.differences import PRICE, Differences, Setting, Template, differences
from ui.history.history import History
from ui.history.saved_run import SavedRun, load
from ui.history.summaries import Owner
from ui.look.elements import box, lead, section, sentence, small, when, zone
from ui.look.html import table, tag
from ui.runs_page import call_pairs, two_files
from ui.runs_page.tables import measure_rows
from ui.runs_page.words import difference_sentence, title
from ui.session import keys
from ui.settings import changes, schema
from ui.traces.provenance import diff_html


def draw(history: History, owner: Owner) -> None:
    """Draw the two runs that were chosen, A and B."""
    before, after = (load(history, owner, id) for id in st.session_state[keys.TWO_RUNS])
    with lead():
        st.button("All runs", icon=":material/arrow_back:", on_click=_leave, key="all_runs")
        if before is not None and after is not None:
            _head(before, after)
            st.space("stretch")
            two_files.draw(before, after)
            st.button("Swap", icon=":material/swap_horiz:", on_click=_swap, key="swap_runs")
    if before is None or after is None:
        box("One of the two runs is gone.", "It was deleted. Choose others under “All runs”.")
        return
    found = differences(before, after)
    sentence(difference_sentence(found))
    with st.container(key="two_differences"):
        left, right = st.columns([5, 7], gap="medium")
    with left:
        _settings(found, before.request.text_chunks != after.request.text_chunks)
        # Versions are counted in each workspace by itself.
        _templates(found, numbered=before.summary.workspace == after.summary.workspace)
        _same(found)
    with right:
        _answer(found, before, after)
        section("Measures")
        st.html(table("beside.numbers.num", ("", "A", "B", "B against A"), measure_rows(found)))
    call_pairs.draw(found, before, after)


def _leave() -> None:
    del st.session_state[keys.TWO_RUNS]
    st.session_state.pop(keys.OPEN_PAIR, None)


def _swap() -> None:
    st.session_state[keys.TWO_RUNS].reverse()


def _head(before: SavedRun, after: SavedRun) -> None:
    local = zone()
    names = [title(run.summary) for run in (before, after)]
    times = [when(run.summary.started, local) for run in (before, after)]
    same = names[0] == names[1]
    told = [
        f"{letter} {'' if same else f'“{name}” '}{time}"
        for letter, name, time in zip("AB", names, times, strict=True)
    ]
    head = (tag("b", names[0]), " · ") if same else ()
    st.html(tag("div.num", *head, tag("span.muted", " · ".join(told)), dir="auto"))


def _settings(found: Differences, other_chunks: bool) -> None:
    """The settings and the chunks that differ."""
    changed = [one for one in found.settings if not one.equal]
    templates = [one for one in found.templates if not one.equal]
    section(f"What differs: {_counted(changed, templates)}")
    rows = [(schema.words(one.name), *_values(one)) for one in changed]
    given, kept = found.chunks, found.chunks_kept
    if given[0] == given[1] == kept:
        before, after = f"{kept:,}", "the same in another order"
    else:
        before, after = (f"{count:,}, {kept:,} of them in both" for count in given)
    if other_chunks:
        rows.append(("chunks", before, after))
    if rows:
        st.html(table("beside.num", ("", "A", "B"), rows))
    elif not templates:
        small("Nothing: both were asked the same in the same way.")


def _counted(settings: Sequence[Setting], templates: Sequence[Template]) -> str:
    return f"{counted(len(settings), 'setting')}, {counted(len(templates), 'template')}"


def _values(one: Setting) -> tuple[str, str]:
    before, after = (
        _price(value) if one.name == PRICE else changes.value(one.name, value)
        for value in (one.before, one.after)
    )
    return before, after


def _price(price: Price | None) -> str:
    if price is None:
        return "none known"
    return f"${price.prompt:,.2f} in, ${price.output:,.2f} out per million tokens"


def _templates(found: Differences, *, numbered: bool) -> None:
    for one in found.templates:
        if one.equal:
            continue
        if one.before is None or one.after is None:
            small(f"Only {'A' if one.after is None else 'B'} has a {_name(one)}.")
            continue
        versions = ", v{} to v{}".format(*one.versions) if numbered else ""
        section(f"{_name(one)}{versions}")
        st.html(diff_html(word_diff(text_of(one.before), text_of(one.after))))


def _name(one: Template) -> str:
    return one.name.replace("_", " ")


def _same(found: Differences) -> None:
    same = [one for one in found.settings if one.equal]
    templates = [one for one in found.templates if one.equal]
    with st.expander(f"The same in both: {_counted(same, templates)}"):
        rows: Sequence[Sequence[str]] = [
            *((schema.words(one.name), _values(one)[1]) for one in same),
            *((_name(one), "equal") for one in templates),
        ]
        st.html(table("beside.num", ("", "A and B"), rows))


def _answer(found: Differences, before: SavedRun, after: SavedRun) -> None:
    diff = found.answer
    section(
        f"Answer, A to B · {counted(diff.kept, 'word')} kept, {diff.added:,} added,"
        f" {diff.dropped:,} dropped"
    )
    missing = [
        letter for letter, run in (("A", before), ("B", after)) if run.trace.response is None
    ]
    if missing:
        small(f"{' and '.join(missing)} ended without an answer.")
    st.html(tag("div.pane", diff_html(diff), tabindex="0"))
