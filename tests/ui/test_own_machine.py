"""One's own machine is what whoever started the server says, where the browser is there too."""

import pytest

from ui.session import browser

HERE = {"Host": "localhost:8501", "Origin": "http://localhost:8501"}


def is_own_machine(monkeypatch, headers=HERE, server="127.0.0.1", peer=None, variable="1"):
    context = type("Context", (), {"headers": headers, "ip_address": peer})
    monkeypatch.setattr(browser.st, "context", context)
    monkeypatch.setattr(browser.st, "get_option", {"server.address": server}.get)
    monkeypatch.setenv("SYNTH_OWN_MACHINE", variable)
    return browser.is_own_machine()


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1:8501", "[::1]:8501", "127.1.2.3:80"])
@pytest.mark.parametrize("server", ["127.0.0.1", "localhost", "::1"])
def test_a_browser_beside_the_server_is_on_ones_own_machine(monkeypatch, host, server):
    headers = {"Host": host, "Origin": f"http://{host}", "Sec-Fetch-Site": "same-origin"}
    assert is_own_machine(monkeypatch, headers, server)


@pytest.mark.parametrize("variable", ["", "0", "no"])
def test_who_starts_the_server_decides(monkeypatch, variable):
    assert not is_own_machine(monkeypatch, variable=variable)


@pytest.mark.parametrize("server", [None, "", "0.0.0.0", "192.0.2.7", "unix:///tmp/app.sock"])
def test_a_server_that_others_can_reach_is_not_ones_own(monkeypatch, server):
    assert not is_own_machine(monkeypatch, server=server)


def test_somebody_else_who_reaches_it_is_not_at_home(monkeypatch):
    assert not is_own_machine(monkeypatch, peer="192.0.2.9")


@pytest.mark.parametrize(
    ("host", "origin"),
    [
        ("play.example", "https://play.example"),
        ("play.example", "http://localhost"),
        ("localhost", "https://play.example"),
        ("localhost:8501", "http://localhost:3000"),  # the page of another application
        ("localhost:8501", ""),
        ("", ""),
        ("localhost.evil.example", "http://localhost.evil.example"),
        ("evil@localhost", "http://localhost"),
        ("[", "http://["),
    ],
)
def test_a_page_of_another_address_is_not_ones_own(monkeypatch, host, origin):
    assert not is_own_machine(monkeypatch, {"Host": host, "Origin": origin})


PROXIES = """
Forwarded Via X-Forwarded-For X-Forwarded-Proto X-Real-Ip X-Client-Ip X-Cluster-Client-Ip
X-Request-Id Cf-Connecting-Ip True-Client-Ip Client-Ip Fastly-Client-Ip
"""


@pytest.mark.parametrize("name", PROXIES.split())
def test_what_came_through_a_proxy_is_not_from_here(monkeypatch, name):
    assert not is_own_machine(monkeypatch, HERE | {name: "127.0.0.1"})
