"""Benchmarks still come to their last row; those of pages: tests/browser, tests/connections."""

import subprocess
import sys
from pathlib import Path

import pytest

LAST = {
    "benchmarks.history 100": "| open a run |",
    "benchmarks.bounds 20": "20 runs, 0 outside their bounds",
}


@pytest.mark.slow
@pytest.mark.parametrize("command", LAST)
def test_a_benchmark_comes_to_its_last_row(command):
    line = [sys.executable, "-m", *command.split()]
    root = Path(__file__).parents[1]
    done = subprocess.run(line, cwd=root, capture_output=True, text=True, check=False)
    assert f"\n{LAST[command]}" in done.stdout, done.stderr
