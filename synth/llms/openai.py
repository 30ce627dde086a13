"""OpenAILLM: any chat endpoint that speaks OpenAI's protocol, in the cloud or at home."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import cached_property
from typing import Any

import openai
from pydantic import BaseModel

from synth.llms.base import LLM, LLMMetadata
from synth.llms.endpoint import Endpoint
from synth.llms.failures import Facts, as_model_error, complaint
from synth.llms.fallbacks import Arguments, Refusable, adapted, notes, refusal
from synth.llms.replies import Reading
from synth.models import model_facts
from synth.prompts import Prompt
from synth.steps import Completion
from synth.tokens import encoding_of

_UNKNOWN_WINDOW = 128_000
_STREAMED = {"stream": True, "stream_options": {"include_usage": True}}
_REFUSALS = (openai.BadRequestError, openai.UnprocessableEntityError)


class OpenAILLM(LLM):
    """A model behind an OpenAI-compatible chat endpoint; sizes in tokens, `timeout` in seconds.

    Without `api_key` the environment's OPENAI_API_KEY is used, but never for a `base_url`
    that was passed in. What the endpoint refuses (an argument, a JSON schema) is left out of
    later requests too, and `Completion.notes` says so where it matters. SynthError if
    `base_url` is no web address.
    """

    def __init__(
        self,
        model: str = "gpt-4.1-mini",
        api_key: str | None = None,
        base_url: str | None = None,
        *,
        context_window: int | None = None,
        num_output: int = 256,
        temperature: float | None = None,
        seed: int | None = None,
        timeout: float = 60,
        max_retries: int = 2,
        encoding: str | None = None,
    ) -> None:
        known = model_facts(model).context_window if context_window is None else context_window
        window = _UNKNOWN_WINDOW if known is None else known
        self.metadata = LLMMetadata(window, num_output, model, encoding or encoding_of(model)[0])
        self._endpoint = Endpoint.of(api_key, base_url)
        self._facts = Facts(model, self._endpoint.host, timeout, window, num_output)
        self._max_retries = max_retries
        self._settings = {"temperature": temperature, "seed": seed}
        self._refused: set[Refusable] = set()
        self._async_clients: dict[asyncio.AbstractEventLoop, tuple[openai.AsyncOpenAI, int]] = {}

    @property
    def identity(self) -> str:
        """The endpoint, the model and the settings that its answers depend on."""
        sizes = self.metadata
        settings = (sizes.num_output, *self._settings.values())
        return "|".join(map(str, (self._endpoint.base_url, sizes.model_name, *settings)))

    def complete(self, prompt: Prompt, schema: type[BaseModel] | None = None) -> Completion:
        """The model's reply. MissingKey before any request; ModelError for what goes wrong."""
        with self._our_errors():
            wanted = self._wanted(prompt, schema)
            reading = Reading(self._facts.source, streamed=False)
            reading.add(self._create(wanted))
            return reading.completion(self._notes(wanted))

    def stream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> Iterator[str | Completion]:
        """The reply as it is written, and then the whole completion. Errors as in `complete`."""
        with self._our_errors():
            wanted = self._wanted(prompt, schema) | _STREAMED
            reading = Reading(self._facts.source, streamed=True)
            with self._create(wanted) as pieces:
                for piece in pieces:
                    if text := reading.add(piece):
                        yield text
            yield reading.completion(self._notes(wanted))

    async def acomplete(self, prompt: Prompt, schema: type[BaseModel] | None = None) -> Completion:
        """`complete`, waiting with asyncio."""
        with self._our_errors():
            wanted = self._wanted(prompt, schema)
            reading = Reading(self._facts.source, streamed=False)
            async with self._async_client() as client:
                reading.add(await self._acreate(client, wanted))
            return reading.completion(self._notes(wanted))

    async def astream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> AsyncIterator[str | Completion]:
        """`stream`, waiting with asyncio."""
        with self._our_errors():
            wanted = self._wanted(prompt, schema) | _STREAMED
            reading = Reading(self._facts.source, streamed=True)
            async with (
                self._async_client() as client,
                await self._acreate(client, wanted) as pieces,
            ):
                async for piece in pieces:
                    if text := reading.add(piece):
                        yield text
            yield reading.completion(self._notes(wanted))

    def _wanted(self, prompt: Prompt, schema: type[BaseModel] | None) -> Arguments:
        """The arguments of a request to an endpoint that refuses nothing."""
        wanted: Arguments = {
            "model": self.metadata.model_name,
            "messages": [
                {"role": message.role, "content": _sendable(message.content)}
                for message in prompt.messages
            ],
            "max_completion_tokens": self.metadata.num_output,
        }
        wanted |= {name: value for name, value in self._settings.items() if value is not None}
        if schema is not None:
            wanted["response_format"] = _response_format(schema)
        return wanted

    def _create(self, wanted: Arguments) -> Any:
        """Send the request, again without whatever is refused."""
        refused = set(self._refused)
        while True:
            sent = adapted(wanted, refused)
            try:
                reply: Any = self._client.chat.completions.create(**sent)
            except _REFUSALS as error:
                refused.add(_refused_by(error, sent))
            else:
                self._refused |= refused
                return reply

    async def _acreate(self, client: openai.AsyncOpenAI, wanted: Arguments) -> Any:
        refused = set(self._refused)
        while True:
            sent = adapted(wanted, refused)
            try:
                reply: Any = await client.chat.completions.create(**sent)
            except _REFUSALS as error:
                refused.add(_refused_by(error, sent))
            else:
                self._refused |= refused
                return reply

    @cached_property
    def _client(self) -> openai.OpenAI:
        return openai.OpenAI(**self._connection())

    @asynccontextmanager
    async def _async_client(self) -> AsyncIterator[openai.AsyncOpenAI]:
        # Connections belong to the event loop that opened them and have to be closed in it, so
        # the calls that are under way in a loop share a client, and the last one closes it.
        loop = asyncio.get_running_loop()
        client, users = self._async_clients.get(loop) or (
            openai.AsyncOpenAI(**self._connection()),
            0,
        )
        self._async_clients[loop] = client, users + 1
        try:
            yield client
        finally:
            client, users = self._async_clients.pop(loop)
            if users > 1:
                self._async_clients[loop] = client, users - 1
            else:
                await client.close()

    def _connection(self) -> dict[str, Any]:
        self._endpoint.check_key()
        return {
            "api_key": self._endpoint.key or "none",  # the SDK insists on one
            "base_url": self._endpoint.base_url,
            "timeout": self._facts.timeout,
            "max_retries": self._max_retries,
        }

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        try:
            yield
        except (openai.OpenAIError, ValueError) as error:
            # Not "from error": the SDK's message may quote the key.
            raise as_model_error(error, self._facts, self._endpoint.key) from None

    def _notes(self, wanted: Arguments) -> tuple[str, ...]:
        return notes(self.metadata.model_name, wanted, self._refused)


def _refused_by(error: openai.APIStatusError, sent: Arguments) -> Refusable:
    found = refusal(complaint(error), sent)
    if found is None:
        raise error
    return found


def _response_format(schema: type[BaseModel]) -> Arguments:
    name = re.sub(r"\W", "_", schema.__name__, flags=re.ASCII)[:64]
    strict = openai.pydantic_function_tool(schema)["function"]["parameters"]
    form = {"name": name, "schema": strict, "strict": True}
    return {"type": "json_schema", "json_schema": form}


def _sendable(text: str) -> str:
    """The text as UTF-8 can carry it: half a surrogate pair becomes a question mark."""
    return text.encode("utf-8", "replace").decode()
