"""A case, run by our `llama_index` behaviour."""

import json
from typing import Any

from pydantic import BaseModel

from synth import (
    BaseSynthesizer,
    ChatPromptTemplate,
    Node,
    NodeWithScore,
    PromptHelper,
    PromptTemplate,
    get_response_synthesizer,
)
from synth.errors import BudgetError, ModelError, NotShrinking, SynthError
from synth.llms import FunctionLLM
from tests.parity.cases import Case, Model, Outcome, Refusal, TooManyCalls, Verdict, final


class _LastCall(Exception):
    """TooManyCalls, as an exception that a driver may report."""


def template(case: Case, text: str) -> ChatPromptTemplate:
    if case.system or case.is_chat:
        return ChatPromptTemplate(case.messages(text), template_var_mappings=case.mappings)
    return PromptTemplate(text, template_var_mappings=case.mappings)


def helper(case: Case) -> PromptHelper:
    return PromptHelper(**case.limits, tokenizer=case.encoding)


def _reply(model: Model, prompt: str) -> str:
    try:
        if model.case.filtering:
            reply = model.filtered(prompt)
            fields = reply and {"query_satisfied": reply[0], "answer": reply[1]}
            return json.dumps(fields) if fields else "no valid object"
        text = model.text(prompt)
    except TooManyCalls:
        raise _LastCall from None
    return json.dumps({"answer": text, "confidence": 0.5}) if model.case.makes_objects else text


def synthesizer_of(case: Case, model: Model, **templates: Any) -> BaseSynthesizer:
    """Our synthesizer of a case, with these templates in the place of the case's own."""
    own = {name: template(case, text) for name, text in case.templates.items()}
    return get_response_synthesizer(
        case.mode,
        FunctionLLM(
            lambda prompt: _reply(model, prompt),
            case.context_window,
            case.num_output,
            case.encoding,
        ),
        helper(case),
        "llama_index",
        structured_answer_filtering=case.filtering,
        output_cls=Verdict if case.makes_objects else None,
        streaming=case.streaming,
        use_async=case.use_async,
        max_concurrency=1,  # so that the order is plain even where calls may go out together
        response_padding_size=case.padding,
        **{**own, **templates},
    )


def _nodes(case: Case) -> list[NodeWithScore]:
    return [
        NodeWithScore(node=Node(text=chunk, metadata=case.node_metadata(number)))
        for number, chunk in enumerate(case.chunks, 1)
    ]


def _read(result: Any) -> Any:
    result = getattr(result, "response", result)
    return result if isinstance(result, str | BaseModel) else "".join(result)


async def _aread(result: Any) -> Any:
    result = getattr(result, "response_gen", result)
    if hasattr(result, "__aiter__"):
        return "".join([piece async for piece in result])
    return _read(result)


def _refusal(problem: SynthError) -> Refusal:
    if isinstance(problem.__cause__, _LastCall):
        return "cap"
    kinds: dict[type[SynthError], Refusal] = {
        BudgetError: "budget",
        ModelError: "model",
        NotShrinking: "endless",
    }
    return next((word for kind, word in kinds.items() if isinstance(problem, kind)), "other")


def run(case: Case) -> Outcome:
    model = Model(case)
    try:
        found = final(case, synthesizer_of(case, model), _nodes(case), _aread)
    except SynthError as problem:
        return Outcome(model.prompts, refusal=_refusal(problem))
    return Outcome(model.prompts, found)
