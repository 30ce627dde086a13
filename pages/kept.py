"""What is kept of a workspace, where and for how long, and the button that deletes it."""

from ui.frame import frame
from ui.kept import page

frame("What is kept")
page.draw()
