"""The third stage: the answer, what the guess missed, the sums, and one thing to change."""

from __future__ import annotations

from random import randint

import streamlit as st

from ui.controls import handover
from ui.learn import here, pictures, progress
from ui.learn.control import change_one_thing
from ui.learn.place import LAST_SEED, Place, start
from ui.learn.sums import sums_html
from ui.lessons import LESSONS
from ui.lessons.lesson import Facts, Reveal
from ui.look.elements import box
from ui.look.escape import escape
from ui.look.theme import Look
from ui.session import workspace


def words(place: Place, found: Facts, look: Look) -> None:
    """Head, sums, remark, the control, and the ways on."""
    if found.high.problem and not found.high.calls:
        box("This can't run.", found.high.problem)
    else:
        reveal = place.lesson.reveal(found)
        head = " ".join(filter(None, (reveal.head, verdict(place, found, reveal))))
        st.html(f'<div class="lesson"><h2 role="status">{escape(head)}</h2></div>')
        st.html(sums_html(reveal.sums))
        st.html(f'<div class="lesson"><p>{escape(reveal.remark)}</p></div>')
    if "control" not in place.hidden:
        change_one_thing(place)
    _ways_on(place, found)


def verdict(place: Place, found: Facts, reveal: Reveal) -> str:
    """What is to be said of the prediction; nothing where there was none."""
    guess = progress.guess(place)
    if guess is None:
        return ""
    if guess == place.lesson.question(found).answer:
        return "That is what you said."
    return reveal.miss(guess)


def picture(place: Place, found: Facts, look: Look) -> None:
    """The pictures that the lesson names."""
    pictures.draw(place, found, look)


def _ways_on(place: Place, found: Facts) -> None:
    with st.container(horizontal=True, vertical_alignment="center", key="ways_on"):
        following = LESSONS[place.number :]
        if following and "lessons" not in place.hidden:
            title = following[0].title
            st.button(
                f"Next: {title[0].lower()}{title[1:]}",
                type="primary",
                icon=":material/arrow_forward:",
                icon_position="right",
                on_click=here.go,
                args=(start(following[0], hidden=place.hidden),),
                key="next_lesson",
            )
        st.button("Another like this", on_click=_another, args=(place,), key="another")
        if "playground" not in place.hidden:
            _to_the_playground(place, found)


def _to_the_playground(place: Place, found: Facts) -> None:
    if st.button("Open in the Playground", type="tertiary", key="to_playground"):
        handover.put(found.request, place.lesson.title)
        st.switch_page("app.py", query_params={"w": workspace.current().id})


def _another(place: Place) -> None:
    """A fresh exercise, whose number stands in the address for others."""
    seed = randint(1, LAST_SEED)
    here.go(start(place.lesson, seed if seed != place.seed else seed % LAST_SEED + 1, place.hidden))
