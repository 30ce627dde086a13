"""The view Grid of Compare: a set of questions, what is expected, and what passed."""

import json

import pytest

from synth.quality import Outcome, read_questions
from tests.ui.compare_columns import fan_of, made, trace_of
from tests.ui.test_compare import ONE_CHUNK, Compare
from ui.compare.analysis.judged_runs import (
    Expected,
    judge,
    rate_words,
    rates,
    reasons,
    scores,
    verdict_sentences,
)
from ui.kept.values import from_json, to_json
from ui.session import keys

SET = """query,facts,checks
What failed?,* the pump failed,icontains: noon
When did it fail?,at noon,"not-contains: noon"
Who saw it?,a witness,"cost(0.01)"
"""


class Grid(Compare):
    """The view Grid with its editors open."""

    def __init__(self, *columns, **settings):
        columns = columns or ({"mode": "compact"}, {"mode": "no_text"})
        super().__init__(*columns, **{"chunks": ONE_CHUNK, "compare_view": "grid"} | settings)
        self.set(compare_view="grid").edit()

    def paste(self, text, form="csv"):
        self.at.text_area(key="pasted_set").set_value(text)
        self.at.segmented_control(key="pasted_set_form").set_value(form)
        return self.draw().press("take_set")

    def upload(self, name, data):
        [uploader] = self.at.file_uploader
        uploader.set_value([(name, data, "text/plain")])
        return self.draw()


def test_a_pasted_set_is_asked_and_each_run_is_a_tile():
    page = Grid().paste(SET).finish()
    assert "A set of 3 questions" in page.text
    assert page.trace("A", 1).setup.query == "When did it fail?"
    assert page.text.count('class="tile all') == 1
    assert "A · compact" not in page.text
    assert "compact passes 1 of 2 questions" in page.text
