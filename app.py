"""The Playground: a question, chunks and a mode; the plan before the run, every call after."""

from ui.frame import frame
from ui.pages.playground import page

page.draw(frame("Playground", page.draw_files))
