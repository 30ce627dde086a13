"""The file of `synth app FILE` opens where it belongs, in the first session alone."""

import gzip

import pytest

from synth.quality.samples import SAMPLES
from synth.terminal import FILES
from synth.traces import EXAMPLE
from tests.ui.page import Page
from ui.session import browser, keys
from ui.settings.schema import DEFAULT
from ui.workspaces import files

ASKED = DEFAULT.with_({"query_str": "Who was it?"})
CHUNKS = "\n\n".join(SAMPLES[0].chunks)
GIVEN = {
    "run.jsonl": (gzip.decompress(EXAMPLE.read_bytes()), "Undo the trace “run"),
    "chunks.md": (CHUNKS.encode(), f"became {len(SAMPLES[0].chunks)} chunks."),
    "questions.csv": (b"query,facts\nWho?,Ada\nWhy?,8 instead of 80\n", "2 questions"),
    "workspace.json": (files.write({keys.SETTINGS: ASKED}).encode(), "Who was it?"),
    "picture.png": (b"\x89PNG", "picture.png can&#39;t be opened."),
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_page_opens_with_the_file(name, monkeypatch):
    monkeypatch.setattr(browser, "is_own_machine", lambda: True)
    data, text = GIVEN[name]
    FILES.append((name, data))
    first, other = Page(), Page()
    assert text in shown(first)
    assert text not in shown(other)


def shown(page):
    parts = [(getattr(part, "value", ""), getattr(part, "label", "")) for part in page.at.main]
    return "\n".join(f"{value}{label}" for value, label in parts)
