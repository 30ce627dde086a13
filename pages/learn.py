"""Learn: lessons to predict, to step through and to reveal."""

from ui.frame import frame
from ui.pages.learn import page

frame("Learn")
page.draw()
