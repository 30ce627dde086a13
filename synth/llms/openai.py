"""OpenAILLM: any chat endpoint that speaks OpenAI's protocol, in the cloud or at home."""

import re
from collections.abc import AsyncIterator, Iterator, Mapping
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import openai
from pydantic import BaseModel
from typing_extensions import override

from synth.elsewhere import module_names, says_what_to_take
from synth.llms import background
from synth.llms.connection import client, close_with
from synth.llms.counting_server import server_tokenizer
from synth.llms.endpoint import Endpoint
from synth.llms.exchange import Exchange
from synth.llms.failures import RequestFacts
from synth.llms.fallbacks import Arguments, Refusable, length_name
from synth.llms.models import list_price, model_facts
from synth.prompts.prompt import Prompt
from synth.prompts.window import LLMMetadata
from synth.runs.llm import LLM
from synth.runs.steps import Completion, Retry
from synth.text.sizes import NUM_OUTPUT, number, whole
from synth.text.tokenizer import Encode, Tokenizer
from synth.text.tokens import MODEL, SERVER
from synth.text.wording import encodable

if not TYPE_CHECKING:
    __getattr__ = module_names(__name__)

_UNKNOWN_WINDOW = 128_000
# What a reply may have: a streamed token takes some 300 bytes, and as many again for reasoning.
_BYTES, _BYTES_A_TOKEN = 2_000_000, 1_000


@says_what_to_take
class OpenAILLM(LLM):
    """A model behind an OpenAI-compatible chat endpoint; sizes in tokens.

    A whole call has `timeout` seconds: its request, up to `max_retries` further ones after
    failures that may pass, and the waits before them. Without `api_key` the environment's
    OPENAI_API_KEY is used, but never for a `base_url` that was passed in. `num_output` goes out
    under the name that the host reads (fallbacks.py), further `arguments`, such as top_p, as they
    are, without those that are None. What the endpoint refuses (an argument, a
    JSON schema) is left out of later requests too, and `Completion.notes` says so where it
    matters. SynthError if `base_url` is not a web address, or a number is not one.
    """

    def __init__(
        self,
        model: str = "gpt-4.1-mini",
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
    ) -> None:
        counts = f"{MODEL} {model}" if tokenizer is None else tokenizer
        known = context_window
        if counts == SERVER:
            counts = server_tokenizer(model, api_key, base_url)
            known = counts.facts.window if known is None else known
        known = model_facts(model).context_window if known is None else known
        window = _UNKNOWN_WINDOW if known is None else known
        self.metadata = LLMMetadata(window, num_output, model, counts)
        self._endpoint = Endpoint.of(api_key, base_url)
        self.price = list_price(model, self._endpoint.base_url)
        self._facts = RequestFacts(
            model,
            self._endpoint.host,
            number("timeout", timeout),
            window,
            num_output,
            self._endpoint.key,
        )
        self._max_retries = whole("max_retries", max_retries)
        self._settings = {"temperature": temperature, "seed": seed, **arguments}
        self._refused: set[Refusable] = set()

    @property
    def identity(self) -> str:
        """The endpoint, the model and the settings that its answers depend on."""
        sizes = self.metadata
        settings = (sizes.num_output, *self._settings.values())
        return "|".join(map(str, (self._endpoint.base_url, sizes.model_name, *settings)))

    @override
    def complete(self, prompt: Prompt | str, schema: type[BaseModel] | None = None) -> Completion:
        """The model's reply. MissingKey before any request; ModelError for every other failure."""
        *_, completion = self.ask(Prompt.of(prompt), schema)
        assert isinstance(completion, Completion)
        return completion

    @override
    def stream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> Iterator[str | Completion]:
        """The reply as it is written, and then the whole completion. Errors as in `complete`."""
        for piece in self.ask(prompt, schema, streamed=True):
            if not isinstance(piece, Retry):
                yield piece

    @override
    def ask(
        self, prompt: Prompt, schema: type[BaseModel] | None = None, *, streamed: bool = False
    ) -> Iterator[str | Retry | Completion]:
        """`stream` or `complete`, and each further request before it is sent."""
        exchange = self._exchange(prompt, schema, streamed)
        piece: str | Retry | Completion = ""
        while not isinstance(piece, Completion):
            for piece in background.pieces(exchange.go_on):
                yield piece

    @override
    async def acomplete(
        self, prompt: Prompt | str, schema: type[BaseModel] | None = None
    ) -> Completion:
        """`complete`, waiting with asyncio."""
        *_, completion = [piece async for piece in self.aask(Prompt.of(prompt), schema)]
        assert isinstance(completion, Completion)
        return completion

    @override
    async def astream(
        self, prompt: Prompt, schema: type[BaseModel] | None = None
    ) -> AsyncIterator[str | Completion]:
        """`stream`, waiting with asyncio."""
        async for piece in self.aask(prompt, schema, streamed=True):
            if not isinstance(piece, Retry):
                yield piece

    @override
    async def aask(
        self, prompt: Prompt, schema: type[BaseModel] | None = None, *, streamed: bool = False
    ) -> AsyncIterator[str | Retry | Completion]:
        """`ask`, waiting with asyncio."""
        exchange = self._exchange(prompt, schema, streamed)
        piece: str | Retry | Completion = ""
        while not isinstance(piece, Completion):
            async for piece in background.apieces(exchange.go_on):
                yield piece

    def _exchange(self, prompt: Prompt, schema: type[BaseModel] | None, streamed: bool) -> Exchange:
        """The requests of a call, with all arguments, as for an endpoint that refuses none."""
        wanted: Arguments = {
            "model": self.metadata.model_name,
            "messages": [
                {"role": message.role, "content": encodable(message.content)}
                for message in prompt.messages
            ],
            length_name(self._endpoint.host): self.metadata.num_output,
        }
        wanted |= {name: value for name, value in self._settings.items() if value is not None}
        if schema is not None:
            name = re.sub(r"\W", "_", schema.__name__, flags=re.ASCII)[:64]
            strict = openai.pydantic_function_tool(schema)["function"]["parameters"]
            form = {"name": name, "schema": strict, "strict": True}
            wanted["response_format"] = {"type": "json_schema", "json_schema": form}
        return Exchange(
            lambda: self._client,
            wanted,
            self._facts,
            self._refused,
            self._max_retries,
            streamed=streamed,
        )

    @cached_property
    def _client(self) -> openai.AsyncOpenAI:
        sdk_client = client(self._endpoint, _BYTES + _BYTES_A_TOKEN * self.metadata.num_output)
        close_with(self, sdk_client)
        return sdk_client
