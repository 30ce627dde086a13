"""The command `synth`: what it prints, its exit status, and what becomes of what goes wrong."""

import io
import json
import os
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from urllib.request import ProxyHandler, build_opener
from xml.etree import ElementTree

import pytest

from benchmarks.served import free_ports
from synth.errors import SynthError
from synth.modes.registry import MODES
from synth.quality.samples import SAMPLES
from synth.runs.bounds import Bounds
from synth.terminal.app import network_address
from synth.terminal.command import main
from synth.words.plan_words import cut_off_tokens
from tests.eventually import eventually
from tests.terminal.page import PAGE, filled, run, write_files
from ui.plans.plan_range import plan_range
from ui.settings.request import Request
from ui.settings.schema import DEFAULT, from_texts

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
        if one["mode"] == "compact":
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
        (["plan", "chunks.jsonl", "Why?", "--model", "nonsense-9000"], "give it with --window"),
        (["plan", "long.txt", "Why?"], "long.txt holds 2,001 chunks; at most 2,000"),
        (["verify", "bad.jsonl"], "bad.jsonl: "),
        (["check", "absent.yaml", "run.jsonl"], "absent.yaml can't be opened (No such file"),
        (["check", "bad.jsonl", "run.jsonl"], "bad.jsonl: line 1: "),
        (["check", "questions.yaml", "chunks.jsonl"], "chunks.jsonl: "),
        (["check", "questions.yaml", "run.jsonl", "--junit", "."], ". can't be written (Is a"),
        (["app", "absent.jsonl"], "absent.jsonl can't be opened"),
        (["verify", "empty.jsonl"], "empty.jsonl: The file is empty"),
    ],
)
def test_what_can_not_be_read_is_said_in_words(arguments, said, capsys):
    Path("bad.jsonl").write_text("{no")
    Path("run.gz").write_bytes(b"\x1f\x8b")
    Path("empty.jsonl").write_text("")
    Path("long.txt").write_text("one\n\n" * 2_001)
    assert main(arguments) == 2
    printed = capsys.readouterr()
    assert not printed.out
    assert printed.err.startswith(f"synth {arguments[0]}: ")
    assert said in printed.err


@pytest.mark.parametrize(
    ("arguments", "status"),
    [
        (["--window", "8192"], 0),
        (["--window", "200"], 1),
        (["--window", "1024", "--mode", "simple_summarize"], 1),
        (["--window", "200", "--mode", "generation", "--num-output", "64"], 0),
        (["--window", "200", "--all-modes"], 1),
        (["--window", "200", "--all-modes", "--mode", "generation", "--num-output", "64"], 0),
    ],
)
def test_the_status_of_a_plan_says_whether_every_chunk_is_read(arguments, status):
    assert run("plan", "chunks.jsonl", "Why?", *arguments)[0] == status


def test_each_behaviour_is_planned_and_the_other_number_stands_beside_it():
    documented, llama_index = (
        run("plan", "chunks.jsonl", "Why?", "--window", "1024", "--behaviour", each, "--json")[1]
        for each in ("documented", "llama_index")
    )
    calls = {}
    for each in map(json.loads, (documented, llama_index)):
        [mode] = each["modes"]
        assert mode["calls"] == [len(each["calls"])] * 2
        calls[each["behaviour"]] = mode["calls"], mode["other_calls"]
    assert calls["documented"] == calls["llama_index"][::-1]
    assert calls["documented"][0] < calls["documented"][1]
    _, text = run("plan", "chunks.jsonl", "Why?", "--window", "1024")
    assert "as llama_index" in text
    _, text = run("plan", "chunks.jsonl", "Why?", "--window", "8192")
    assert "as llama_index" not in text


def check(*questions, junit=False):
    """The exit status of the questions, and of each whether it passed and why not."""
    Path("set.json").write_text(json.dumps(questions))
    options = ["--junit", "junit.xml"] if junit else []
    status, text = run("check", "set.json", "run.jsonl", "--json", *options)
    return status, [(each["state"], each["reasons"]) for each in json.loads(text)]


OUTAGE = "What caused the outage and how was it fixed?"


def test_an_answer_passes_by_the_facts_and_checks_of_its_question():
    """Words are those of the same facts and checks on the pages."""
    held, lost = (
        {"query": f" {OUTAGE}\n", "facts": "8 instead of 80"},
        {"query": OUTAGE, "facts": "DNS"},
    )
    assert check(held) == (0, [("passed", [])])
    status, [(state, [reason])] = check(lost)
    assert (status, state) == (1, "failed")
    assert reason.startswith("Call 4 dropped “DNS”. It came with chunks 3, 4 and 11")
    assert check(held, lost)[0] == 1
    rubric = {"query": OUTAGE, "checks": ["rubric: It is polite."]}
    status, [(state, [reason])] = check(rubric)
    assert (status, state) == (1, "not judged")
    assert "no model has judged it" in reason.lower()
    assert check(held, rubric)[0] == 0  # one has passed, and none failed
    assert check(held, {"query": "Who?", "facts": "Ada"})[1][1] == ("not recorded", [])
    assert check({"query": "Who?", "facts": "Ada"})[0] == 1


def test_a_recording_that_failed_has_failed():
    lines = [json.loads(line) for line in Path("run.jsonl").read_text().splitlines()]
    for line in lines:
        for name in [name for name in line["attributes"] if "output" in name]:
            del line["attributes"][name]
    Path("run.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert check({"query": OUTAGE, "checks": ["not-contains: x"]})[1][0][0] == "failed"


def test_junit_has_a_case_for_each_answer():
    """A foreign text can't break the file."""
    spans = Path("run.jsonl").read_text().replace("Which services", r"\u001b<\uffffWhich")
    Path("run.jsonl").write_text(spans)
    query = "\x1b<\uffffWhich were affected?"
    check(
        {"query": OUTAGE, "facts": "Nobody"},
        {"query": query, "facts": "DNS"},
        {"query": "Who?", "facts": "A"},
        junit=True,
    )
    suite = ElementTree.parse("junit.xml").getroot()
    assert [[child.tag for child in case] for case in suite] == [["failure"], [], ["skipped"]]
    assert suite[1].get("name").startswith("⟨U+001B⟩<⟨U+FFFF⟩Which")
    assert "set back" in suite[0][0].text


def test_a_file_without_a_synthesis_verifies_nothing():
    [lone] = [line for line in Path("run.jsonl").read_text().splitlines() if "the ticket" in line]
    Path("lone.jsonl").write_text(lone)
    status, text = run("verify", "lone.jsonl")
    assert status == 1
    assert "no synthesis known here" in text


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
    assert "not compared   The trace has no answer to call 1" in text


def test_standard_input_holds_lines_of_json(monkeypatch):
    data = b'{"text": "one"}\n"two"'
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert json.loads(run("plan", "-", "Why?", "--json")[1])["chunk_tokens"] == 2


def test_a_foreign_text_can_not_steer_the_terminal():
    spans = Path("run.jsonl").read_text().replace("Which services", r"\u001b[2JWhich")
    Path("steering.jsonl").write_text(spans)
    _, text = run("verify", "steering.jsonl")
    assert "⟨U+001B⟩[2JWhich" in text
    assert "\x1b" not in text


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_that_lacks_a_letter_gets_a_question_mark(encoding):
    printed = io.TextIOWrapper(io.BytesIO(), encoding)
    with redirect_stdout(printed):
        assert main(["verify", "run.jsonl"]) == 1
        main(["plan", "chunks.jsonl", "Où?", "--window", "1024", "--all-modes"])
    printed.seek(0)
    text = printed.read()
    assert "Look up the ticket of the outage" in text
    assert "O?" in text or encoding == "cp1252"


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


def test_a_question_after_another_finds_its_prompts_cached():
    Path("long.jsonl").write_text("\n".join(json.dumps({"text": "One word. " * 400}) for _ in "ab"))
    options = ["--model", "gpt-5-mini", "--window", "8192", "--json"]
    once, twice = (
        json.loads(run("plan", "long.jsonl", *questions, *options)[1])["modes"][0]
        for questions in (["Who?"], ["Who?", "When?"])
    )
    assert once["cached_tokens"] == 0
    assert twice["cached_tokens"] >= 1_024
    assert twice["dollars_likely"] < 2 * once["dollars_likely"]
    assert twice["dollars_at_most"] == pytest.approx(2 * once["dollars_at_most"], rel=0.01)


ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_the_command_answers_at_the_address_that_the_machine_has_in_its_network(tmp_path):
    try:
        address = network_address()
    except SynthError as problem:
        pytest.skip(str(problem))
    assert not address.startswith("127.")
    assert "synth app --class" in (ROOT / "Makefile").read_text("utf-8")
    port = free_ports(1)
    synth = "from synth.terminal.command import main; main()"
    command = [sys.executable, "-c", synth, "app", "--class", "--port", str(port)]
    environment = {**os.environ, "SYNTH_DATABASE_URL": f"sqlite:///{tmp_path}/class.sqlite3"}
    url = f"http://{address}:{port}"
    opener = build_opener(ProxyHandler({}))

    def answers():
        assert server.poll() is None
        try:
            return opener.open(f"{url}/class").status == 200
        except OSError:
            return False

    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
    ) as server:
        try:
            eventually(answers, "another address answers")
        finally:
            server.terminate()
        assert url in server.stdout.read()
