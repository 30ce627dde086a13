"""The benchmark of the page still finds what it measures there."""

from benchmarks import page


def test_each_edit_is_followed_to_the_sentence_and_to_the_figures(
    browser, app_url, capsys, monkeypatch
):
    monkeypatch.setattr(page, "ROUNDS", 1)
    assert page._edits(browser, app_url, 50, (10**6, 1))  # the second bar is missed
    rows = capsys.readouterr().out.splitlines()
    assert [row.partition(":")[0] for row in rows[::2]] == [
        f"50 chunks, {what}" for what in ("window", "mode", "template")
    ]
    assert [row.split()[-1] for row in rows] == ["ok", "MISSED"] * 3
