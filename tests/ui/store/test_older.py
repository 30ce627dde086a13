"""What programs before the one vocabulary of settings wrote is read: a database, files, links.

The files in `tests/ui/older` were written by such a program.
"""

import json
from pathlib import Path

import pytest

from synth.export import links
from tests.ui.page import Playground
from ui.session import keys
from ui.settings.request import Request
from ui.settings.schema import DEFAULT
from ui.workspaces import files

OLDER = Path(__file__).parents[1] / "older"
LINKS = json.loads((OLDER / "links.json").read_text("utf-8"))
LIMITS = {
    **{"mode": "refine", "behaviour": "llama_index", "context_window": 900, "num_output": 64},
    **{"chunk_overlap_ratio": 0.2, "chunk_size_limit": 300, "response_padding_size": 50},
    **{"tokenizer": "o200k_base", "structured_answer_filtering": True, "selection": "top"},
    **{"similarity_top_k": 2, "model": "recorded"},
}
MINE = "Mine, {tone}: {query_str} {existing_answer} {context_msg}"
TEXTS = {
    **{"model_name": "tiny", "temperature": 0.5, "seed": 7, "concurrency": 3, "timeout": 30},
    **{"cap_calls": 200, "cap_tokens": 300_000, "cap_dollars": 1.5},
    "query_str": "Who was told of the pump?",
    "refine_template": MINE,
    "refine_template_chat": True,
    "refine_template_system": "Be {tone}.",
    "text_qa_template": "Text: {context_str} {query_str}",
    "text_qa_template_measured": "Measured {context_str} {query_str}",
    "variables.tone": "dry",
}


def check(values):
    """The values are those that were written, without what only their owner gets."""
    settings = values[keys.SETTINGS]
    wanted = LIMITS | TEXTS
    assert {path: settings.value(path) for path in wanted} == wanted
    assert [chunk.on for chunk in settings.chunks] == [True, False, True]
    assert not settings.base_url
    first, second, _ = values[keys.COLUMNS]
    assert first.override("chunk_overlap_ratio") == 0.3
    assert first.override("response_padding_size") == 20
    assert second.override("variables.tone") == "wet"
    assert second.override("structured_answer_filtering")
    assert second.override("base_url") is None
    assert values[keys.TEMPLATE_SETS]["mine"]["refine_template_system"] == "Be short."


def test_files_are_read():
    workspace = files.read((OLDER / "workspace.json").read_text("utf-8"))
    check(workspace)
    assert set(workspace[keys.GONE]) == {
        "the saved questions",
        "the judge of Compare",
        "reference answers",
        "the sets of templates of columns",
    }
    run = files.read((OLDER / "run.json").read_text("utf-8"))
    assert run.request.query_str == "Who was told of the pump?"
    comparison = files.read((OLDER / "comparison.json").read_text("utf-8"))
    assert comparison[keys.GONE] == ("the sets of templates of columns", "the runs of a comparison")


@pytest.mark.slow
def test_links_are_read():
    check(files.read(links.unpack(LINKS["workspace"])))
    settings = Playground().open(**LINKS["settings"]).settings
    assert settings.changed == LIMITS
    assert Request.of(settings) != Request.of(DEFAULT)
