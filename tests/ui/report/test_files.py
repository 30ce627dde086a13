"""Tables of calls as files."""

import csv
from dataclasses import replace
from io import StringIO

import pandas as pd
import pytest

from synth.errors import ModelError
from synth.llms import FunctionLLM
from tests.ui.report.reported import reported
from ui.export.downloads import calls_table
from ui.look.elements import as_csv


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


def test_the_table_has_nothing_of_what_a_server_said():
    def refuse(_):
        raise ModelError("key sk-planted at https://secret-host.example")

    run = reported("refine", FunctionLLM(refuse))
    address = replace(run.request.model, kind="endpoint", address="https://secret-host.example")
    run = replace(run, request=replace(run.request, model=address))
    assert "sk-planted" in run.trace.calls[0].error
    written = as_csv(calls_table(run.trace))
    assert b"sk-planted" not in written
    assert b"secret-host" not in written
    [row] = csv.DictReader(StringIO(written.decode()))
    assert row["error"].startswith("A call was sent")
