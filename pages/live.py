"""Live: the syntheses that running applications send, as they go on."""

from ui.frame import frame
from ui.pages.live import page

frame("Live")
page.draw()
