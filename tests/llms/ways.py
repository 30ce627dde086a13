"""The four ways to ask a model: all are to do the same."""

import asyncio
from collections.abc import Callable

from pydantic import BaseModel

from synth.llms import LLM
from synth.prompts import Prompt, PromptTemplate
from synth.steps import Completion

PLAIN = PromptTemplate("Say {what}").fill(what="hello")


def complete(llm: LLM, prompt: Prompt = PLAIN, schema: type[BaseModel] | None = None):
    return llm.complete(prompt, schema)


def acomplete(llm: LLM, prompt: Prompt = PLAIN, schema: type[BaseModel] | None = None):
    return asyncio.run(llm.acomplete(prompt, schema))


def stream(llm: LLM, prompt: Prompt = PLAIN, schema: type[BaseModel] | None = None):
    return gathered(list(llm.stream(prompt, schema)))


def astream(llm: LLM, prompt: Prompt = PLAIN, schema: type[BaseModel] | None = None):
    async def collect() -> list[str | Completion]:
        return [piece async for piece in llm.astream(prompt, schema)]

    return gathered(asyncio.run(collect()))


def gathered(pieces: list[str | Completion]) -> Completion:
    *texts, completion = pieces
    assert isinstance(completion, Completion)
    assert "".join(map(str, texts)) == completion.text
    return completion


Way = Callable[..., Completion]
WAYS: list[Way] = [complete, stream, acomplete, astream]
STREAMS: list[Way] = [stream, astream]
