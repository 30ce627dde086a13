"""A model's own tokenizer.json, given as a file: on one's own machine, where it is kept.

A file is a stranger's work, so it is first read and tried in a process that can be ended.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path

import streamlit as st

from synth.errors import SynthError
from synth.text import kept_files
from synth.text.huggingface import MOST_BYTES, huggingface_tokenizer
from synth.text.tokens import tokenizer_of_file
from ui.controls import paste
from ui.look.elements import error_box, small
from ui.session import browser, keys
from ui.session.apart import TookTooMuch, apart
from ui.settings import model, state

_MOST_BESIDE = 8_000_000  # bytes of a tokenizer_config.json; Gemma's has 1.2 million
_LONGEST = 300  # characters of what is wrong with a file
_CHATS = [("user",), ("system", "user"), ("user", "assistant", "user")]
_TEXTS = [
    "A sentence of 9 words, with 1,024 and ½: ночь, 夜 🚀.\n",
    *(letter * 4_000 for letter in ("a", "A", " ", "1", "!", "\n", "é", "字", "a ", "a1", "_-")),
]
"""What a pattern without end stumbles over: long runs of one kind."""


def draw(given: str) -> None:
    """Draw the field for the files; `given` is the hash of those that the model has, or ""."""
    own_machine = browser.is_own_machine()
    if given and kept_files.path_of(given) is None:
        action = ": give the file again." if own_machine else ", where it was given."
        small(f"The tokenizer.json of this model counts on another machine{action}")
    if given:
        st.button("Remove its tokenizer.json", type="tertiary", on_click=_put, args=("",))
    if not own_machine:
        return
    problem = st.session_state.pop(keys.TOKENIZER_PROBLEM, None)
    with st.expander("Its tokenizer.json", expanded=problem is not None, key="own_tokenizer"):
        small(
            "The file of this model, with tokenizer_config.json or chat_template.jinja for its"
            " chat template. It stays on this machine; links and saved runs have its hash alone."
        )
        paste.draw_uploader(
            "Files of its tokenizer",
            ["json", "jinja"],
            MOST_BYTES // 1_000_000,
            _take,
            several=True,
            label_visibility="collapsed",
        )
        if problem:
            error_box("It was not taken.", problem)


def _take(chosen: Sequence[tuple[str, bytes]]) -> None:
    """Keep the files that were just chosen."""
    if not chosen:
        return
    try:
        files = _with_earlier(_named(chosen))
        _put(kept_files.keep(files, _require_usable))
    except SynthError as problem:
        st.session_state[keys.TOKENIZER_PROBLEM] = str(problem)


def _put(digest: str) -> None:
    """Have the files with this hash count for the model, "" for none; ends a callback."""
    settings = state.current()
    files = model.with_tokenizer_file(settings, model.name(settings), digest)
    state.take(tokenizer_files=files, **({"tokenizer": ""} if digest else {}))


def _named(chosen: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    """The files by the names that makers give them; SynthError for any other, and a long one."""
    if not browser.is_own_machine():
        raise SynthError("A tokenizer.json can be given on one's own machine alone.")
    files = {}
    for name, data in chosen:
        if name not in kept_files.NAMES:
            raise SynthError(f"{name[:80]} is none of {', '.join(kept_files.NAMES)}: rename it.")
        most = MOST_BYTES if name == kept_files.TOKENIZER else _MOST_BESIDE
        if len(data) > most:
            raise SynthError(f"{name} has {len(data):,} bytes, and {most:,} is the limit.")
        files[name] = data
    return files


def _with_earlier(files: Mapping[str, bytes]) -> Mapping[str, bytes]:
    """These files, and beside a template that comes later the tokenizer.json from before."""
    if kept_files.TOKENIZER in files:
        return files
    earlier = kept_files.path_of(model.tokenizer_file(state.current()))
    if earlier is None:
        raise SynthError(f"{', '.join(files)} counts nothing by itself: give tokenizer.json too.")
    try:
        return {**{one.name: one.read_bytes() for one in earlier.parent.iterdir()}, **files}
    except OSError as problem:
        raise SynthError(f"{earlier} can't be read: {problem.strerror}.") from problem


def _require_usable(path: Path) -> None:
    """Raise a SynthError for files that can't be used, or not within the limits of a process."""
    try:
        problem = apart(_problem_of, path)
    except TookTooMuch as ended:
        raise SynthError(f"To read and try it {ended}, so it can't be used here.") from ended
    if problem:
        raise SynthError(problem.replace(str(path), path.name)[:_LONGEST])


def _problem_of(path: Path) -> str:
    """What is wrong with a tokenizer.json and the chat template beside it; "" if nothing is.

    Long texts and chats are tried, so it may not end: call it in a process of its own.
    """
    huggingface_tokenizer.cache_clear()  # two large ones are more than the memory of a process
    try:
        tokenizer = tokenizer_of_file(path)
        empty = [text for text in _TEXTS if not tokenizer.count(text)]
        frames = [tokenizer.frame(roles) for roles in _CHATS]
    except (KeyboardInterrupt, SystemExit):
        raise
    except SynthError as problem:
        return str(problem)
    except BaseException as problem:  # the library panics on some files, which is no Exception
        return f"{path.name} can't be used: {problem!r}."
    finally:
        huggingface_tokenizer.cache_clear()
    if empty:
        return f"{path.name} finds no token in {empty[0][:20]!r}: give the file of a whole model."
    if tokenizer.sure and frames[0] is None:
        return "The chat template gives nothing for a question: give that of a model for chats."
    return ""
