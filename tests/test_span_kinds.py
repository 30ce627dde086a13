"""Texts know where they came from; a new kind of span is one line of one table."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.prompts.prompt import FIXED, KIND_OF, VALUES, SpanKind
from synth.text.spans import Text, join

ROOT = Path(__file__).parents[1]
LAST = '    ANSWER = "answer", "answers", "existing_answer"\n'
NEW = '    EXAMPLE = "example", "examples", "examples_str"\n'
USED = """
from synth import PromptTemplate, get_response_synthesizer
from synth.runs.calls import budget
from synth.modes.lint import custom_variables, lint
from synth.pictures.run_picture import draw_run
from synth.html.escape import legend_html, prompt_html

template = PromptTemplate("{examples_str} {context_str} {query_str} {tone}")
filled = {"examples_str": "An example. " * 50, "tone": "calm"}
assert custom_variables(template) == [*filled]
synthesizer = get_response_synthesizer("compact", text_qa_template=template)
assert not lint("text_qa_template", template, filled)
plan = synthesizer.plan("Why?", ["One chunk."], **filled)
[call] = plan.calls
found = budget(call, plan.setup)
assert found.parts["example"] > 90 > found.parts["variable"] > 0
assert found.prompt == call.prompt_tokens
boxes = [shape for shape in draw_run(plan).shapes if shape.kind == "example"]
assert any(box.says.startswith("examples") for box in boxes)
assert '<i class="k-variable"></i>examples' in legend_html(["example"])
shown = prompt_html(call.prompt)
assert '<span class="s-variable" dir="auto">An example.' in shown
"""


@pytest.mark.slow
def test_a_new_kind_is_one_line(tmp_path):
    leave = shutil.ignore_patterns("__pycache__", "*.tiktoken")
    for folder in ("synth", "ui"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=leave)
    for file in (ROOT / "synth" / "text" / "encodings").glob("*.tiktoken"):
        (tmp_path / "synth" / "text" / "encodings" / file.name).symlink_to(file)
    table = tmp_path / "synth" / "prompts" / "prompt.py"
    lines = table.read_text("utf-8")
    assert LAST in lines
    table.write_text(lines.replace(LAST, LAST + NEW), "utf-8")
    command = [sys.executable, "-c", USED]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert not done.returncode, done.stderr


def test_the_table_is_whole():
    assert {*FIXED, *VALUES} == set(SpanKind)
    assert KIND_OF["context_msg"] is SpanKind.CONTEXT
    assert {SpanKind.CONTEXT: 1}["context"] == 1


def test_texts_are_equal_by_what_they_say_and_where_it_came_from():
    assert Text.of("a b", "chunk", 1).slice(0, 1) == Text.of("a", "chunk", 1)
    assert Text.of("a", "chunk", 1) != Text.of("a", "chunk", 2)
    assert Text.of("a") != "a"


CHUNKS = st.lists(st.text(max_size=12), min_size=1, max_size=5)


@given(CHUNKS, st.integers(0, 40), st.integers(0, 40), st.integers(0, 20))
def test_origins_survive_joins_of_slices_of_joins(chunks, start, end, middle):
    whole = join([Text.of(chunk, "chunk", at) for at, chunk in enumerate(chunks)], "-")
    start, end = sorted((min(start, len(whole)), min(end, len(whole))))
    again = join([whole.slice(start, end), whole.slice(0, middle).strip()], "+")
    for offset, (_, number, left, right) in again.placed:
        assert str(again)[offset : offset + right - left] == chunks[number][left:right]
