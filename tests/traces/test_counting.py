"""Whose counts the recorded ones are: found where all agree, and said of nothing else."""

import json
from functools import cache
from pathlib import Path

import pytest
import tiktoken
from tiktoken.load import load_tiktoken_bpe

from synth.text.encodings import RECIPES
from synth.text.tokens import get_tokenizer
from synth.traces import read
from synth.traces.imported_run import trace_of
from tests.traces.application import Application, ask, nodes, recording
from ui.imported.as_request import request_of, why_not_held

pytestmark = pytest.mark.slow

CHUNKS = [
    " ".join(
        f"Größe {each} übertrifft 東京の{each * 7} значения" for each in range(first, first + 60)
    )
    for first in range(0, 400, 100)
]


@cache
def openai_counts(encoding):
    """The prompt tokens of messages as OpenAI's cookbook counts them, by tiktoken itself."""
    ranks = load_tiktoken_bpe(str(Path("synth/text/encodings") / f"{encoding}.tiktoken"))
    encode = tiktoken.Encoding(
        encoding, pat_str=RECIPES[encoding].pattern, mergeable_ranks=ranks, special_tokens={}
    ).encode_ordinary
    return lambda messages: 3 + sum(4 + len(encode(text)) for text in messages)


def recorded(counts, model="gpt-4.1-mini", mode="compact"):
    """A run of LlamaIndex, whose server reports these counts; none where they are None."""
    with recording() as lines:
        llm = Application(is_chat_model=True, model_name=model)
        ask(llm, mode, "Wie groß?", nodes(CHUNKS))
    rows = [json.loads(line) for line in lines.getvalue().splitlines()]
    for row in rows:
        said = row["attributes"]
        if said.get("openinference.span.kind") == "LLM":
            messages = [
                said[name]
                for name in sorted(said)
                if name.startswith("llm.input_messages.") and name.endswith(".content")
            ]
            said.pop("llm.token_count.prompt", None)
            count = counts(messages)
            said |= {} if count is None else {"llm.token_count.prompt": count}
    [run] = read("\n".join(map(json.dumps, rows)))
    assert run.verify().equal
    assert len(run.calls) > 3
    return run


@pytest.mark.parametrize("mode", ["compact", "tree_summarize"])
def test_the_models_own_tokenizer_counts_and_what_packed_stays(mode):
    """gpt-4.1-mini reads o200k_base; LlamaIndex packs with cl100k_base."""
    run = recorded(openai_counts("o200k_base"), mode=mode)
    found = run.counting
    assert found.names == ("gpt-4.1-mini",)
    assert (found.calls, found.silent) == (len(run.calls), 0)
    for trace in (run.trace(), trace_of(run)):
        assert trace.counts.equal
        assert all(trace.budget(call).prompt == call.reported_prompt_tokens for call in trace.calls)
    assert why_not_held(run) is None
    request = request_of(run)
    assert request.tokenizer == "cl100k_base"
    tokenizer = run.packing.tokenizer
    assert tokenizer.text_only is get_tokenizer("cl100k_base")
    assert run.calls[0].prompt.tokens(tokenizer) == run.calls[0].reported_prompt_tokens


@pytest.mark.parametrize("model", ["my-deployment", "gpt-4.1-mini"])
def test_a_model_whose_name_does_not_tell_is_counted_as_what_was_measured(model):
    run = recorded(openai_counts("cl100k_base"), model)
    assert run.counting.names == ("cl100k_base with OpenAI's chat format",)
    assert run.counting.tokenizer.counting == f"measured on {len(run.calls)} calls"
    assert not run.counting.tokenizer.sure
    assert run.trace().counts.equal


@pytest.mark.parametrize(
    "counts",
    [
        lambda messages: None,
        lambda messages: 100,
        lambda messages: openai_counts("o200k_base")(messages) + 1,
        lambda messages: len(" ".join(messages).split()),
    ],
)
def test_nothing_is_said_where_the_counts_are_those_of_none(counts):
    run = recorded(counts)
    assert run.counting is None
    assert request_of(run).tokenizer == "cl100k_base"
