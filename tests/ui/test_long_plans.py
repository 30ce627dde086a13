"""Plans of long texts: what is much work, and that a newer edit overtakes it."""

import pytest
from streamlit.runtime.scriptrunner import StopException

from synth.quality.samples import SAMPLES
from tests.recipes import make_request
from ui.plans import plan_range
from ui.session import workspace

SAMPLE = "\n\n".join(SAMPLES[0].chunks)


def long(mode, characters=2_000_000, **changed):
    """A request with so many characters of chunks, a thousand in each."""
    text = (SAMPLE * (characters // len(SAMPLE) + 1))[:characters]
    chunks = tuple(text[at : at + 1_000] for at in range(0, characters, 1_000))
    return make_request(mode, "What failed?", chunks, 4_096, **changed)


class Overtaken:
    """Stands for the run of a script in whose tab something newer was entered."""

    def yield_check(self) -> None:
        raise StopException


def test_no_long_plan_is_begun_for_an_edit_that_another_has_followed(monkeypatch):
    monkeypatch.setattr(workspace, "get_script_run_ctx", lambda suppress_warning: Overtaken())
    with pytest.raises(StopException):
        plan_range.plan_range(long("compact", 200_000))
    assert plan_range.plan_range(long("compact", 2_000)).plans is not None


def test_long_texts_many_chunks_and_many_calls_are_much_work():
    assert long("compact", 2_000).work < plan_range.LONG
    for much in (
        long("compact", 200_000),
        make_request("refine", "What failed?", ("short",) * 300, 1_200),
        long("compact", 40_000, chunk_size_limit=20),
        long("compact", 40_000, chunk_overlap_ratio=0.999),
    ):
        assert much.work > plan_range.LONG
