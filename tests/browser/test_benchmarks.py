"""The benchmarks of the pages still find what they measure there, and what a page says."""

import pytest

from benchmarks import page
from benchmarks.dropped import drop
from tests.hostile import Hostile, Questions, Trace, Upload


def test_each_edit_is_followed_to_the_sentence_and_to_the_figures(
    browser, app_url, capsys, monkeypatch
):
    monkeypatch.setattr(page, "ROUNDS", 1)
    assert page._edits(browser, app_url, 20, (10**6, 1))  # the second bar is missed
    rows = capsys.readouterr().out.splitlines()
    assert [row.partition(":")[0] for row in rows[::2]] == [
        f"20 chunks, {what}" for what in ("window", "mode", "template", "window again")
    ]
    assert [row.split()[-1] for row in rows] == ["ok", "MISSED"] * 4


@pytest.mark.parametrize("read", [Upload("a.txt"), Questions("a.json"), Trace("a.json")], ids=repr)
def test_what_a_page_says_of_a_file_is_found(read, tab, app_url):
    assert drop(tab, Hostile("no text", lambda: b"\xff\x00", read, ""), app_url)
