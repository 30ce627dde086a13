"""One case of parity: everything that both packages are given, and what came of it."""

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from pydantic import BaseModel

from tests.parity import rules

Refusal = Literal["budget", "model", "endless", "cap", "other"]
MAX_CALLS = 60
SMALL = {
    "text_qa_template": "{context_str} {query_str}",
    "refine_template": "{existing_answer} {context_msg} {query_str}",
    "summary_template": "{context_str} {query_str}",
    "simple_template": "{query_str}",
}
"""Templates that add next to nothing to what they are filled with."""


class TooManyCalls(BaseException):
    """The case has made its last call; nothing may swallow this."""


class Verdict(BaseModel):
    answer: str
    confidence: float


@dataclass(frozen=True)
class Case:
    """A question, its chunks, the limits, the templates, and how the model answers."""

    mode: str
    query: str
    chunks: tuple[str, ...]
    context_window: int = 1_000
    num_output: int = 64
    overlap: float = 0.1
    chunk_size_limit: int | None = None
    encoding: str = "cl100k_base"
    padding: int | None = None
    templates: Mapping[str, str] = field(default_factory=dict)
    system: str = ""  # with one, every template is a chat of this and the text
    is_chat: bool = False  # every template is a chat, if only of the text
    mappings: Mapping[str, str] = field(default_factory=dict)
    variables: Mapping[str, str] = field(default_factory=dict)
    metadata: bool = False
    answers: str = "hash"
    filtering: bool = False
    satisfied: str = "even"
    makes_objects: bool = False
    streaming: bool = False
    use_async: bool = False
    entry: str = "get_response"

    @property
    def limits(self) -> dict[str, Any]:
        return {
            "context_window": self.context_window,
            "num_output": self.num_output,
            "chunk_overlap_ratio": self.overlap,
            "chunk_size_limit": self.chunk_size_limit,
        }

    @property
    def is_async(self) -> bool:
        return self.entry.startswith("a")

    @property
    def together(self) -> bool:
        """Whether llama-index-core sends a whole batch before it looks at the first answer."""
        return self.is_async or self.use_async

    def messages(self, text: str) -> list[tuple[str, str]]:
        return [("system", self.system)] * bool(self.system) + [("user", text)]

    def node_metadata(self, number: int) -> dict[str, object]:
        return {"file": f"page-{number}.txt", "page": number} if self.metadata else {}


@dataclass(frozen=True)
class Outcome:
    """The prompts in the order in which they were sent, and the final text or the refusal."""

    prompts: list[str]
    final: object = None
    refusal: Refusal | None = None


class Model:
    """The model of a case: records prompts, answers by the case's rules, stops at the cap."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.prompts: list[str] = []

    def text(self, prompt: str) -> str:
        if len(self.prompts) >= MAX_CALLS:
            raise TooManyCalls
        self.prompts.append(prompt)
        return rules.answer(self.case.answers, prompt)

    def filtered(self, prompt: str) -> tuple[bool, str] | None:
        """Whether the prompt's context answers the query, and the answer; None if malformed."""
        text = self.text(prompt)
        satisfied = rules.satisfied(self.case.satisfied, prompt)
        return None if satisfied is None else (satisfied, text)


def final(
    case: Case,
    synthesizer: Any,
    nodes: Sequence[Any],
    read: Callable[[Any], Coroutine[Any, Any, Any]],
) -> Any:
    """What the entry gave in the end; `read` waits for whatever a result may be."""
    chunks = nodes if case.entry.endswith("synthesize") else list(case.chunks)
    entry = getattr(synthesizer, case.entry)
    if not case.is_async:
        return asyncio.run(read(entry(case.query, chunks, **case.variables)))

    async def run() -> Any:
        return await read(await entry(case.query, chunks, **case.variables))

    return asyncio.run(run())
