"""Two runs side by side: what differs, behind a fold what is the same, and their files."""

from collections.abc import Sequence
from functools import partial

import streamlit as st

from synth.html.escape import words_html
from synth.html.markup import table, tag
from synth.html.provenance import diff_html
from synth.text.diff import word_diff
from synth.text.wording import counted
from synth.words.cost_words import paid
from synth.words.sentences import reused_words
from ui.controls.templates import text_of
from ui.export import popover
from ui.export.downloads import Download, comparison_files
from ui.export.reported import Compared, ReportedRun
from ui.history import run_file
from ui.history.differences import PRICE, Differences, Setting, Template, differences
from ui.history.history import History
from ui.history.run_file import RunFile
from ui.history.saved_run import SavedRun, load
from ui.history.summaries import Owner
from ui.look.elements import beside, box, lead, section, sentence, small, when, zone
from ui.pages.runs import call_pairs
from ui.pages.runs.run_words import difference_sentence, measure_rows, title
from ui.plans.cost import price_words
from ui.plans.plan_range import plan_range
from ui.session import keys
from ui.settings import changes, paths


def draw(history: History, owner: Owner) -> None:
    """Draw the two runs that were chosen, A and B."""
    before, after = (load(history, owner, id) for id in st.session_state[keys.TWO_RUNS])
    with lead():
        st.button("All runs", icon=":material/arrow_back:", on_click=_leave, key="all_runs")
        if before is not None and after is not None:
            _head(before, after)
            st.space("stretch")
            popover.draw_files("The two runs as files", lambda: downloads(before, after))
            st.button("Swap", icon=":material/swap_horiz:", on_click=_swap, key="swap_runs")
    if before is None or after is None:
        box("One of the two runs is gone.", "It was deleted. Choose others under “All runs”.")
        return
    found = differences(before, after)
    sentence([*difference_sentence(found), *_reused(before, after)])
    left, right = beside("differences", 5, 7)
    with left:
        _settings(found, before, after)
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
    st.html(tag("div.num", *head, tag("span.muted", words_html(" · ".join(told))), dir="auto"))


def _reused(before: SavedRun, after: SavedRun) -> list[str]:
    """What each run took over from another one."""
    said = (
        (letter, reused_words(run.trace, run.edited))
        for letter, run in (("A", before), ("B", after))
    )
    return [f" {letter}: {words}." for letter, words in said if words]


def _answers(run: SavedRun, other: SavedRun, letter: str) -> str:
    """Where the answers of a run come from; `letter` is that of the other run."""
    summary, words = run.summary, [reused_words(run.trace, run.edited) or "all asked for"]
    if summary.parent is not None:
        parent = letter if summary.parent == other.summary.id else "another run"
        words.insert(0, f"branch of {parent} at call {summary.parent_call}")
    return "; ".join(words)


def _settings(found: Differences, before_run: SavedRun, after_run: SavedRun) -> None:
    """The settings, the chunks and the sources of the answers that differ."""
    changed = [one for one in found.settings if not one.equal]
    templates = [one for one in found.templates if not one.equal]
    section(f"What differs: {_counted(changed, templates)}")
    rows = [(paths.words(one.name), *_values(one)) for one in changed]
    given, kept = found.chunks, found.chunks_kept
    if given[0] == given[1] == kept:
        before, after = f"{kept:,}", "the same in another order"
    else:
        before, after = (f"{count:,}, {kept:,} of them in both" for count in given)
    if before_run.request.text_chunks != after_run.request.text_chunks:
        rows.append(("chunks", before, after))
    sources = _answers(before_run, after_run, "B"), _answers(after_run, before_run, "A")
    if sources[0] != sources[1]:
        rows.append(("answers", *sources))
    if rows:
        st.html(table("beside.num", ("", "A", "B"), rows))
    elif not templates:
        small("Nothing: both were asked the same in the same way.")


def _counted(settings: Sequence[Setting], templates: Sequence[Template]) -> str:
    return f"{counted(len(settings), 'setting')}, {counted(len(templates), 'template')}"


def _values(one: Setting) -> tuple[str, str]:
    before, after = (
        ("none known" if value is None else price_words(value))
        if one.name == PRICE
        else changes.value(one.name, value)
        for value in (one.before, one.after)
    )
    return before, after


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
            *((paths.words(one.name), _values(one)[1]) for one in same),
            *((_name(one), "equal") for one in templates),
        ]
        st.html(table("beside.num", ("", "A and B"), rows))


def _answer(found: Differences, before: SavedRun, after: SavedRun) -> None:
    diff = found.answer
    section(f"Answer, A to B · {diff.in_words}")
    missing = [
        letter for letter, run in (("A", before), ("B", after)) if run.trace.response is None
    ]
    if missing:
        small(f"{' and '.join(missing)} ended without an answer.")
    st.html(tag("div.pane", diff_html(diff), tabindex="0"))


def downloads(before: SavedRun, after: SavedRun) -> list[Download]:
    """The files."""
    both = comparison_files("two_runs", compared(before, after))
    return [*both, _json("A", before), _json("B", after)]


def _json(letter: str, run: SavedRun) -> Download:
    return Download(
        f"Run {letter} as JSON",
        "Everything; Share opens it again.",
        f"run_{letter.lower()}.json",
        partial(run_file.written, RunFile.of(run)),
    )


def compared(before: SavedRun, after: SavedRun) -> Compared:
    """The two runs as their report tells them."""
    found = differences(before, after)
    names = [f"A · {before.request.mode}", f"B · {after.request.mode}"]
    old, new = before.request.query_str, after.request.query_str
    return Compared(
        old if old == new else f"A: {old}\nB: {new}",
        list(zip(names, (_reported(before), _reported(after)), strict=True)),
        (),
        [*difference_sentence(found), *_reused(before, after)],
        [(name, values) for name, *values, _ in measure_rows(found)],
        names[0],
    )


def _reported(run: SavedRun) -> ReportedRun:
    bounds = plan_range(run.request).bounds
    cost = paid(run.summary.dollars, at_most=bool(run.summary.unsure))
    return ReportedRun(run.request, run.trace, bounds, run.edited, run.summary.by_person, cost)
