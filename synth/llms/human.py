"""HumanLLM: a person reads each prompt and types the answer."""

import threading
from concurrent.futures import Future
from itertools import count
from typing import NamedTuple

from pydantic import BaseModel
from typing_extensions import override

from synth.errors import ModelError, SynthError
from synth.prompts.prompt import Prompt
from synth.prompts.prompt_helper import CONTEXT_WINDOW, NUM_OUTPUT, LLMMetadata
from synth.runs.llm import LLM, Completion
from synth.text.model_tokenizers import DEFAULT_ENCODING
from synth.text.tokenizer import Encode, Tokenizer

_PATIENCE = 3_600.0  # seconds
_LEFT = (
    "nobody answers any more: the person who was the model has left. The answers given so far"
    " are kept; resume the run to go on."
)


class PendingPrompt(NamedTuple):
    """A prompt that waits for its answer; `number`, from 1, is the one to give to `answer`.

    With a `schema` the answer must be JSON of that model.
    """

    number: int
    prompt: Prompt
    schema: type[BaseModel] | None


class HumanLLM(LLM):
    """Waits for a person's answer to each prompt; sizes are in tokens.

    A call blocks the thread that makes it until `answer` or `close`, for an hour at most. It does
    not know when a run is stopped, so whoever stops the run calls `close` too.
    """

    def __init__(
        self,
        context_window: int = CONTEXT_WINDOW,
        num_output: int = NUM_OUTPUT,
        tokenizer: str | Encode | Tokenizer = DEFAULT_ENCODING,
    ) -> None:
        self.metadata = LLMMetadata(context_window, num_output, "human", tokenizer)
        self._lock = threading.Lock()
        self._open: dict[int, tuple[PendingPrompt, Future[Completion]]] = {}
        self._numbers = count(1)
        self._closed = False

    @property
    def waiting(self) -> tuple[PendingPrompt, ...]:
        """Return the prompts that have no answer yet, in the order in which they were asked."""
        with self._lock:
            return tuple(question for question, _ in self._open.values())

    def answer(self, number: int, text: str) -> None:
        """Give the answer to a question; SynthError if it does not wait for one."""
        with self._lock:
            _, reply = self._open.pop(number, (None, None))
        if reply is None:
            raise SynthError(
                f"Question {number} does not wait for an answer: it was answered already, or its"
                " run has ended."
            )
        reply.set_result(Completion(text))

    def close(self) -> None:
        """End the session: waiting and later questions fail with ModelError."""
        with self._lock:
            self._closed = True
            left = [reply for _, reply in self._open.values()]
            self._open.clear()
        for reply in left:
            reply.set_exception(ModelError(_LEFT))

    @override
    def complete(self, prompt: Prompt | str, schema: type[BaseModel] | None = None) -> Completion:
        reply: Future[Completion] = Future()
        with self._lock:
            if self._closed:
                raise ModelError(_LEFT)
            question = PendingPrompt(next(self._numbers), Prompt.of(prompt), schema)
            self._open[question.number] = question, reply
        try:
            return reply.result(_PATIENCE)
        except TimeoutError:
            with self._lock:
                self._open.pop(question.number, None)
            raise ModelError(_LEFT) from None
