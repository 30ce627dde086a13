"""The ways to ask a model, and to drive a run to its trace: all are to do the same."""

import asyncio
from collections.abc import Callable

from pydantic import BaseModel

from synth import get_response_synthesizer
from synth.errors import SynthError
from synth.llms import LLM, OpenAILLM
from synth.prompts.prompt import Prompt
from synth.prompts.templates import PromptTemplate
from synth.runs.llm import Completion
from tests.fake_openai import FakeOpenAI

CHUNKS = ["alpha beta", "gamma delta", "epsilon zeta"]
PLAIN = PromptTemplate("Say {what}").fill(what="hello")


def complete(llm: LLM, prompt: Prompt = PLAIN, schema: type[BaseModel] | None = None):
    return llm.complete(prompt, schema)


def stream(llm: LLM, prompt: Prompt = PLAIN, schema: type[BaseModel] | None = None):
    return gathered(list(llm.stream(prompt, schema)))


def gathered(pieces: list[str | Completion]) -> Completion:
    *texts, completion = pieces
    assert isinstance(completion, Completion)
    assert "".join(map(str, texts)) == completion.text
    return completion


Way = Callable[..., Completion]
WAYS: list[Way] = [complete, stream]


def llm_of(server: FakeOpenAI, num_output=64, **options) -> OpenAILLM:
    """A model at this server."""
    return OpenAILLM("m", "sk-key", server.base_url, num_output=num_output, **options)


def run(made):
    return made.run("why", CHUNKS)


def streamed_run(made):
    *_, last = made.stream("why", CHUNKS)
    return last.trace


def arun(made):
    return asyncio.run(made.arun("why", CHUNKS))


def streamed_arun(made):
    async def collect():
        return [event async for event in made.astream("why", CHUNKS)]

    return asyncio.run(collect())[-1].trace


DRIVES = [run, streamed_run, arun, streamed_arun]


def trace_of(drive, llm, mode="refine", **options):
    """What was done, also where it failed."""
    try:
        return drive(get_response_synthesizer(mode, llm, **options))
    except SynthError as error:
        return error.trace
