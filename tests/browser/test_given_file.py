"""`synth app FILE`: a browser opens with the file where it belongs, in the first session alone."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.served import free_ports
from synth.quality.samples import SAMPLES
from synth.traces import EXAMPLE
from tests.eventually import eventually
from ui.session import keys
from ui.workspaces import files

ROOT = Path(__file__).parents[2]
CHUNKS = "\n\n".join(SAMPLES[0].chunks)
GIVEN = {
    "run.jsonl": (gzip.decompress(EXAMPLE.read_bytes()), "From the trace “run.jsonl”."),
    "chunks.md": (CHUNKS.encode(), f"became {len(SAMPLES[0].chunks)} chunks."),
    "questions.csv": (b"query,facts\nWho?,Ada\nWhy?,8 instead of 80\n", "2 questions"),
    "workspace.json": (files.write({keys.QUESTIONS: "Who?\nWhy?\nHow?"}).encode(), "3 questions"),
    "picture.png": (b"\x89PNG", "picture.png can't be opened."),
}


@pytest.mark.slow
@pytest.mark.parametrize("name", GIVEN)
def test_a_browser_opens_with_the_file(browser: Browser, tmp_path: Path, name: str):
    data, text = GIVEN[name]
    (tmp_path / name).write_bytes(data)
    address, opener, port = tmp_path / "address", tmp_path / "browser", free_ports(1)
    opener.write_text(f'#!/bin/sh\necho "$1" > {address}.part\nmv {address}.part {address}\n')
    opener.chmod(0o755)
    environment = {
        **os.environ,
        "BROWSER": str(opener),
        "PYTHONPATH": str(ROOT),
        "SYNTH_DATABASE_URL": f"sqlite:///{tmp_path}/given.sqlite3",
    }
    command = [sys.executable, "-m", "synth", "app", name, "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as server:
        try:
            eventually(address.exists, "a browser is opened")
            url = address.read_text().strip()
            assert url == f"http://127.0.0.1:{port}"  # which names no file
            first, other = browser.new_page(), browser.new_page()
            first.goto(url)
            if name == "workspace.json":
                first.get_by_role("link", name="Compare").click()
            expect(first.get_by_text(text)).to_be_visible()
            other.goto(f"{url}/compare?w=new")
            expect(other.get_by_text("1 question")).to_be_visible()
            first.close()
            other.close()
        finally:
            server.terminate()
