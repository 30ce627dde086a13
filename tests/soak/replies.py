"""Readers of replies: of servers, and of models that are asked for a form."""

import json
from collections.abc import Callable
from typing import Any

from pydantic import BaseModel

from synth import FunctionLLM, get_response_synthesizer
from synth.errors import SynthError
from synth.llms.chat_completions import ChatCompletions
from synth.llms.complaints import ErrorReply
from synth.llms.replies import Reading
from tests.soak.reader import Reader


def _replies() -> tuple[str, ...]:
    message = {"role": "assistant", "content": "It was 8.", "refusal": None, "tool_calls": None}
    reply = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 4},
    }
    return json.dumps(reply), json.dumps({"error": {"message": "no", "code": 400}})


def _use_reply(text: str) -> None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # which an exchange takes for a reply that is garbled
        return
    ErrorReply(data, 400).complaint.quote("")
    reading = Reading("a model", str)
    if piece := ChatCompletions().read(data):
        reading.add(piece)
        reading.completion(())


class _Pool(BaseModel):
    size: int
    reason: str | None = None


def _verdict() -> tuple[str, ...]:
    return (json.dumps({"answer": "It was 8.", "query_satisfied": True}),)


def _object() -> tuple[str, ...]:
    return (f"<think>so</think>```json\n{_Pool(size=8).model_dump_json()}\n```",)


def _use_object(**options: Any) -> Callable[[str], object]:
    def use(text: str) -> None:
        llm = FunctionLLM(lambda prompt: text, context_window=1_000, num_output=50)
        get_response_synthesizer("compact", llm, **options).run("Why?", ["The pool was set to 8."])

    return use


REPLIES = (
    Reader("a reply of a server", _replies, _use_reply, (SynthError,)),
    Reader("an answer with its verdict", _verdict, _use_object(structured_answer_filtering=True)),
    Reader("an object in an answer", _object, _use_object(output_cls=_Pool)),
)
