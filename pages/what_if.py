"""What if: every mode at other values of one setting."""

from ui.controls.sidebar import draw_sidebar
from ui.frame import frame
from ui.pages.what_if import page

frame("What if")
draw_sidebar()
page.draw()
