"""Compare: modes, templates or models side by side."""

from ui.frame import frame
from ui.pages.compare import page, report

page.draw(frame("Compare", report.draw_files))
