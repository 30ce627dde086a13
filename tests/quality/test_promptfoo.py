"""Files of promptfoo load, and score as promptfoo scored them.

`recorded.json` has, for each test and each assertion that is not left out, whether promptfoo
0.121.20 passed it with the provider `echo` and the prompt "{{output}}": `promptfoo eval -c
tests.yaml -o out.json`, and the same with a config that names tests.csv.
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
