"""Another API is one adapter: a made-up one plans, runs, streams, fails and is priced."""

import json
from collections.abc import Mapping, Set
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from typing_extensions import override

from synth import get_response_synthesizer
from synth.errors import BadResponse
from synth.llms.adapter import Adapter, CallRequest, Piece, Usage
from synth.llms.endpoint import Endpoint, Maker
from synth.llms.endpoint_llm import EndpointLLM
from synth.runs.calls import Spent
from synth.runs.events import Token
from synth.runs.prices import Price
from tests.llms.ways import CHUNKS, DRIVES, PLAIN, STREAMS, WAYS, trace_of
from tests.loopback import Handler, Loopback


class OracleAdapter(Adapter):
    """An API that has nothing in common with OpenAI's."""

    maker = Maker("https://oracle.test", "ORACLE_URL", "ORACLE_KEY")
    path = "/ask"
    model = "delphi"

    @override
    def headers(self, endpoint: Endpoint) -> dict[str, str]:
        return {"X-Oracle": endpoint.key}

    @override
    def body(self, request: CallRequest, host: str, refused: Set[str]) -> dict[str, Any]:
        lines = [{"who": one.role, "says": one.content} for one in request.messages]
        return {"lines": lines, "most": request.num_output, "live": request.streamed}

    @override
    def read(self, data: Any) -> Piece | None:
        if not isinstance(data, dict) or "problem" in data:
            return None
        spent: Mapping[str, int] = data.get("spent", {})
        return Piece(
            text=data.get("said", ""),
            reasoning=data.get("smoke", ""),
            finish_reason={"full": "length", "end": "stop"}.get(data.get("why", "")),
            usage=Usage(spent["heard"], spent["said"], None, spent["smoke"]) if spent else None,
        )

    @override
    def error(self, body: Any) -> Any:
        return {"message": body["problem"], "code": body.get("sort")}

    @override
    def price(self, model: str, address: str) -> Price | None:
        return Price(1.0, 2.0)


class OracleLLM(EndpointLLM):
    adapter = OracleAdapter()


class FakeOracle(Loopback):
    def __init__(self) -> None:
        super().__init__(_Oracle)
        self.problem: dict[str, str] = {}
        self.asked: list[tuple[str | None, dict[str, Any]]] = []


class _Oracle(Handler, BaseHTTPRequestHandler):
    fake: FakeOracle

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.fake.asked.append((self.headers["X-Oracle"], body))
        spent: object = {"heard": 70, "said": 9, "smoke": 5}
        if self.fake.problem:
            self.send(json.dumps(self.fake.problem).encode(), status=422)
        elif body["live"]:
            events: list[dict[str, object]] = [
                {"smoke": "Hm."},
                {"said": "know "},
                {"said": "thyself"},
            ]
            events.append({"why": "end", "spent": spent})
            data = b"".join(b"data: %b\n\n" % json.dumps(one).encode() for one in events)
            self.send(data, "text/event-stream")
        else:
            said = {"smoke": "Hm.", "said": "know thyself", "why": "end", "spent": spent}
            self.send(json.dumps(said).encode())


@pytest.mark.parametrize("drive", DRIVES)
def test_a_made_up_api_is_planned_run_and_priced(drive):
    with FakeOracle() as server:
        llm = OracleLLM(None, "sk-oracle", server.base_url, num_output=30, context_window=1_000)
        plan = get_response_synthesizer("refine", llm).plan("why", CHUNKS)
        trace = trace_of(drive, llm)
    assert plan.call_count == trace.call_count == len(server.asked) == len(CHUNKS)
    assert trace.response == "know thyself"
    assert {call.reasoning for call in trace.calls} == {"Hm."}
    assert [call.reasoning_tokens for call in trace.calls] == [5, 5, 5]
    assert trace.spent == Spent(3, 210, 27)
    assert plan.setup.price == trace.setup.price == Price(1.0, 2.0)
    key, body = server.asked[0]
    assert (key, body["most"], body["lines"][0]["who"]) == ("sk-oracle", 30, "user")


@pytest.mark.parametrize("ask", STREAMS)
def test_it_is_streamed_as_it_comes(ask):
    with FakeOracle() as server:
        llm = OracleLLM(None, "sk-oracle", server.base_url)
        assert ask(llm).text == "know thyself"
        made = get_response_synthesizer("generation", llm, streaming=True)
        tokens = [event.text for event in made.stream("why", []) if isinstance(event, Token)]
    assert tokens == ["know ", "thyself"]


@pytest.mark.parametrize("ask", WAYS)
def test_it_fails_in_its_own_words(ask):
    with FakeOracle() as server:
        server.problem = {
            "problem": "sk-oracle-1234 is no offering",
            "sort": "context_length_exceeded",
        }
        llm = OracleLLM(None, "sk-oracle-1234", server.base_url, num_output=30)
        with pytest.raises(BadResponse, match=r"“\[key\] is no offering”. It has no room for"):
            ask(llm, PLAIN)
    assert len(server.asked) == 1
