"""Files of promptfoo load, and score as promptfoo scored them.

`recorded.json` has, for each test and each assertion, whether promptfoo 0.121.20 passed it with
the provider `echo` and the prompt "{{output}}": `promptfoo eval -c tests.yaml -o out.json`, and
the same with a config that names tests.csv.
"""

import json
from pathlib import Path

import pytest

from synth.quality.question_files import read_questions
from tests.quality.answered import answered

FOLDER = Path(__file__).parent / "promptfoo"
RECORDED = json.loads((FOLDER / "recorded.json").read_text("utf-8"))


@pytest.mark.parametrize("name", RECORDED)
def test_a_file_scores_as_in_promptfoo(name):
    questions = read_questions(name, (FOLDER / name).read_bytes()).questions
    scored = [
        [
            check.outcome(answered(question.variables["output"])).state == "pass"
            for check in question.checks
        ]
        for question in questions
    ]
    assert scored == RECORDED[name]


GRADED = """
description: Answers that a model grades
prompts: ["{{question}}"]
providers: [openai:gpt-4.1-mini]
defaultTest:
  assert: [{type: llm-rubric, value: "does not speak of {{topic}} as certain", provider: openai:o3}]
tests:
  - vars: {question: What failed?, topic: noon}
    assert:
      - {type: llm-rubric, value: names the pump, metric: right}
      - {type: llm-rubric, value: scored, threshold: 0.8}
      - "not-llm-rubric: is rude"
"""


def test_a_file_with_rubrics_opens_with_them():
    [question] = read_questions("graded.yaml", GRADED).questions
    assert [(check.type, check.rubric) for check in question.checks] == [
        ("llm-rubric", "does not speak of noon as certain"),
        ("llm-rubric", "names the pump"),
        ("not-llm-rubric", "is rude"),
    ]
    assert question.left_out == ("llm-rubric with threshold",)
    table = (
        "query,__expected1,__expected2,__config:__expected2:threshold\nWhy?,grade: so,grade: x,1"
    )
    [row] = read_questions("graded.csv", table).questions
    assert ([check.rubric for check in row.checks], row.left_out) == (
        ["so"],
        ("grade with threshold",),
    )
