"""`synth app FILE`: a browser opens with the file where it belongs, in the first session alone."""

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from benchmarks.served import free_ports
from synth.traces import EXAMPLE
from tests.eventually import eventually

ROOT = Path(__file__).parents[2]


@pytest.mark.slow
def test_a_browser_opens_with_the_file(browser: Browser, tmp_path: Path):
    (tmp_path / "run.jsonl").write_bytes(gzip.decompress(EXAMPLE.read_bytes()))
    address, opener, port = tmp_path / "address", tmp_path / "browser", free_ports(1)
    opener.write_text(f'#!/bin/sh\necho "$1" > {address}.part\nmv {address}.part {address}\n')
    opener.chmod(0o755)
    environment = {
        **os.environ,
        "BROWSER": str(opener),
        "PYTHONPATH": str(ROOT),
        "SYNTH_DATABASE_URL": f"sqlite:///{tmp_path}/given.sqlite3",
    }
    command = [sys.executable, "-m", "synth", "app", "run.jsonl", "--port", str(port)]
    with subprocess.Popen(command, cwd=tmp_path, env=environment) as server:
        try:
            eventually(address.exists, "a browser is opened")
            url = address.read_text().strip()
            assert url == f"http://127.0.0.1:{port}"  # which names no file
            first, other = browser.new_page(), browser.new_page()
            first.goto(url)
            expect(first.get_by_text("Undo the trace “run.jsonl”")).to_be_visible()
            other.goto(f"{url}/compare?w=new")
            expect(other.get_by_text("1 question")).to_be_visible()
            first.close()
            other.close()
        finally:
            server.terminate()
