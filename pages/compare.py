"""Compare: modes, templates or models side by side."""

from ui.frame import frame
from ui.pages.compare import files, page

page.draw(frame("Compare", files.draw))
