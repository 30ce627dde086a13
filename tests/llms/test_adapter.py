"""Another API is one adapter: a made-up one plans, runs, streams, fails and is priced."""

from collections.abc import Mapping, Set
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
from tests.fake_openai import FakeOpenAI
from tests.llms.faults import events, whole, whole_with
from tests.llms.ways import CHUNKS, DRIVES, PLAIN, STREAMS, WAYS, trace_of


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


SPENT = {"heard": 70, "said": 9, "smoke": 5}
REPLY = whole(smoke="Hm.", said="know thyself", why="end", spent=SPENT)
PIECES = events(
    {"smoke": "Hm."}, {"said": "know "}, {"said": "thyself"}, {"why": "end", "spent": SPENT}
)


@pytest.mark.parametrize("drive", DRIVES)
def test_a_made_up_api_is_planned_run_and_priced(drive):
    with FakeOpenAI(REPLY) as server:
        llm = OracleLLM(None, "sk-oracle", server.base_url, num_output=30, context_window=1_000)
        plan = get_response_synthesizer("refine", llm).plan("why", CHUNKS)
        trace = trace_of(drive, llm)
    assert plan.call_count == trace.call_count == len(server.requests) == len(CHUNKS)
    assert trace.response == "know thyself"
    assert {call.reasoning for call in trace.calls} == {"Hm."}
    assert [call.reasoning_tokens for call in trace.calls] == [5, 5, 5]
    assert trace.spent == Spent(3, 210, 27)
    assert plan.setup.price == trace.setup.price == Price(1.0, 2.0)
    first = server.requests[0]
    assert (first.path, first.headers["X-Oracle"]) == ("/v1/ask", "sk-oracle")
    assert (first.body["most"], first.body["lines"][0]["who"]) == (30, "user")


@pytest.mark.parametrize("ask", STREAMS)
def test_it_is_streamed_as_it_comes(ask):
    with FakeOpenAI(PIECES) as server:
        llm = OracleLLM(None, "sk-oracle", server.base_url)
        assert ask(llm).text == "know thyself"
        made = get_response_synthesizer("generation", llm, streaming=True)
        tokens = [event.text for event in made.stream("why", []) if isinstance(event, Token)]
    assert tokens == ["know ", "thyself"]
    assert server.requests[0].body["live"]


@pytest.mark.parametrize("ask", WAYS)
def test_it_fails_in_its_own_words(ask):
    problem = {"problem": "sk-oracle-1234 is no offering", "sort": "context_length_exceeded"}
    with FakeOpenAI(whole_with(422, **problem)) as server:
        llm = OracleLLM(None, "sk-oracle-1234", server.base_url, num_output=30)
        with pytest.raises(BadResponse, match=r"“\[key\] is no offering”. It has no room for"):
            ask(llm, PLAIN)
    assert len(server.requests) == 1
