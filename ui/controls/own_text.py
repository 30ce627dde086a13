"""One's own texts, pasted or uploaded: how they are cut, and how they become the chunks."""

from collections.abc import Iterable, Sequence
from time import monotonic_ns
from typing import NamedTuple

import streamlit as st

from synth.documents import Loaded, read_file
from synth.documents.cutting import Cutting, cut
from synth.documents.decoding import Collected, require_few, require_size
from synth.errors import SynthError
from synth.quality.samples import SAMPLES
from synth.text.wording import counted, listed
from ui.controls import chunk_changes
from ui.session import keys, workspace
from ui.settings import model, state
from ui.settings.chunk_list import Chunk, Chunks, from_texts

CANT_BE_CUT = "The text can't be cut."
_SAMPLE_QUESTIONS = {sample.question for sample in SAMPLES}


class Paste(NamedTuple):
    """The latest pasted or uploaded texts, and the chunks and the question before them."""

    texts: tuple[Loaded, ...]
    before: Chunks
    question: str


class Problem(NamedTuple):
    """What went wrong with a text or a file: a heading, and the reason with the next action."""

    head: str
    reason: str


class PasteOutcome(NamedTuple):
    """What came of the latest texts: the problems, and the result, "" if nothing was taken."""

    problems: tuple[Problem, ...] = ()
    result: str = ""


def outcome() -> PasteOutcome:
    """The outcome of the latest texts."""
    return workspace.value(keys.PASTE_OUTCOME, PasteOutcome())


def latest() -> Paste | None:
    """The latest texts, while they can still be cut in another way."""
    return workspace.value(keys.PASTE, None)


def has_pages(paste: Paste) -> bool:
    """Whether pages of a PDF are among the texts."""
    return any(loaded.kind == "page" for loaded in paste.texts)


def appends() -> bool:
    """Whether new chunks are to follow the present ones, not to replace them."""
    return bool(st.session_state.get("paste_adds"))


def refuse(*problems: Problem) -> None:
    """Say what is wrong with texts of which none can be used."""
    workspace.current().values[keys.PASTE_OUTCOME] = PasteOutcome(problems)


def take(texts: Sequence[Loaded], problems: Sequence[Problem] = ()) -> bool:
    """Make these texts the chunks, close the popover, and ask for a question; False if that fails.

    `problems` are those of other files, which could not be read. Nothing is drawn here.
    """
    taken = _use(Paste(tuple(texts), state.current().chunks, state.current().query_str), problems)
    if taken:
        st.session_state[keys.OWN_TEXT] = False
        workspace.current().values[keys.INTRODUCED] = True
        if not state.current().query_str.strip():
            st.session_state[keys.ASKS] = monotonic_ns()
    return taken


def cut_again() -> None:
    """Cut the latest texts as chosen now, and draw nothing."""
    if (paste := latest()) is not None:
        _use(paste, outcome().problems if outcome().result else ())


def _use(paste: Paste, problems: Sequence[Problem]) -> bool:
    """Make the texts the chunks, if they can be cut, and note what came of them."""
    values = workspace.current().values
    values[keys.PASTE] = paste
    try:
        chunks = chunks_of(paste.texts, paste.before)
    except SynthError as error:
        refuse(*problems, Problem(CANT_BE_CUT, str(error)))
        return False
    state.update(chunks=paste.before)
    in_front = paste.before if appends() else ()
    of_sample = not in_front and paste.question in _SAMPLE_QUESTIONS
    chunk_changes.change(
        "a pasted or uploaded text",
        (*in_front, *chunks),
        question=paste.question if of_sample else None,
    )
    if of_sample and state.current().query_str == paste.question:
        state.update(query_str="")
        st.session_state[keys.ASKS] = monotonic_ns()
    values[keys.PASTE] = paste
    values[keys.PASTE_OUTCOME] = PasteOutcome(tuple(problems), _result(paste, len(chunks)))
    return True


def _result(paste: Paste, count: int) -> str:
    length = sum(len(loaded.text) for loaded in paste.texts if loaded.text.strip())
    result = f"{counted(length, 'character')} became {counted(count, 'chunk')}."
    if has_pages(paste) and not st.session_state.get("cuts_pages"):
        result += " Each page of a PDF is one chunk."
    if blank := [loaded.source for loaded in paste.texts if not loaded.text.strip()]:
        result += (
            f" Left out, without text: {listed(blank)}. If it is there as a picture, run the file"
            " through text recognition (OCR) first."
        )
    return result


def chunks_of(texts: Sequence[Loaded], before: Chunks) -> Chunks:
    """The chunks of these texts, cut as chosen; SynthError if they can't be cut or are too many.

    If they are to be appended, those `before` count as well.
    """
    require_size("The text comes to", sum(loaded.size for loaded in texts))
    cuts_pages = bool(st.session_state.get("cuts_pages"))
    kept = len(before) if appends() else 0
    return _cut_all(texts, _cutting(), cuts_pages, kept)


def _cutting() -> Cutting:
    """How a text is to be cut, as chosen."""
    session = st.session_state
    return Cutting(
        way=session["separator"],
        separator=(session.get("own_separator") or "").replace("\\n", "\n"),
        size=int(session.get("split_size", 200)),
        overlap=int(session.get("split_overlap", 20)),
        tokenizer=model.tokenizer(state.current()),
    )


def _cut_all(texts: Iterable[Loaded], cutting: Cutting, cuts_pages: bool, kept: int) -> Chunks:
    """The chunks of these texts; SynthError if they and those `kept` are too many.

    A document or a row is a chunk as it is, and so is a page unless pages are to be cut.
    """
    chunks: list[Chunk] = []
    for loaded in texts:
        whole = loaded.kind == "document" or (loaded.kind == "page" and not cuts_pages)
        parts = (loaded.text,) if whole else cut(loaded.text, cutting)
        chunks += from_texts(filter(str.strip, parts), loaded.source)
    require_few(len(chunks) + kept, "That would be", "Cut at another place, or into larger chunks.")
    return tuple(chunks)


def readable_texts(files: Iterable[tuple[str, bytes]]) -> tuple[list[Loaded], list[str]]:
    """The texts of all files that can be used together, and the problems of the other files."""
    readable = Collected("All files together hold")
    problems: list[str] = []
    for name, data in files:
        try:
            readable.add(read_file(name, data))
        except SynthError as error:
            problems.append(str(error))
    return readable.texts, problems
