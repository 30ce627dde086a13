"""Import: a trace of another application, opened as a run."""

from ui.frame import frame
from ui.pages.traces import page

frame("Import")
page.draw()
