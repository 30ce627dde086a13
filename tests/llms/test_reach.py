"""Where requests may go on a server for others; nothing but loopback is ever contacted."""

import asyncio
import ipaddress
import socket
import ssl
import threading
from dataclasses import replace

import httpx2
import pytest
import trustme
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import SynthError
from synth.llms.listing import list_models
from synth.llms.openai import OpenAILLM
from synth.llms.reach import ANYWHERE, Reach, is_public, reach, resolved, restrict
from synth.llms.served import ServerFacts
from synth.llms.server_facts import ask_facts
from tests.fake_openai import Answer, Failure, FakeOpenAI, Line, Raw

PUBLIC = "93.184.216.34"
HOST = "models.example"


class Connections(httpx2.AsyncBaseTransport):
    """Keeps the addresses to which requests would go.

    They go to a server on loopback in the place of the internet, or fail as `fails` says.
    """

    def __init__(self, server="", fails=None, context=None):
        self.hosts = []
        self._server, self._fails = httpx2.URL(server), fails
        self._inner = httpx2.AsyncHTTPTransport(verify=context or True, trust_env=False)

    async def handle_async_request(self, request):
        self.hosts.append(request.url.host)
        if self._fails is not None:
            raise self._fails
        address = {"scheme": self._server.scheme, "host": "127.0.0.1", "port": self._server.port}
        request.url = request.url.copy_with(**address)
        return await self._inner.handle_async_request(request)


async def at_once(seconds):
    pass


@pytest.fixture
def only_public():
    """Restricts the process; a resolver gives these addresses, one list a question."""

    def restricted(connections, *answers):
        left = list(answers)

        async def resolve(host, port):
            return left.pop(0) if len(left) > 1 else left[0]

        wanted = Reach(public_only=True, connect=lambda: connections, wait=at_once)
        restrict(replace(wanted, resolve=resolve) if answers else wanted)

    yield restricted
    restrict(ANYWHERE)


def ask(base_url, **more):
    return OpenAILLM("m", "k", base_url, max_retries=0, **more).complete("x").text


def said(base_url, ways=(list_models, ask)):
    """What each way to a server says, with the host left out."""
    url, words = httpx2.URL(base_url), set()
    for way in ways:
        with pytest.raises(SynthError) as caught:
            way(base_url=base_url)
        shown = f"{url.host}:{url.port}" if url.port else url.host
        words.add(str(caught.value).replace("m at ", "").replace(shown, HOST))
    return words


ONE_SENTENCE = {
    f"{HOST} gave no answer that can be used: check the base URL, and that the whole internet"
    " reaches the server by https with a certificate that it trusts."
}

# fmt: off
PRIVATE = [
    "127.0.0.1", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1", "017700000001",
    "0", "0.0.0.0", "localhost", "localhost.", "LOCALHOST", "127。0。0。1", "10.0.0.1",
    "172.16.0.1", "192.168.1.1", "100.64.0.1", "169.254.169.254", "0xa9fea9fe", "192.0.0.1",
    "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "[::]", "[::1]",
    "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]", "[::ffff:169.254.169.254]",
    "[::127.0.0.1]", "[fd00::1]", "[fc00::1]", "[fe80::1]", "[fec0::1]", "[ff02::1]",
    "[100::1]", "[2002:7f00:1::]", "[2002:a9fe:a9fe::1]", "[64:ff9b::7f00:1]",
    "[64:ff9b::10.0.0.1]", "[64:ff9b:1::1]", "[2001:0:4136:e378:8000:63bf:80ff:fffe]",
    "[2001:db8::1]", "[::1]:8443", "10.0.0.1:8443",
]
RULED_OUT = [
    "http://93.184.216.34", "https://me:pw@93.184.216.34", "https://me@127.0.0.1",
    "https://127.0.0.1:22", "https://93.184.216.34:80", "https://[fe80::1%25lo]",
    "https://0177.0.0.1", "https://①②⑦.⓪.⓪.①", "ftp://93.184.216.34", "file:///etc/passwd",
    "http://127.0.0.1:8443", "https://１２７.0.0.1",
]
# fmt: on


@pytest.mark.slow
@pytest.mark.parametrize("form", PRIVATE)
def test_no_form_of_a_private_address_is_reached_or_told_apart(form, only_public):
    connections = Connections()
    only_public(connections)
    assert said(f"https://{form}/v1") == ONE_SENTENCE
    assert ask_facts("m", None, f"https://{form}/v1") == ServerFacts()
    assert connections.hosts == []


@pytest.mark.parametrize("form", RULED_OUT)
def test_what_the_letters_of_an_address_rule_out_is_never_asked_for(form, only_public):
    connections = Connections()
    only_public(connections, [PUBLIC])
    for way in (list_models, ask, lambda base_url: ask_facts("m", None, base_url)):
        with pytest.raises(SynthError, match=r"must be a full address|This server sends to"):
            way(base_url=form)
    assert connections.hosts == []


@pytest.mark.parametrize(
    "answers",
    [[], ["127.0.0.1"], [PUBLIC, "10.0.0.1"], ["fd00::1", PUBLIC], ["::ffff:127.0.0.1"], ["?"]],
)
def test_a_name_with_an_address_that_is_not_public_is_not_reached(answers, only_public):
    connections = Connections()
    only_public(connections, answers)
    assert said("https://models.example/v1") == ONE_SENTENCE
    assert connections.hosts == []


def test_a_name_that_nobody_knows_is_not_told_apart(only_public):
    async def unknown(host, port):
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    restrict(Reach(public_only=True, resolve=unknown, wait=at_once))
    assert said("https://models.example/v1") == ONE_SENTENCE


NOT_TRUSTED = httpx2.ConnectError("certificate verify failed")
NOT_TRUSTED.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")


@pytest.mark.parametrize(
    "fails",
    [
        httpx2.ConnectError("refused"),
        httpx2.ConnectTimeout("filtered"),
        httpx2.ReadError("closed"),
        httpx2.RemoteProtocolError("no HTTP"),
        NOT_TRUSTED,
    ],
)
def test_what_becomes_of_a_connection_is_not_told_apart(fails, only_public):
    connections = Connections(fails=fails)
    only_public(connections, [PUBLIC])
    assert said("https://models.example/v1") == ONE_SENTENCE
    assert set(connections.hosts) == {PUBLIC}


@pytest.mark.parametrize("found", [[], ["10.0.0.1"], [PUBLIC], [PUBLIC] * 3])
async def test_failures_to_connect_take_the_same_time(found):
    ends, connections = [], Connections(fails=httpx2.ConnectError("refused"))

    async def resolve(host, port):
        return found

    async def wait(seconds):
        ends.append(asyncio.get_running_loop().time() + seconds)

    began = asyncio.get_running_loop().time()
    reaches = Reach(public_only=True, resolve=resolve, connect=lambda: connections, wait=wait)
    with pytest.raises(httpx2.ConnectError):
        await reaches.transport().handle_async_request(httpx2.Request("GET", "https://a.example"))
    assert ends[0] - began >= 6
    assert connections.hosts == [one for one in found if one == PUBLIC]


async def test_names_whose_servers_are_slow_keep_no_other_name_waiting(monkeypatch):
    answer = threading.Event()

    def look(host, port, **_):
        if host != "quick.example":
            answer.wait(60)
        return [(None, None, 0, "", (PUBLIC, port))]

    monkeypatch.setattr(socket, "getaddrinfo", look)
    slow = [asyncio.ensure_future(resolved(f"slow{n}.example", 443)) for n in range(60)]
    try:
        async with asyncio.timeout(20):
            assert await resolved("quick.example", 443) == [PUBLIC]
    finally:
        answer.set()
        await asyncio.gather(*slow)


def test_a_connection_goes_where_was_looked_whatever_a_resolver_says_next(only_public):
    with FakeOpenAI(Answer("from the internet")) as server:
        connections = Connections(server.base_url)
        only_public(connections, [PUBLIC], ["127.0.0.1"], [PUBLIC], ["127.0.0.1"])
        model = OpenAILLM("m", "k", "https://models.example/v1", max_retries=0)
        assert model.complete("x").text == "from the internet"
        with pytest.raises(SynthError, match="gave no answer that can be used"):
            model.complete("y")
        assert model.complete("z").text == "from the internet"
        assert connections.hosts == [PUBLIC, PUBLIC]  # each an address, so nobody resolves it
        assert {one.headers["Host"] for one in server.requests} == {"models.example"}


def test_tls_is_spoken_with_the_name_of_the_host(only_public):
    names = []
    authority = trustme.CA()
    own = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("models.example").configure_cert(own)
    own.sni_callback = lambda _, name, __: names.append(name)
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    with FakeOpenAI(Answer("in private")) as server:
        server._server.socket = own.wrap_socket(server._server.socket, server_side=True)
        https = server.base_url.replace("http:", "https:")
        only_public(Connections(https, context=trusting), [PUBLIC])
        assert ask("https://models.example/v1") == "in private"
        only_public(Connections(https, context=trusting), [PUBLIC])
        assert said("https://other.example/v1") == ONE_SENTENCE
        assert server.requests[0].headers["Host"] == "models.example"
    assert names[0] == "models.example"
    assert set(names[1:]) == {"other.example"}


SECRETS = [
    Failure(500, "SecretAccessKey"),
    Failure(403, "SecretAccessKey"),
    Raw(b"<title>SecretAccessKey</title>", "text/html", 404),
    Raw(b'{"error": {"message": "SecretAccessKey"}}'),
    Failure(302, "SecretAccessKey", {"Location": "http://10.0.0.1/SecretAccessKey"}),
    Line(b"SSH-2.0-SecretAccessKey\r\n"),
]


@pytest.mark.parametrize("reply", SECRETS)
def test_of_an_error_nothing_but_its_status_is_shown(reply, only_public):
    models = reply if isinstance(reply, Raw) else ()
    with FakeOpenAI(reply, models=models) as server:
        only_public(Connections(server.base_url), [PUBLIC])
        [words] = said("https://models.example/v1", ways=(ask,))
    assert "Secret" not in words
    status = getattr(reply, "status", 200)
    assert status == 200 or f"HTTP {status}" in words


def test_no_proxy_of_the_environment_is_asked(only_public, monkeypatch):
    with FakeOpenAI(Answer("by the proxy")) as proxy, FakeOpenAI(Answer("directly")) as server:
        for name in ("HTTPS_PROXY", "ALL_PROXY", "https_proxy"):
            monkeypatch.setenv(name, proxy.base_url.removesuffix("/v1"))
        only_public(Connections(server.base_url), [PUBLIC])
        assert ask("https://models.example/v1") == "directly"
        assert proxy.requests == []


def test_requests_go_to_listed_addresses_alone(only_public):
    with FakeOpenAI(Answer("listed"), models=["m"]) as server:
        restrict(Reach(listed=frozenset({server.base_url})))
        assert ask(server.base_url) == "listed"
        assert list_models(base_url=server.base_url) == ["m"]
        asked = len(server.requests)
        others = (server.base_url + "/", server.base_url.removesuffix("/v1"), "https://a.test/v1")
        for other in (*others, None):
            for way in (list_models, ask, lambda base_url: ask_facts("m", None, base_url)):
                with pytest.raises(SynthError, match="endpoints that its operator lists"):
                    way(base_url=other)
        assert len(server.requests) == asked


INSIDE = st.sampled_from(["10.0.0.0/8", "127.0.0.0/8", "169.254.0.0/16", "100.64.0.0/10"]).flatmap(
    lambda network: st.ip_addresses(network=network)
)
WRAPPED = {
    "mapped": lambda v4: 0xFFFF << 32 | v4,
    "6to4": lambda v4: 0x2002 << 112 | v4 << 80 | 1,
    "NAT64": lambda v4: 0x64FF9B << 96 | v4,
    "Teredo": lambda v4: 0x20010000 << 96 | 0x41363737 << 64 | v4 ^ 0xFFFF_FFFF,
}


@given(INSIDE, st.sampled_from(sorted(WRAPPED)))
def test_a_wrapped_address_is_as_public_as_what_is_in_it(inside, way):
    def wrapped(address):
        return ipaddress.IPv6Address(WRAPPED[way](int(address)))

    assert not is_public(inside)
    assert not is_public(wrapped(inside))
    assert is_public(wrapped(ipaddress.IPv4Address(PUBLIC)))
    assert is_public(ipaddress.IPv6Address("2606:2800:220:1:248:1893:25c8:1946"))


async def test_the_resolver_of_the_machine_gives_each_address_once():
    assert await resolved("127.0.0.1", 443) == ["127.0.0.1"]
    assert reach() == ANYWHERE
