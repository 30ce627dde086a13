"""The command `synth`: what it prints, its exit status, and what becomes of what goes wrong."""

import io
import json
import socket
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.modes.registry import MODES
from synth.quality.samples import SAMPLES
from synth.runs.bounds import Bounds
from synth.terminal.bars import bars, shared
from synth.terminal.command import main
from synth.terminal.screen import Screen, width
from synth.traces import read
from synth.words.change_words import TOO_LONG
from synth.words.coverage_words import cut_off_tokens
from tests.examples import examples
from tests.terminal.page import PAGE, filled, run, write_files
from ui.plans.plan_range import plan_range
from ui.settings.chunk_list import from_texts
from ui.settings.request import Request
from ui.settings.schema import DEFAULT

SAMPLE = SAMPLES[0]


@pytest.fixture(autouse=True)
def files(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("COLUMNS", raising=False)
    write_files(tmp_path)


@pytest.mark.slow
def test_the_page_shows_what_the_commands_print():
    page = PAGE.read_text("utf-8")
    assert filled(page) == page


def test_the_numbers_are_those_of_the_pages():
    """All modes, with a model whose price and tokenizer are known."""
    sizes = {"context_window": 1024, "num_output": 128}
    arguments = ["--model", "gpt-4o-mini", "--window", "1024", "--num-output", "128"]
    _, text = run("plan", "chunks.jsonl", SAMPLE.question, *arguments, "--all-modes", "--json")
    data = json.loads(text)
    assert [one["mode"] for one in data["modes"]] == list(MODES)
    for one in data["modes"]:
        endpoint = {"model": "endpoint", "model_name": "gpt-4o-mini", "query_str": SAMPLE.question}
        chunks = from_texts(SAMPLE.chunks, "test")
        settings = DEFAULT.with_({**endpoint, **sizes, "mode": one["mode"], "chunks": chunks})
        request = Request.of(settings)
        plans = plan_range(request)
        for name in Bounds.__dataclass_fields__:
            assert one[name] == list(getattr(plans.bounds, name))
        assert one["dollars_at_most"] == plans.bounds.cost(request.model.price)
        assert one["cut_off_tokens"] == cut_off_tokens(plans.high)
        if one["mode"] == data["chosen"]:
            assert [call["prompt_tokens"] for call in data["calls"]] == [
                call.prompt_tokens for call in plans.high.calls
            ]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["plan", "absent.jsonl", "Why?"], "absent.jsonl can't be opened (No such file"),
        (["plan", ".", "Why?"], ". can't be opened (Is a directory"),
        (["plan", "bad.jsonl", "Why?"], "bad.jsonl, line 1 is not JSON"),
        (["plan", "run.gz", "Why?"], "run.gz can't be read: give .txt"),
        (["plan", "chunks.jsonl", "Why?", "--window", "0"], "context_window is 0"),
        (["plan", "chunks.jsonl", " "], "The question is empty"),
        (["verify", "bad.jsonl"], "bad.jsonl: "),
        (["verify", "empty.jsonl"], "empty.jsonl: The file is empty"),
        (["facts", "run.jsonl", "--fact", "..."], "without a letter or digit"),
        (["facts", "run.jsonl", "--fact", "8", "--fact", " "], "A --fact is empty"),
        (["app", "--port", "0"], "There is no port 0: give one from 1 to 65535"),
    ],
)
def test_what_can_not_be_read_is_said_in_words(arguments, said, capsys):
    Path("bad.jsonl").write_text("{no")
    Path("run.gz").write_bytes(b"\x1f\x8b")
    Path("empty.jsonl").write_text("")
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith(f"synth {arguments[0]}: ")
    assert said in printed.err


def test_a_port_that_is_taken_is_named(capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert main(["app", "--port", str(port)]) == 2
    assert f"Port {port} can't be had (Address already in use)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--window", "8192"], 0),
        (["--window", "200"], 1),
        (["--window", "1024", "--mode", "simple_summarize"], 1),
        (["--window", "200", "--mode", "generation", "--num-output", "64"], 0),
        (["--window", "200", "--all-modes"], 1),
    ],
)
def test_the_status_of_a_plan_says_whether_every_chunk_is_read(arguments, status):
    assert run("plan", "chunks.jsonl", "Why?", *arguments)[0] == status


def test_a_file_without_a_synthesis_verifies_nothing():
    [lone] = [line for line in Path("run.jsonl").read_text().splitlines() if "the ticket" in line]
    Path("lone.jsonl").write_text(lone)
    status, text = run("verify", "lone.jsonl")
    assert status == 1
    assert "Nothing here can be verified." in text


def test_a_recording_without_an_answer_is_not_compared():
    """That is no difference, and no proof either."""
    lines = [json.loads(line) for line in Path("run.jsonl").read_text().splitlines()]
    first = next(line for line in lines if line["attributes"].get("llm.model_name"))
    outputs = [name for name in first["attributes"] if "output" in name]
    for name in outputs:
        del first["attributes"][name]
    Path("silent.jsonl").write_text("\n".join(map(json.dumps, lines)))
    status, text = run("verify", "silent.jsonl")
    assert status == 1
    assert "not compared: The trace has no answer to call 1" in text
    assert "2 of 4 syntheses verified, 1 differs, 1 not compared." in text


@pytest.mark.parametrize(
    ("facts", "status"),
    [
        (["five days"], 0),  # of the run whose overlap was found
        (["8 instead of 80"], 1),  # lost in one run
        (["five days", "ten days"], 1),  # one is nowhere
    ],
)
def test_the_status_of_facts_says_whether_one_was_lost(facts, status):
    arguments = [argument for fact in facts for argument in ("--fact", fact)]
    assert run("facts", "run.jsonl", *arguments)[0] == status


def test_the_smallest_change_sends_the_fact_and_one_token_less_does_not():
    fact = "8 instead of 80"
    *_, cutting, _ = json.loads(run("facts", "run.jsonl", "--fact", fact, "--json")[1])
    window = cutting["facts"][0]["changes"][0]["after"]["context_window"]
    recorded = read(Path("run.jsonl").read_bytes())[3]
    assert recorded.query == cutting["question"]
    for size, sent in ((window, True), (window - 1, False)):
        synthesizer = recorded.with_helper(context_window=size).synthesizer()
        [call] = synthesizer.plan(recorded.query, recorded.texts).calls
        assert (fact in call.prompt.text) == sent


@pytest.mark.slow
def test_chunks_too_long_to_search_for_a_change_are_said_to_be_so(monkeypatch):
    monkeypatch.setattr("synth.terminal.facts.MOST_SEARCHED", 9)
    arguments = ["facts", "run.jsonl", "--fact", "8 instead of 80"]
    assert f"\n    {TOO_LONG}\n" in run(*arguments)[1]
    *_, cutting, _ = json.loads(run(*arguments, "--json")[1])
    assert cutting["facts"][0]["changes"] is None


def test_standard_input_holds_lines_of_json_one_value_or_text(monkeypatch):
    for data in (b'{"text": "one"}\n{"text": "two"}', b'[\n"one",\n"two"]', b"one\n\ntwo"):
        monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
        assert run("plan", "-", "Why?")[1].startswith("2 chunks, 2 tokens")


def test_a_text_of_more_chunks_than_the_pages_hold_is_refused(capsys):
    Path("long.txt").write_text("one\n\n" * 2_001)
    assert main(["plan", "long.txt", "Why?"]) == 2
    assert "long.txt holds 2,001 chunks; at most 2,000" in capsys.readouterr().err


def test_a_foreign_text_can_not_steer_the_terminal():
    spans = Path("run.jsonl").read_text().replace("Which services", r"\u001b[2JWhich")
    Path("steering.jsonl").write_text(spans)
    _, text = run("verify", "steering.jsonl")
    assert "⟨U+001B⟩[2JWhich" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("window", ["1024", "300"])
def test_a_terminal_of_80_columns_has_room(window, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    limits = ["--window", window, "--num-output", "64", "--model", "gpt-4o-mini"]
    _, text = run("plan", "chunks.jsonl", SAMPLE.question, "--all-modes", *limits)
    _, *lines = text.splitlines()
    prose = [line for line in lines if line.startswith(("Take", "None"))]
    assert len(prose) == 1
    assert max(width(line) for line in lines if line not in prose) <= 80


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_without_these_signs_gets_those_of_ascii(encoding):
    printed = io.TextIOWrapper(io.BytesIO(), encoding)
    with redirect_stdout(printed):
        assert main(["verify", "run.jsonl"]) == 1
        main(["plan", "chunks.jsonl", "Où?", "--window", "1024", "--all-modes"])
    printed.seek(0)
    text = printed.read()
    assert "  + Which services" in text
    assert "> compact" in text
    assert "<=256" in text


def test_colours_are_for_terminals_that_have_them(monkeypatch):
    class Terminal(io.StringIO):
        encoding = "utf-8"

        def isatty(self):
            return True

    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    assert Screen.of(Terminal()).colour
    monkeypatch.setenv("NO_COLOR", "1")
    assert not Screen.of(Terminal()).colour


def test_the_bar_of_a_call_has_blocks_where_there_are_colours():
    plan = plan_range(Request.of(DEFAULT.with_({"context_window": 1024}))).high
    first, *_ = bars(plan, Screen(120, colour=True))
    assert "\x1b[32m█" in first  # chunks
    assert "\x1b[31m▒" in first  # room for the answer
    plain, *_ = bars(plan, Screen(120, colour=False))
    assert "kkk" in plain
    assert "rrr" in plain


@examples(30)
@given(st.lists(st.integers(1, 10**7), min_size=1, max_size=9), st.integers(20, 50))
def test_each_part_of_a_bar_has_a_cell_and_all_cells_are_taken(tokens, cells):
    shares = shared(tokens, cells)
    assert min(shares) >= 1
    assert sum(shares) == cells


@pytest.mark.slow
def test_a_closed_pipe_and_an_interrupt_are_quiet(monkeypatch, capsys):
    command = [sys.executable, "-m", "synth", "plan", "chunks.jsonl", "Why?", "--all-modes"]
    root = Path(__file__).parents[2]
    with subprocess.Popen(
        command, env={"PYTHONPATH": str(root)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 141

    def interrupted(path):
        raise KeyboardInterrupt

    monkeypatch.setattr("synth.terminal.plan.read_chunks", interrupted)
    assert main(["plan", "chunks.jsonl", "Why?"]) == 130
    assert capsys.readouterr().err == ""
