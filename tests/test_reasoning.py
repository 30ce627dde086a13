"""What a reply means: its reasoning is kept apart, and JSON is read where it was asked for."""

import asyncio
from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

import synth
from synth import FunctionLLM, get_response_synthesizer
from synth.errors import BadResponse
from synth.prompts.templates import PromptTemplate
from synth.runs.events import Token
from synth.runs.llm import Completion
from synth.runs.meaning import ReasoningStream, read_meaning, split_reasoning
from synth.runs.steps import Call
from synth.text.model_tokenizers import get_tokenizer
from tests.calls import calls_of
from tests.examples import examples
from tests.llms.ways import CHUNKS, DRIVES, run, streamed_run, trace_of

TAGGED = "<think>So.</think>\nAda"
HARMONY = (
    "<|channel|>analysis<|message|>Who? Ada.<|end|>"
    "<|start|>assistant<|channel|>final<|message|>Ada<|return|>"
)


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think>Hm.</think>Ada", "Hm.", "Ada"),
        ("\n<think>\nHm.\n\nAda?\n</think>\n\nAda\n", "Hm.\n\nAda?", "Ada\n"),
        ("<seed:think>Hm.</seed:think>Ada", "Hm.", "Ada"),
        ("[THINK]Hm.[/THINK]Ada", "Hm.", "Ada"),
        ("<|channel>thought\nHm.<channel|>Ada", "Hm.", "Ada"),
        ("<think>\n\n</think>\n\nAda", "", "Ada"),
        ("<think>One</think>\n<think>Two</think>Ada", "One\n\nTwo", "Ada"),
        ("<think>Is it", "Is it", ""),
        ("<think>Hm.</think>Say <think> before and </think> after.", "Hm.", None),
        ("Hm, who?\n</think>\n\nAda", "Hm, who?", "Ada"),
        ('Hm.\n</think>{"name": "Ada"}', "Hm.", '{"name": "Ada"}'),
        ("</think>\n\nAda", "", "Ada"),
        (HARMONY, "Who? Ada.", "Ada"),
        (f"<|start|>assistant{HARMONY}", "Who? Ada.", "Ada"),
        ("<|channel|>final<|message|>Ada<|end|>", "", "Ada"),
        ("<|channel|>analysis<|message|>Who?<|end|><|start|>assistant", "Who?", ""),
        (
            "<|channel|>analysis<|message|>A<|channel|>commentary to=f <|constrain|>json"
            "<|message|>B<|call|><|channel|>final<|message|>Ada < Bob",
            "A\n\nB",
            "Ada < Bob",
        ),
        ("Who asks? User.</think>It is Ada.", "Who asks? User.", "It is Ada."),
        ("Hm.</think>", "Hm.", ""),
        (
            'So `</think>` or "</think>" ends it.</think>Ada',
            'So `</think>` or "</think>" ends it.',
            "Ada",
        ),
        ("Hm.</think><think>So.</think>Ada", "Hm.\n\nSo.", "Ada"),
        ('<think time="3">Hm.</think>Ada', "Hm.", "Ada"),
        ("\ufeff<think>Hm.</think>Ada", "Hm.", "Ada"),
        ("<s> <think>Hm.</think>Ada", "Hm.", "Ada"),
        ("<think>Hm.</think><s>Bob</s> Ada", "Hm.", "<s>Bob</s> Ada"),
        ("<think>Hm.</thinking>Ada", "Hm.", "Ada"),
    ],
)
def test_reasoning_is_a_block_at_the_beginning(text, reasoning, answer):
    said = "Say <think> before and </think> after." if answer is None else answer
    assert split_reasoning(text) == (reasoning, said)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Models open with <think>Hm.</think> and then answer.",
        "It ends with </think>, always.",
        "Ends are these:\n</think> of most models,\n[/THINK] of Magistral.",
        "Write this:\n<think>\nHm.\n</think>\nand then Ada.",
        "The end is\n```\n</think>\n```\nalone.",
        "Harmony: <|channel|>final<|message|>Ada<|end|>",
        "<|start|> begins a message, <|message|> its text.",
        "<answer>\n<reasoning id='1'>\nfoo\n</reasoning>\n<result>80</result></answer>",
        'It writes "Hm.</think>Ada" then.',
        "It writes “Hm.</think>Ada” then, or '</think>'.",
        "It has a <think> before.</think>Ada",
        "Hm.</reasoning>Ada",
    ],
)
def test_an_answer_that_speaks_of_reasoning_is_whole(text):
    assert split_reasoning(text) == ("", text)
    assert pieced(text, 1) == text


@pytest.mark.parametrize(
    ("text", "reasoning", "answer"),
    [
        ("<think> is the tag that R1 writes.", "", "<think> is the tag that R1 writes."),
        ("<think>Hm.</think><think> opens it.", "Hm.", "<think> opens it."),
        ("[THINK] opens it.", "", "[THINK] opens it."),
        ("<|channel|>analysis<|message|>Hm.", "Hm.", ""),  # whose end a server leaves out
    ],
)
def test_a_block_without_an_end_is_an_answer_where_the_reply_ended_by_itself(
    text, reasoning, answer
):
    assert split_reasoning(text, "stop") == (reasoning, answer)
    assert pieced(text, 1, "stop") == answer
    for reason in ("length", None, "abort"):
        assert split_reasoning(text, reason)[1] == ""


def pieced(text, size, reason=None):
    stream = ReasoningStream()
    pieces = [text[at : at + size] for at in range(0, len(text), size)]
    return "".join(map(stream.take, pieces)) + stream.close(reason)


MARKS = (
    *("<think>", "</think>", "<seed:think>", "</seed:think>", "[THINK]", "[/THINK]", "◁think▷"),
    *("◁/think▷", "<|channel|>analysis<|message|>", "<|end|>", "<|start|>assistant", "<|return|>"),
    *("<|channel>thought", "<channel|>", "[", "<|", "<s>", '<think time="3">', "</thinking>"),
    *("\ufeff", "<|channel|>final<|message|>", "<|channel|>", "\n", "  "),
    *("Ada", "<", "{", "```", "x" * 50),
)


@examples(300)
@given(
    st.lists(st.sampled_from(MARKS), max_size=8).map("".join),
    st.integers(1, 30),
    st.sampled_from([None, "stop"]),
)
def test_pieces_say_what_the_whole_says(text, size, reason):
    stream = ReasoningStream()
    assert pieced(text, size, reason) == stream.take(text) + stream.close(reason)
    if stream.has_reasoning:
        assert split_reasoning(text, reason)[1] == pieced(text, size, reason)


class Thinker(synth.LLM):
    """Gives the same reply to each call, in small pieces where it streams."""

    def __init__(self, completion):
        self.metadata = synth.LLMMetadata(4_000, 256)
        self.completion = completion
        self.prompts = []

    def complete(self, prompt, schema=None):
        self.prompts.append(prompt.text)
        return self.completion

    def stream(self, prompt, schema=None):
        text = self.complete(prompt).text
        yield from (text[at : at + 3] for at in range(0, len(text), 3))
        yield self.completion


@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("text", [TAGGED, "So.\n</think>\nAda", HARMONY])
def test_no_driver_lets_reasoning_into_an_answer(drive, text):
    llm = Thinker(Completion(text, reasoning="Before."))
    trace = trace_of(drive, llm)
    assert trace.response == "Ada"
    assert "</think>" not in llm.prompts[1] + llm.prompts[0]
    assert "<|" not in llm.prompts[1]
    assert "Ada" in llm.prompts[1]
    count = get_tokenizer("cl100k_base").count
    for call in trace.calls:
        assert (call.reply, call.answer) == (text, "Ada")
        assert call.reasoning == "Before.\n\n" + ("Who? Ada." if text == HARMONY else "So.")
        assert call.reasoning_tokens is None
        assert call.output_tokens == count(text) + count("Before.")


ENDED = "<think> is the tag that R1 writes before its answer."
BROKEN = Completion("<think>So, who was", finish_reason="length")


@pytest.mark.parametrize(
    ("reply", "behaviour", "expected"),
    [
        (Completion(TAGGED), "documented", "Ada"),
        (Completion(HARMONY), "documented", "Ada"),
        (Completion(ENDED, finish_reason="stop"), "documented", ENDED),
        (Completion(TAGGED), "llama_index", TAGGED),
        (BROKEN, "documented", ""),
    ],
)
def test_no_reasoning_is_streamed(reply, behaviour, expected):
    made = get_response_synthesizer("compact", Thinker(reply), None, behaviour, streaming=True)

    async def wait():
        with suppress(BadResponse):
            async for event in made.astream("Who?", CHUNKS):
                later.append(event)

    events, later = [], []
    with suppress(BadResponse):
        events += made.stream("Who?", CHUNKS)
    asyncio.run(wait())
    for every in (events, later):
        texts = [one.text for one in every if isinstance(one, Token) and one.verbatim]
        assert "".join(texts) == expected


@pytest.mark.parametrize("drive", DRIVES)
def test_reasoning_alone_is_no_answer_yet(drive):
    trace = trace_of(drive, Thinker(BROKEN), "compact")
    assert trace.error_kind == BadResponse.__name__
    assert "the reply is reasoning alone, cut off at the end of its room" in trace.error
    assert "raise the room for reasoning (reasoning_output), or lower its effort" in trace.error
    [call] = trace.calls
    assert (call.reply, call.reasoning) == ("<think>So, who was", "So, who was")
    assert call.output_tokens > 0


def test_the_cache_keeps_the_answers_of_both_behaviours_apart():
    class Kept(Thinker):
        identity = "thinker"

    cache, llm = synth.AnswerCache(), Kept(Completion("<think>So.</think>Ada"))
    options = {"prompt_helper": synth.PromptHelper(4_000, 256), "cache": cache}
    found = [
        get_response_synthesizer("generation", llm, behaviour=behaviour, **options).run("Who?", [])
        for behaviour in ("documented", "llama_index", "documented", "llama_index")
    ]
    assert [trace.response for trace in found] == ["Ada", "<think>So.</think>Ada"] * 2
    assert len(llm.prompts) == 2


class Found(BaseModel):
    answer: str


LONG = 100_000
HOSTILE = {
    "braces": lambda size: "{" * size,
    "deep": lambda size: '{"answer":' * (size // 10),
    "openings": lambda size: "<think>" * (size // 7),
    "messages": lambda size: "<|channel|>analysis<|message|>x<|end|>" * (size // 38),
    "blocks": lambda size: "<think>x</think>" * (size // 16),
    "finals": lambda size: "<|channel|>final<|message|>" + "<|" * (size // 2),
    "quoted": lambda size: 'a </think>, b "c ' * (size // 17),
    "blanks": lambda size: "<think></think>" + " " * size,
    "surrogate": lambda _: '{"answer": "\\ud83d"}' + "\ud83d",
}


@pytest.mark.parametrize("behaviour", ["documented", "llama_index"])
@pytest.mark.parametrize("drive", [run, streamed_run])
@pytest.mark.parametrize("make", HOSTILE.values(), ids=HOSTILE)
def test_hostile_replies_raise_what_is_expected_after_work_that_grows_with_them(
    behaviour, drive, make
):
    options = {"output_cls": Found, "streaming": drive is streamed_run, "behaviour": behaviour}

    def read(size):
        return trace_of(drive, Thinker(Completion(make(size))), "compact", **options)

    assert read(LONG).error_kind in (None, BadResponse.__name__)
    assert calls_of(read, 4_000) < 2.6 * calls_of(read, 2_000)


JSON = '{"query_satisfied": true, "answer": "yes"}'


class Verdict(BaseModel):
    query_satisfied: bool
    answer: str


CUT_OFF = r"cut off after \d+ characters.*Raise the answer length \(num_output\).*If a reply fills"
CALL = Call("t", PromptTemplate("Say").fill(), schema=Verdict, filtered=True, takes_cut=True)


@pytest.mark.parametrize("before", ["", "```json\n", "<think>Hm.</think>\n"])
@pytest.mark.parametrize(
    ("text", "answer", "satisfied"),
    [
        (JSON[:-3], "ye", True),
        (JSON[:-1], "yes", True),
        (r'{"query_satisfied": true, "answer": "\ud83d', "", None),
        (r'{"query_satisfied": true, "answer": "the \u00', "the ", True),
        ('{"query_satisfied": true, "answer": " ', "", None),
        ('{"query_satisfied": false, "ans', "", False),
        ('{"query_satisfied": "tr', "", None),
    ],
)
def test_a_filtered_reply_that_was_cut_off_after_its_verdict_counts_as_far_as_it_came(
    before, text, answer, satisfied
):
    completion = Completion(before + text, finish_reason="length")
    if satisfied is None:
        with pytest.raises(BadResponse, match=CUT_OFF):
            read_meaning(CALL, completion)
        return
    found = read_meaning(CALL, completion)
    assert found[:2] == (answer, satisfied)
    assert found.notes == (
        "The reply was cut off at num_output: its answer is taken as far as it came.",
    )
    with pytest.raises(BadResponse):
        read_meaning(replace(CALL, takes_cut=False), completion)


@pytest.mark.parametrize(
    "text",
    [
        '{"query_satisfied": false}',
        '{"query_satisfied": "no", "answer": null}',
        'No, not {what}.\n```json\n{"query_satisfied": false, "answer": []}\n```',
    ],
)
def test_a_no_needs_no_answer_and_refine_goes_on(text):
    assert read_meaning(CALL, Completion(text)) == ("", False, ())
    said = iter([JSON, text, text])
    llm = FunctionLLM(lambda prompt: next(said))
    trace = get_response_synthesizer("refine", llm, structured_answer_filtering=True).run(
        "Who?", ["Ada did.", "Bob did not.", "Lunch was late."]
    )
    assert trace.response == "yes"
    assert [call.satisfied for call in trace.calls] == [True, False, False]


def test_json_of_another_form_is_told_with_its_first_problem():
    with pytest.raises(BadResponse, match=r"problems: 1; answer: Field required.*switch the form"):
        read_meaning(CALL, Completion('{"query_satisfied": true}', finish_reason="stop"))


@pytest.mark.parametrize("text", [f"```{JSON}```", ""])
def test_text_is_what_it_is(text):
    call = Call("t", PromptTemplate("Say").fill())
    assert read_meaning(call, Completion(text)) == (text, True, ())


@pytest.mark.parametrize(
    "completion",
    [
        Completion("<think>Hm"),
        Completion("<think></think>\n"),
        Completion("Hm.\n</think>\n"),
        Completion(" ", reasoning="Hm."),
        Completion('<think>{"query_satisfied": true, "answer": "draft"}</think>'),
    ],
)
@pytest.mark.parametrize("call", [CALL, Call("t", PromptTemplate("Say").fill())])
def test_reasoning_alone_is_no_answer_whatever_is_in_it(call, completion):
    with pytest.raises(BadResponse, match="no answer yet"):
        read_meaning(call, completion)
