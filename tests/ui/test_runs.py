"""The Runs page without a browser."""

from tests.ui.page import Page, Playground


class Runs(Page):
    script = "pages/runs.py"


def test_first():
    page = Playground()
    page.finish()
    runs = Runs()
    runs.space = page.space
    runs.open()
    print(runs.text)
    assert 0
