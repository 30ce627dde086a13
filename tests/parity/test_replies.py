"""What a reply means where an object or a verdict was asked for, in llama-index-core and here.

Compared is what comes of a run, and what each call was sent of the answers before it. The package
asks a model that calls no functions in words, behind the prompt, so its prompts begin with ours.
Not compared is NaN, which no JSON of an object carries on, and a stream of more pieces than
`llama_index.py` reads one by one. Of the package's own default templates, with a chat
model, the chat is sent and its text compared.
"""

import asyncio
from collections.abc import AsyncGenerator, Generator
from random import Random
from typing import Any

import pytest
from llama_index.core.base.llms.types import CompletionResponse, LLMMetadata
from llama_index.core.indices.prompt_helper import PromptHelper
from llama_index.core.llms import CustomLLM
from llama_index.core.output_parsers.pydantic import PydanticOutputParser
from llama_index.core.prompts import PromptTemplate
from llama_index.core.prompts.default_prompt_selectors import (
    DEFAULT_REFINE_PROMPT_SEL,
    DEFAULT_TEXT_QA_PROMPT_SEL,
    DEFAULT_TREE_SUMMARIZE_PROMPT_SEL,
)
from llama_index.core.response_synthesizers import ResponseMode
from llama_index.core.response_synthesizers import get_response_synthesizer as theirs
from llama_index.core.response_synthesizers.refine import StructuredRefineResponse
from pydantic import BaseModel, PrivateAttr, ValidationError

import synth
from synth import ChatPromptTemplate, get_response_synthesizer
from synth.errors import BadResponse, SynthError
from synth.llms import Completion
from synth.runs.meaning import read_meaning, split_reasoning
from synth.runs.steps import Call
from tests.examples import share
from tests.parity import ours, package, replies
from tests.parity.cases import SMALL, Case, Model, Verdict
from tests.parity.package import tokenizer
from tests.traces.application import Application

SEED, AT_ONCE = 41_000, 20
CHUNKS = [f"{name} " * 200 for name in ("alpha", "bravo", "charlie")]
WINDOW, NUM_OUTPUT = 800, 50  # one chunk fits a prompt, two do not
CARRY, TAKE = ("refine", "compact"), ("tree_summarize", "accumulate", "compact_accumulate")


class Tagged(BaseModel):
    answer: str
    note: str = "none"
    tags: list[str] = []


class Setting(BaseModel):
    name: str
    value: int


class Filtered(BaseModel):
    query_satisfied: bool
    answer: str


KINDS: dict[type[BaseModel], dict[str, str]] = {
    Verdict: {"answer": "str", "confidence": "float"},
    Tagged: {"answer": "str", "note": "str", "tags": "list"},
    Setting: {"name": "str", "value": "int"},
    Filtered: {"query_satisfied": "bool", "answer": "str"},
}


class Script:
    """The pieces of each reply, in the order of the calls, and the prompts that were sent."""

    def __init__(self, coming: list[list[str]]) -> None:
        self.coming = coming
        self.prompts: list[str] = []

    def next(self, prompt: str) -> list[str]:
        self.prompts.append(prompt)
        return self.coming[(len(self.prompts) - 1) % len(self.coming)]


class TheirModel(CustomLLM):
    """A model that calls no functions."""

    _script: Script = PrivateAttr()

    def __init__(self, script: Script) -> None:
        super().__init__()
        self._script = script

    @property
    def metadata(self) -> LLMMetadata:
        return LLMMetadata(context_window=WINDOW, num_output=NUM_OUTPUT)

    def complete(self, prompt: str, formatted: bool = False, **_: Any) -> CompletionResponse:
        return CompletionResponse(text="".join(self._script.next(prompt)))

    def stream_complete(
        self, prompt: str, formatted: bool = False, **_: Any
    ) -> Generator[CompletionResponse]:
        text = ""
        for piece in self._script.next(prompt):
            text += piece
            yield CompletionResponse(text=text, delta=piece)


def caller(script: Script) -> Application:
    """A model that calls functions: its reply is the arguments of a call, or words without one."""
    return Application(
        lambda prompt, _: "".join(script.next(prompt.removeprefix("user: "))),
        context_window=WINDOW,
        num_output=NUM_OUTPUT,
        is_chat_model=True,
        is_function_calling_model=True,
    )


class OurModel(synth.LLM):
    def __init__(self, script: Script, finish_reason: str | None = None) -> None:
        self.metadata = synth.LLMMetadata(WINDOW, NUM_OUTPUT)
        self._script = script
        self._finish_reason = finish_reason

    def complete(self, prompt, schema=None):
        text = "".join(self._script.next(prompt.text))
        return Completion(text, finish_reason=self._finish_reason)

    def stream(self, prompt, schema=None):
        coming = self._script.next(prompt.text)
        yield from coming
        yield Completion("".join(coming), finish_reason=self._finish_reason)


def come(synthesizer: Any, is_async: bool) -> Any:
    """What a run gives: text, an object as its name and fields, or that it fails."""

    async def wait() -> Any:
        result = await synthesizer.aget_response("which?", CHUNKS)
        if isinstance(result, AsyncGenerator) or hasattr(result, "__aiter__"):
            return "".join([piece async for piece in result])
        return result

    try:
        result = asyncio.run(wait()) if is_async else synthesizer.get_response("which?", CHUNKS)
        if not isinstance(result, str | BaseModel):
            result = "".join(result)
    except (SynthError, ValueError, TypeError):
        return "fails"
    if isinstance(result, BaseModel):
        return type(result).__name__, result.model_dump()
    return result


def arguments(dice: Random, kinds: dict[str, str]) -> str:
    """What a model that calls functions says: an object, or words.

    Its quotes and braces are in pairs: where they are not, only words are read otherwise when
    they are streamed (read_by_pieces), for these must be repaired.
    """
    if dice.random() < 0.1:
        return dice.choice(["", "Ada.", "I can't say."])
    while True:
        text = replies.well_formed(dice, kinds)
        if text.count('"') % 2 == 0 and text.count("{") == text.count("}"):
            return text


def compare(dice: Random, *, calls_functions: bool) -> None:
    filtering = dice.random() < 0.4
    mode = dice.choice([*CARRY] * 2 if filtering else [*CARRY, *TAKE, "simple_summarize"])
    objects: list[type[BaseModel]] = [Verdict, Tagged, Setting]
    asked = dice.choice(objects)
    streaming = not mode.endswith("accumulate") and dice.random() < 0.5
    kinds = KINDS[Filtered if filtering else asked]
    if calls_functions:
        coming = [[arguments(dice, kinds)] for _ in range(4)]
    else:
        coming = [replies.pieces(dice, replies.reply(dice, kinds)) for _ in range(4)]
    options: dict[str, Any] = {"output_cls": asked, "streaming": streaming}
    if filtering:
        options["structured_answer_filtering"] = True
        options["output_cls"] = dice.choice([None, None, asked])
    their_script, our_script = Script(coming), Script(coming)
    their_templates: dict[str, Any] = {name: PromptTemplate(text) for name, text in SMALL.items()}
    package: Any = theirs(
        llm=caller(their_script) if calls_functions else TheirModel(their_script),
        response_mode=ResponseMode(mode),
        prompt_helper=PromptHelper(WINDOW, NUM_OUTPUT, tokenizer=tokenizer("cl100k_base")),
        **options,
        **their_templates,
    )
    if mode in CARRY:
        package._response_padding_size = 5
        options["response_padding_size"] = 5
    our_templates: dict[str, Any] = {
        name: synth.PromptTemplate(text) for name, text in SMALL.items()
    }
    ours = synth.get_response_synthesizer(
        mode,
        OurModel(our_script),
        synth.PromptHelper(WINDOW, NUM_OUTPUT),
        "llama_index",
        max_concurrency=1,
        **options,
        **our_templates,
    )
    is_async = dice.random() < 0.3
    expected, found = come(package, is_async), come(ours, is_async)
    case = (mode, options, is_async, coming)
    assert found == expected, (found, expected, case)
    if found == "fails":
        return
    assert len(our_script.prompts) == len(their_script.prompts), case
    for our_prompt, their_prompt in zip(our_script.prompts, their_script.prompts, strict=True):
        assert their_prompt.startswith(our_prompt), case


@pytest.mark.parametrize("first", range(0, share(60), AT_ONCE))
def test_random_replies_in_words(first):
    for number in range(first, min(first + AT_ONCE, share(60))):
        compare(Random(SEED + number), calls_functions=False)


@pytest.mark.parametrize("first", range(0, share(20), AT_ONCE))
def test_random_arguments_of_functions(first):
    for number in range(first, min(first + AT_ONCE, share(20))):
        compare(Random(2 * SEED + number), calls_functions=True)


CUT = '{"query_satisfied": true, "answer": "Ada fix'


@pytest.mark.parametrize(("streaming", "response"), [(False, "Empty Response"), (True, "Ada fix")])
def test_a_filtered_reply_that_was_cut_off_is_no_answer_unless_it_is_streamed(streaming, response):
    """Here it counts as far as it came."""
    options = {"structured_answer_filtering": True, "streaming": streaming}
    package = theirs(llm=TheirModel(Script([[*CUT]])), response_mode="refine", **options)
    alike, documented = (
        synth.get_response_synthesizer(
            "refine", OurModel(Script([[*CUT]]), "length"), behaviour=behaviour, **options
        )
        for behaviour in ("llama_index", "documented")
    )
    assert come(package, False) == come(alike, False) == response
    assert come(documented, False) == "Ada fix"


def test_documented_behaviour_reads_what_the_package_reads_but_for_reasoning():
    read, tried = 0, max(60, share(60))
    for number in range(tried):
        dice = Random(3 * SEED + number)
        output_cls = dice.choice([Verdict, Tagged, Setting, StructuredRefineResponse])
        filtered = output_cls is StructuredRefineResponse
        text = replies.reply(dice, KINDS[Filtered if filtered else output_cls])
        call = Call("t", synth.PromptTemplate("Say").fill(), schema=output_cls, filtered=filtered)
        try:
            found = read_meaning(call, Completion(text))
        except BadResponse:  # and nothing else
            found = None
        answer = split_reasoning(text)[1]
        try:
            expected = PydanticOutputParser(output_cls).parse(answer)
        except (ValidationError, ValueError):
            continue
        read += 1
        assert found is not None, text
        if filtered:
            assert found[:2] == (expected.answer, expected.query_satisfied), text
        else:
            assert output_cls.model_validate_json(found.answer) == expected, text
    assert read > tried // 4


SELECTORS = {
    "text_qa_template": DEFAULT_TEXT_QA_PROMPT_SEL,
    "refine_template": DEFAULT_REFINE_PROMPT_SEL,
    "summary_template": DEFAULT_TREE_SUMMARIZE_PROMPT_SEL,
}
CHAT_CHUNKS = tuple(f"chunk {number} " + "word and more " * 30 * number for number in range(1, 5))
WINDOWS = range(900, 1500, 50)


class ChatModel(package.CaseLLM):
    """The model of a case, which says that it is one for chat."""

    @property
    def metadata(self):
        return super().metadata.model_copy(update={"is_chat_model": True})


def as_text(messages):
    """A chat as one text, as our prompts show it."""
    if [one.role.value for one in messages] == ["user"]:
        return messages[0].content
    lines = "".join(f"{one.role.value}: {one.content}\n" for one in messages)
    return f"{lines}assistant: "


def their_prompts(case):
    model = Model(case)
    llm = ChatModel(model)
    llm.messages_to_prompt = as_text
    package.synthesizer_of(case, llm).get_response(case.query, list(case.chunks))
    return model.prompts


def our_prompts(case, *, beside):
    model, templates = Model(case), {}
    for name, selector in SELECTORS.items():
        [(_, chat)] = selector.conditionals
        templates[name] = ChatPromptTemplate(
            [(one.role.value, one.content) for one in chat.message_templates],
            default_template=synth.PromptTemplate(selector.default_template.template)
            if beside
            else None,
        )
    ours.synthesizer_of(case, model, **templates).run(case.query, list(case.chunks))
    return model.prompts


def case(mode, window):
    return Case(mode, "what is it?", CHAT_CHUNKS, context_window=window, num_output=50)


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("mode", ["refine", "compact", "tree_summarize", "accumulate"])
def test_the_defaults_for_chat_models(mode, window):
    assert our_prompts(case(mode, window), beside=True) == their_prompts(case(mode, window))


def test_without_the_text_beside_it_another_template_is_the_larger_one():
    cases = [case("compact", window) for window in WINDOWS]
    assert any(our_prompts(each, beside=False) != their_prompts(each) for each in cases)


def test_documented_behaviour_does_not_read_the_text_beside():
    plans = [
        get_response_synthesizer(
            "compact",
            text_qa_template=ChatPromptTemplate(
                [("system", "Be brief."), ("user", "{context_str} {query_str}")],
                default_template=beside,
            ),
        ).plan("what?", list(CHAT_CHUNKS))
        for beside in (None, synth.PromptTemplate("long " * 200))
    ]
    assert plans[0].calls == plans[1].calls
