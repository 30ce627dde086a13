"""Markdown to paste, and tables of calls."""

import csv
import re
from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ModelError
from synth.llms import FunctionLLM
from synth.text.wording import visible
from tests.ui.report.reported import reported
from ui.export.markdown import calls_table, run_markdown
from ui.look.elements import as_csv
from ui.settings.request import Model


def fenced(markdown):
    """The texts of the fences, read as CommonMark reads them, and the lines outside."""
    texts, outside, fence = [], [], None
    for line in markdown.split("\n"):
        ticks = re.match(r"`{3,}", line)
        if fence is None and ticks:
            fence, lines = ticks.group(), []
        elif fence and re.fullmatch(f"`{{{len(fence)},}}\\s*", line):
            texts.append("\n".join(lines))
            fence = None
        elif fence:
            lines.append(line)
        else:
            outside.append(line)
    assert fence is None
    return texts, "\n".join(outside)


@given(st.text(st.sampled_from("`~ab\n<#@|\\ "), max_size=60))
def test_a_text_in_a_summary_stays_in_its_fence(text):
    question = f"{text}?"
    found, _ = fenced(run_markdown(reported(query_str=question)))
    assert found[0] == visible(question)


def test_a_summary_has_what_the_run_made():
    run = reported("refine")
    summary = run_markdown(run)
    texts, outside = fenced(summary)
    assert texts == [run.request.query_str, run.trace.response]
    assert "**refine** made **3 calls**" in outside
    assert "| window | `400` |" in outside
    for call in run.trace.calls:
        assert f"{call.prompt_tokens:,} tokens in, {call.output_tokens:,} out" in outside


def test_names_in_a_summary_link_nowhere_and_mention_nobody():
    model = Model("endpoint", "a|`b` @torvalds #1 https://x.example <img src=x>")
    run = reported(model=model, variables=(("tone", "[x](https://x.example) | @me"),))
    _, outside = fenced(run_markdown(run))
    [row] = [line for line in outside.split("\n") if line.startswith("| model")]
    assert row == r"| model | ``a\|`b` @torvalds #1 https://x.example <img src=x>`` |"
    [row] = [line for line in outside.split("\n") if line.startswith("| variable")]
    assert row == r"| variable tone | `[x](https://x.example) \| @me` |"


@pytest.mark.parametrize("begins", ["=", "+", "-", "@", "\t", "\r"])
def test_a_spreadsheet_computes_nothing(begins):
    text = begins + 'HYPERLINK("http://x.example")'
    run = reported(llm=FunctionLLM(lambda _: text))
    [row] = csv.DictReader(StringIO(as_csv(calls_table(run.trace)).decode(), newline=""))
    assert row["answer"] == f"'{text}"
    assert row["prompt"] == run.trace.calls[0].prompt.text
    assert row["prompt_tokens"] == str(run.trace.prompt_tokens)


def test_numbers_below_zero_stay_numbers():
    assert as_csv(pd.DataFrame({"n": [-1], "text": ["-1"]})) == b"n,text\n-1,'-1\n"


def test_no_file_has_what_a_server_said():
    def refuse(_):
        raise ModelError("key sk-planted at https://secret-host.example")

    run = reported("refine", FunctionLLM(refuse))
    address = replace(run.request.model, kind="endpoint", address="https://secret-host.example")
    run = replace(run, request=replace(run.request, model=address))
    assert "sk-planted" in run.trace.calls[0].error
    for written in (
        run_markdown(run).encode(),
        as_csv(calls_table(run.trace)),
    ):
        assert b"sk-planted" not in written
        assert b"secret-host" not in written
    [row] = csv.DictReader(StringIO(as_csv(calls_table(run.trace)).decode()))
    assert row["error"].startswith("A call was sent")
