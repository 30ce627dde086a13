"""OpenAILLM: any chat endpoint that speaks OpenAI's protocol, in the cloud or at home."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import aclosing, suppress
from dataclasses import dataclass, field, replace
from functools import partial
from time import monotonic
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic import BaseModel
from typing_extensions import override

from synth.elsewhere import module_names
from synth.errors import BadResponse, SynthError, number, whole
from synth.lazy import defer
from synth.llms.chat_completions import (
    DEFAULT_MODEL,
    DONE,
    FIXED_FIELDS,
    PATH,
    CallRequest,
    Reading,
    find_refused,
    note_refused,
    read_piece,
    write_body,
)
from synth.llms.complaints import (
    ErrorReply,
    RequestFacts,
    as_model_error,
    caused_by,
    hide_key,
    is_error,
    pause,
)
from synth.llms.connection import FAULTS, Connection, Tell, follow_work, start_work
from synth.llms.counting_server import server_tokenizer
from synth.llms.endpoint import Endpoint
from synth.llms.model_prices import list_price, model_facts
from synth.prompts.prompt import Prompt
from synth.prompts.prompt_helper import NUM_OUTPUT, LLMMetadata, room_for_reasoning
from synth.runs.llm import LLM, Completion, Retry
from synth.runs.prices import find_rule
from synth.text.model_tokenizers import MODEL, SERVER
from synth.text.tokenizer import Encode, Tokenizer

_UNKNOWN_WINDOW = 128_000
# What a reply may have: a streamed token takes some 300 bytes, as many again for reasoning, and
# more where each piece brings citations.
_BYTES, _BYTES_A_TOKEN = 8_000_000, 4_000
_MOST_BYTES_OF_NAMES = 8_000_000
_MOST_NAMES, _LONGEST_NAME = 2_000, 200
_LINGER = 0.2  # seconds for what a server sends after the end of its stream
_NOT_CONNECTED = (httpx2.ConnectError, httpx2.InvalidURL)

if not TYPE_CHECKING:
    __getattr__ = module_names(__name__)


@dataclass
class Exchange:
    """The requests of one call in its time, without `refused` arguments, to which it adds."""

    connection: Connection
    request: CallRequest
    refused: set[str]
    max_retries: int
    _retries: int = field(default=0, init=False)
    _next: Retry | None = field(default=None, init=False)
    _is_reached: bool = field(default=False, init=False)

    def __post_init__(self) -> None:
        self._facts = self.request.facts
        self._left_out = set(self.refused)
        self._ends = monotonic() + self._facts.timeout

    async def go_on(self, tell: Tell) -> Completion | Retry:
        """Take the next step, a request or the wait before it; ModelError once there is none."""
        if self._next is not None and self._next.wait:
            await asyncio.sleep(self._next.wait)
            self._next = Retry(self._next.problem, self._next.tries)
            return self._next
        reading = Reading(self._facts.source, partial(hide_key, self._facts.endpoint.secrets))
        body = write_body(self.request, self._left_out)
        try:
            async with asyncio.timeout(self._ends - monotonic()):
                await self._request(body, reading, tell)
        except FAULTS as error:
            if isinstance(error, ErrorReply) or not reading.has_ended:
                self._next = self._after(error, reading, body)
                return self._next
        return reading.completion(note_refused(self.request, self._left_out))

    async def _request(self, body: dict[str, Any], reading: Reading, tell: Tell) -> None:
        async with (
            self.connection.open(PATH, body) as reply,
            aclosing(reply.events()) as events,
        ):
            self.refused |= self._left_out
            async for data in events:
                if data.strip() == DONE:
                    reading.end()
                    break
                if data.strip() and not data.lstrip().startswith(":"):
                    text = self._add(data, reading)
                    if text and self.request.streamed:
                        tell(text)
            if reply.is_whole:
                reading.end()
            with suppress(*FAULTS):  # a connection that was read to its end serves again
                async with asyncio.timeout(_LINGER):
                    async for _ in events:
                        pass

    def _add(self, data: str, reading: Reading) -> str:
        """Add what came to the answer, and return its text; other events are left out."""
        value = json.loads(data)
        piece = read_piece(value)
        text = reading.add(piece) if piece is not None else ""
        if is_error(value, is_answer=piece is not None):
            raise ErrorReply(value)
        if not isinstance(value, dict):
            raise reading.explain_garbled()
        if piece is not None and piece.error:
            raise ErrorReply(piece.error)
        return text

    def _after(self, error: Exception, reading: Reading, body: dict[str, Any]) -> Retry:
        """Return the next step after a request that failed; ModelError if there is none."""
        problem = as_model_error(error, self._facts)
        self._is_reached |= caused_by(error, *_NOT_CONNECTED) is None
        problem.sent = self._is_reached
        if reading.has_begun:
            if isinstance(error, ValueError | RecursionError):
                problem = reading.explain_garbled()
            problem.reply = reading.reply()
            raise problem from None
        tries = 2 if self._next is None else self._next.tries + 1
        if isinstance(error, ErrorReply):
            refused = find_refused(error.complaint, body, self._left_out)
            if refused is not None:
                self._left_out.add(refused)
                return Retry(problem, tries)
        seconds = pause(error, self._retries)
        is_spent = self._retries == self.max_retries
        if seconds is None or is_spent or monotonic() + seconds >= self._ends:
            raise problem from None  # not "from error": a client's message may quote the key
        self._retries += 1
        return Retry(problem, tries, seconds)


class OpenAILLM(LLM):
    """A model behind an OpenAI-compatible chat endpoint; sizes in tokens.

    A whole call has `timeout` seconds: its request, up to `max_retries` further ones after failures
    that may pass, and the waits before them. The environment's OPENAI_API_KEY and OPENAI_BASE_URL
    stand for a key and an address that are not given, but the key never for a `base_url` that was
    passed in. Further `arguments`, such as top_p or reasoning_effort, go out as they are, without
    those that are None. What the endpoint refuses (an argument, a JSON schema) is left out of later
    requests too, and `Completion.notes` says so where it matters. `num_output` and
    the room for reasoning before an answer go out as one number, under the name that the host reads
    (chat_completions.py). Without `reasoning_output` that room follows from the effort that is
    asked for (`room_for_reasoning`). A plan counts with the `cache` of the model's
    provider, or of one that is named (synth/runs/prices.py has the rules). SynthError if
    `base_url` is not a web address, or a number is not one.
    """

    def __init__(
        self,
        model: str | None = None,
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        context_window: int | None = None,
        num_output: int = NUM_OUTPUT,
        temperature: float | None = None,
        seed: int | None = None,
        arguments: Mapping[str, Any] = MappingProxyType({}),
        timeout: float = 60,
        max_retries: int = 2,
        tokenizer: str | Encode | Tokenizer | None = None,
        cache: str | None = None,
        reasoning_output: int | None = None,
    ) -> None:
        model = model or DEFAULT_MODEL
        counts = f"{MODEL} {model}" if tokenizer is None else tokenizer
        known = context_window
        if counts == SERVER:
            counts = server_tokenizer(model, api_key, base_url)
            known = counts.server.ask_window() if known is None else known
        known = model_facts(model).context_window if known is None else known
        window = _UNKNOWN_WINDOW if known is None else known
        if reasoning_output is None:
            effort = str(arguments.get("reasoning_effort"))
            reasoning_output = room_for_reasoning(effort, whole("num_output", num_output))
        self.metadata = LLMMetadata(window, num_output, model, counts, reasoning_output)
        self._most_output = num_output + reasoning_output
        self._endpoint = Endpoint.of(api_key, base_url)
        self.price = list_price(model, self._endpoint.base_url)
        self.cache = model_facts(model).cache if self.price is not None else None
        if cache is not None:
            self.cache = find_rule(cache)
        if cache is not None and self.price is not None:
            price = model_facts(model, marked=True).price
            plain = replace(self.price, cached=None, written=None)
            self.price = price if self.cache is not None and self.cache.is_billed else plain
        self._facts = RequestFacts(
            self._endpoint, number("timeout", timeout), model, window, self._most_output
        )
        self._max_retries = whole("max_retries", max_retries)
        if taken := sorted(FIXED_FIELDS.intersection(arguments)):
            raise SynthError(
                f"arguments has {', '.join(taken)}, by which a call would not be as planned: give"
                " num_output, reasoning_output and the model by their names here."
            )
        every = {"temperature": temperature, "seed": seed, **arguments}
        self._arguments = {name: value for name, value in every.items() if value is not None}
        self._refused: set[str] = set()

    @property
    def identity(self) -> str:
        """Name the endpoint, the model and the arguments that its answers depend on."""
        arguments = json.dumps(self._arguments, sort_keys=True, default=repr)
        address = f"{self._endpoint.base_url}|{PATH}"
        return f"{address}|{self._facts.model}|{self._most_output}|{arguments}"

    @override
    def complete(self, prompt: Prompt | str, schema: type[BaseModel] | None = None) -> Completion:
        """Ask for the reply; MissingKey before any request, ModelError for another failure."""
        *_, completion = self.ask(Prompt.of(prompt), schema)
        assert isinstance(completion, Completion)
        return completion

    @override
    def stream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> Iterator[str | Completion]:
        """Yield the reply as it is written, and then the completion. Errors as in `complete`."""
        for piece in self.ask(prompt, schema, streamed=True):
            if not isinstance(piece, Retry):
                yield piece

    @override
    def ask(
        self, prompt: Prompt, schema: type[BaseModel] | None = None, *, streamed: bool = False
    ) -> Iterator[str | Retry | Completion]:
        """Do as `stream` or `complete`, and yield each further request before it is sent."""
        request = CallRequest(self._facts, prompt.messages, self._arguments, schema, streamed)
        exchange = Exchange(self._connection, request, self._refused, self._max_retries)
        piece: str | Retry | Completion = ""
        while not isinstance(piece, Completion):
            for piece in follow_work(exchange.go_on):
                yield piece

    @defer
    def _connection(self) -> Connection:
        most_bytes = _BYTES + _BYTES_A_TOKEN * self._most_output
        return Connection(self, self._endpoint, most_bytes)


def list_models(
    api_key: str | None = None, base_url: str | None = None, timeout: float = 10
) -> list[str]:
    """Ask an endpoint for the names of its models, sorted; `timeout` in seconds.

    At most 2,000 names of at most 200 characters; the key can't be read in any. ModelError as in a
    run.
    """
    endpoint = Endpoint.of(api_key, base_url)
    facts = RequestFacts(endpoint, timeout)
    connection = Connection(facts, endpoint, _MOST_BYTES_OF_NAMES)

    async def ask() -> Any:
        async with asyncio.timeout(timeout):
            return await connection.ask("/models")

    try:
        reply = start_work(ask()).result()
        if is_error(reply, is_answer=True):
            raise ErrorReply(reply)
    except FAULTS as error:
        raise as_model_error(error, facts) from None  # a client's message may quote the key
    entries = reply
    if isinstance(reply, dict) and ("data" in reply or "models" in reply):
        entries = reply.get("data") or reply.get("models") or []  # Ollama without any has null
    every = entries if isinstance(entries, list) else []
    names = [entry.get("id") or entry.get("name") for entry in every if isinstance(entry, dict)]
    short = [name for name in names if isinstance(name, str) and len(name) <= _LONGEST_NAME]
    if not isinstance(entries, list) or (entries and not short):
        raise BadResponse(
            f"{endpoint.host} sent no list of models: check the base URL, which often ends in /v1."
        )
    return sorted(hide_key(endpoint.secrets, name) for name in short[:_MOST_NAMES])
