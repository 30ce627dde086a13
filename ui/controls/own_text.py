"""The popover for one's own text: a box to paste into, an uploader, and the ways to cut."""

from collections.abc import Callable, Iterable, Sequence
from time import monotonic_ns
from typing import Any, NamedTuple

import streamlit as st

from synth.documents import MOST_MEGABYTES, TYPES, Loaded, read_file
from synth.documents.cutting import CUSTOM, TOKENS, WAYS, Cutting, cut
from synth.documents.decoding import MOST_CHUNKS, collect, require_few, require_size
from synth.errors import SynthError
from synth.quality.samples import SAMPLES
from synth.text.wording import counted, listed
from ui.controls import input_changes
from ui.look.elements import error_box, small
from ui.look.scripts import REPORTS_TEXT, TAKES_TEXT
from ui.plans.plan_range import PageInputs, fitting_window
from ui.session import keys, parts, workspace
from ui.settings import model, state
from ui.settings.schema import Chunk, Chunks, from_texts

_CANT_BE_CUT = "The text can't be cut."
_SAMPLE_QUESTIONS = {sample.question for sample in SAMPLES}
_SAMPLE_WINDOWS = {sample.window for sample in SAMPLES}
_STAYS: dict[str, Any] = {"persist_state": "session"}
_PASTED = "pasted"


class PasteOutcome(NamedTuple):
    """What came of the latest texts: problems with their headings, and the result, if any."""

    problems: tuple[tuple[str, str], ...] = ()
    result: str = ""


def draw(inputs: PageInputs) -> None:
    """Draw the button that opens the popover, and the popover."""
    with st.container(width="content"):  # a part alone would take all the room beside it
        parts.part("own text", inputs, _values, _draw)


def draw_result(inputs: PageInputs) -> None:
    """Draw what came of the latest texts, once they are the chunks."""
    parts.part("result of own text", inputs, _outcome, _draw_result)


def _values(inputs: PageInputs) -> tuple[bool, PasteOutcome]:
    """Whether the popover is open, and what else in it an edit elsewhere changes."""
    return bool(st.session_state.get(keys.OWN_TEXT)), _outcome(inputs)


def _outcome(_: PageInputs) -> PasteOutcome:
    return workspace.value(keys.PASTE_OUTCOME, PasteOutcome())


def _draw(inputs: PageInputs, values: tuple[bool, PasteOutcome]) -> None:
    _, outcome = values
    with st.popover(
        "Own text",
        type="tertiary",
        key=keys.OWN_TEXT,
        on_change="rerun",
    ):
        with st.container(key=TAKES_TEXT):
            with st.container(key=REPORTS_TEXT):
                text = st.text_area(
                    "Text",
                    key=_PASTED,
                    height=140,
                    placeholder="Paste your text here. Ctrl+Enter makes it the chunks.",
                )
            _ways()
            st.button(
                f"{'Add' if _appends() else 'Use'} this text",
                key="use_text",
                type="primary" if (text or "").strip() else "secondary",
                on_click=_take_text,
            )
        draw_uploader(
            "Or upload files",
            TYPES,
            MOST_MEGABYTES,
            _read,
            several=True,
            help="JSON and CSV may be what a vector store, retriever or reranker gives, or dumps of"
            " LangChain, LlamaIndex or Haystack.",
        )
        small(
            "One chunk per row of CSV and document of JSON or JSONL: one field of each is read,"
            " text or content, say. One chunk per page of PDF. Other text, Word and HTML too,"
            f" is cut as chosen above. Up to {MOST_CHUNKS:,} chunks and 2 MB of text."
        )
        _say(outcome)


def _ways() -> None:
    way = st.radio("Cut it at", WAYS, key="separator", horizontal=True, **_STAYS)
    if way == CUSTOM:
        st.text_input("Separator", key="own_separator", help="A line end is \\n.", **_STAYS)
    if way == TOKENS:
        left, right = st.columns(2, gap="small")
        left.number_input("Tokens per chunk", 1, 100_000, 200, key="split_size", **_STAYS)
        right.number_input("Overlap, in tokens", 0, 100_000, 20, key="split_overlap", **_STAYS)
    st.toggle("Append to existing chunks", key="paste_adds", **_STAYS)
    st.toggle("Cut PDF pages too", key="cuts_pages", **_STAYS)


def _appends() -> bool:
    return bool(st.session_state.get("paste_adds"))


def _take_text() -> None:
    text: str = st.session_state.get(_PASTED, "")
    if not text.strip():
        _note([("There is no text yet.", "Paste one into the box, or upload files.")])
    elif _take([Loaded(text, _PASTED)]):
        st.session_state[_PASTED] = ""  # the browser would send it again with each click
    parts.redraw_changed()


def _read(files: Sequence[tuple[str, bytes]]) -> None:
    readable, failed = readable_texts(files)
    problems = [("This file was not read.", problem) for problem in failed]
    if readable:
        _take(readable, problems)
    else:
        _note(problems)
    parts.redraw_changed()


def readable_texts(files: Iterable[tuple[str, bytes]]) -> tuple[list[Loaded], list[str]]:
    """Read the texts of all files that can be used together, and the problems of the others."""
    readable: list[Loaded] = []
    problems: list[str] = []
    for name, data in files:
        try:
            readable = collect(read_file(name, data), "All files together hold", readable)
        except SynthError as error:
            problems.append(str(error))
    return readable, problems


def _note(problems: Sequence[tuple[str, str]], result: str = "") -> None:
    workspace.current().values[keys.PASTE_OUTCOME] = PasteOutcome(tuple(problems), result)


def _take(texts: Sequence[Loaded], problems: Sequence[tuple[str, str]] = ()) -> bool:
    """Make these texts the chunks; False, and the problem is noted, if that fails."""
    try:
        put_texts(texts, problems)
    except SynthError as error:
        _note([*problems, (_CANT_BE_CUT, str(error))])
        return False
    return True


def put_texts(texts: Sequence[Loaded], problems: Sequence[tuple[str, str]] = ()) -> None:
    """Make these texts the chunks, close the popover, ask for a question; SynthError if too many.

    The problems are those of other files.
    """
    settings = state.current()
    chunks = _cut_all(texts, settings.chunks)
    in_front = settings.chunks if _appends() else ()
    others: dict[str, Any] = {}
    if not in_front:
        if settings.query_str in _SAMPLE_QUESTIONS:
            others["query_str"] = ""
        if settings.context_window in _SAMPLE_WINDOWS:
            own = settings.with_({"chunks": chunks, **others})
            if (window := fitting_window(own)) is not None:
                others["context_window"] = window
    others["chunks"] = (*in_front, *chunks)
    input_changes.change("a pasted or uploaded text", **others)
    _note(problems, _result(texts, len(chunks)))
    st.session_state[keys.OWN_TEXT] = False
    if not state.current().query_str.strip():
        st.session_state[keys.ASKS] = monotonic_ns()


def _result(texts: Sequence[Loaded], count: int) -> str:
    length = sum(len(loaded.text) for loaded in texts if loaded.text.strip())
    result = f"{counted(length, 'character')} became {counted(count, 'chunk')}."
    if blank := [loaded.source for loaded in texts if not loaded.text.strip()]:
        result += (
            f" Left out, without text: {listed(blank)}. If it is there as a picture, run the file"
            " through text recognition (OCR) first."
        )
    return result


def _cut_all(texts: Sequence[Loaded], before: Chunks) -> Chunks:
    """Cut texts as chosen, but for whole documents and pages; SynthError if they are too many."""
    require_size("The text comes to", sum(loaded.size for loaded in texts))
    session = st.session_state
    cutting = Cutting(
        way=session.get("separator", WAYS[0]),  # a draw without the box forgets it
        separator=(session.get("own_separator") or "").replace("\\n", "\n"),
        size=int(session.get("split_size", 200)),
        overlap=int(session.get("split_overlap", 20)),
        tokenizer=model.tokenizer(state.current()),
    )
    kinds = ("document",) if session.get("cuts_pages") else ("document", "page")
    chunks: list[Chunk] = []
    for loaded in texts:
        pieces = (loaded.text,) if loaded.kind in kinds else cut(loaded.text, cutting)
        chunks += from_texts(filter(str.strip, pieces), loaded.source)
    count = len(chunks) + (len(before) if _appends() else 0)
    require_few(count, "That would be", "Cut at another place, or into larger chunks.")
    return tuple(chunks)


def _draw_result(_: PageInputs, outcome: PasteOutcome) -> None:
    if outcome.result:
        _say(outcome)


def _say(outcome: PasteOutcome) -> None:
    for head, reason in outcome.problems:
        error_box(head, reason)
    if outcome.result:
        small(outcome.result)


Taken = Callable[[Sequence[tuple[str, bytes]]], None]


def draw_uploader(
    label: str,
    types: Sequence[str],
    most_megabytes: int,
    take: Taken,
    *,
    several: bool = False,
    **more: Any,
) -> None:
    """Draw the uploader; `take` gets the names and the bytes of the files that were chosen."""
    key = f"{label} {st.session_state.setdefault(keys.UPLOADERS, 0)}"
    st.file_uploader(
        label,
        types,
        accept_multiple_files=several,
        key=key,
        max_upload_size=most_megabytes,
        on_change=_read_files,
        args=(key, take),
        **more,
    )


def _read_files(key: str, take: Taken) -> None:
    chosen = st.session_state[key]
    st.session_state[keys.UPLOADERS] += 1  # for a new uploader, which is empty
    files = chosen if isinstance(chosen, list) else [chosen]
    take([(file.name, file.getvalue()) for file in files if file is not None])
