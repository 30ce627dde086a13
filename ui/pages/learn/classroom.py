"""A class: the link of an exercise for pupils, their answers as bars that grow, and the reveal.

The link has the code of the class, which stands in the workspace of whoever made it: the teacher.
Counted is the first answer of each other workspace, without a name, for a day.
"""

import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from time import time
from urllib.parse import urlsplit

import segno
import streamlit as st
from sqlalchemy import delete, insert, select

from synth.html.markup import tag
from ui.look.elements import box, error_box, small
from ui.pages.learn import page
from ui.pages.learn.lessons.exercises import Choice, Task
from ui.pages.learn.location import LessonLocation, read, save_guess, value_label
from ui.session import browser, keys, workspace
from ui.store.rows import CLASS_ANSWER
from ui.store.store import StoreError, current_store

_CODE = re.compile("[0-9a-f]{8}")
_OFTEN = timedelta(seconds=2)
_REVEALED = "revealed"
"""What is counted when the teacher reveals; an answer is counted by its place: "choice 2"."""
_DAY = 86_400  # seconds
_FEW = 10  # answers up to which a bar is drawn on one scale


@dataclass(frozen=True)
class _Class:
    code: str
    location: LessonLocation

    @property
    def _counted_under(self) -> str:
        return sha256(repr(("class", self.code, self.location.exercise)).encode()).hexdigest()

    def count(self, what: str) -> None:
        """Count an answer or the reveal for a day; a box says why it can't be."""
        try:
            with current_store().write() as connection:
                connection.execute(delete(CLASS_ANSWER).where(CLASS_ANSWER.c.came < time() - _DAY))
                row = {"class": self._counted_under, "answer": what, "came": time()}
                connection.execute(insert(CLASS_ANSWER), row)
        except StoreError as problem:
            error_box("It is not counted for the class.", str(problem))

    def read_counts(self) -> Mapping[str, int]:
        """Return what is counted so far; a box says why it can't be read."""
        of_class = CLASS_ANSWER.c["class"] == self._counted_under
        answers = select(CLASS_ANSWER.c.answer).where(of_class)
        try:
            with current_store().read() as connection:
                return Counter(connection.scalars(answers))
        except StoreError as problem:
            error_box("What the class said can't be read.", str(problem))
            return {}


def draw() -> None:
    """Draw the class that the address names, for its teacher or for a pupil."""
    location = read(st.query_params.to_dict())
    group = _Class(st.query_params.get("code", ""), location.at("predict"))
    if not _CODE.fullmatch(group.code):
        error_box("This link leads to no class.", "Ask for it again: the end of it is missing.")
    elif workspace.value(keys.CLASS, "") == group.code:
        _draw_teacher(group)
    else:
        _draw_pupil(group)


def _draw_pupil(group: _Class) -> None:
    location, guess = group.location, group.location.guess
    with st.container(key="class_bar"):
        st.html(tag("div.lesson.title", tag("h1", location.lesson.words.title)))
    if group.read_counts().get(_REVEALED):
        page.draw_solution(location)
        return
    st.fragment(_draw_when_revealed, run_every=_OFTEN)(group)
    if guess is not None:
        small(
            f"Your answer: {value_label(guess)}. The solution comes when your teacher reveals it."
        )

    def take(choice: Choice) -> None:
        if location.guess is None:
            group.count(f"choice {location.task.choices.index(choice)}")
            save_guess(location, choice)

    page.draw_question(location, take, answered=guess is not None)


def _draw_when_revealed(group: _Class) -> None:
    if group.read_counts().get(_REVEALED):
        st.rerun()


def _draw_teacher(group: _Class) -> None:
    location, task = group.location, group.location.task
    revealed = bool(group.read_counts().get(_REVEALED))
    with st.container(horizontal=True, vertical_alignment="center", key="class_bar"):
        title = tag("h1", location.lesson.words.title), tag("span.muted", "No names are asked.")
        st.html(tag("div.lesson.title", *title))
        if st.button("Leave", icon=":material/close_fullscreen:"):
            _leave(location)
    with st.container(key="two_class"):
        main, side = st.columns([5, 2], gap="large")
    with main:
        st.html(tag("div.lesson.asks", tag("h2", task.text)))
        page.draw_empty_picture(location.facts, task.asks)
        st.fragment(_draw_bars, run_every=_OFTEN)(group, task, revealed)
        if revealed:
            st.html(tag("div.lesson", tag("p", tag("b", task.head), " ", task.remark)))
    with side:
        _draw_link(workspace.page_url(location.params() | {"code": group.code}))
        st.fragment(_draw_total, run_every=_OFTEN)(group)
        if not revealed:
            st.button(
                "Reveal",
                type="primary",
                width="stretch",
                shortcut="Space",
                on_click=group.count,
                args=(_REVEALED,),
            )
        elif st.button("See why", type="primary", width="stretch"):
            _leave(location.at("reveal"))


def _leave(location: LessonLocation) -> None:
    st.switch_page("pages/learn.py", query_params=workspace.address(**location.params()))


def _draw_link(url: str) -> None:
    """Draw the link as a QR code and as text, and say so if only this machine can open it."""
    code = segno.make(url, micro=False).svg_data_uri(omitsize=True, border=2)
    st.html(tag("div.qr", tag("img", src=code, alt="QR code of the link")))
    st.code(url, language=None, wrap_lines=True)
    if leads_to_this_machine_alone(url):
        box(
            "Only this machine can open it.",
            "Start the server with “make class”, or “synth app --class”, and open the address that"
            " it prints.",
        )


def leads_to_this_machine_alone(url: str) -> bool:
    """Return whether this address has another meaning on every machine."""
    host = urlsplit(url).hostname or ""
    return browser.is_loopback(host) or host in ("0.0.0.0", "::")


def _draw_bars(group: _Class, task: Task, revealed: bool) -> None:
    """Draw a bar for each choice, which grows from the length that it had before."""
    answers = group.read_counts()
    amounts = [answers.get(f"choice {at}", 0) for at in range(len(task.choices))]
    lengths = [100 * amount / max(_FEW, *amounts) for amount in amounts]
    drawn, before = st.session_state.get(keys.CLASS_BARS, (None, []))
    if drawn != group:
        before = lengths
    st.session_state[keys.CLASS_BARS] = group, lengths
    rows = []
    for choice, amount, start, end in zip(task.choices, amounts, before, lengths, strict=True):
        bar = tag("i", style=f"--start:{start:.5g}%;--end:{end:.5g}%")
        right = revealed and choice == task.answer
        name = f"{value_label(choice)}{' ✓' if right else ''}"
        cells = tag("dt", name), tag("dd", tag("i.bar", bar), tag("b", f"{amount:,}"))
        rows.append(tag("div.right" if right else "div", *cells))
    st.html(tag("dl.class-bars.num.solved" if revealed else "dl.class-bars.num", *rows))


def _draw_total(group: _Class) -> None:
    answers = group.read_counts()
    total = sum(amount for what, amount in answers.items() if what != _REVEALED)
    word = "answer" if total == 1 else "answers"
    st.html(tag("div.class-total.num", tag("b", f"{total:,}"), " ", tag("span", word)))
