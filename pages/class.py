"""Class: one exercise for a class, whose answers its teacher sees grow."""

from ui.frame import frame
from ui.pages.learn import classroom

frame("Class", menu=False)
classroom.draw()
