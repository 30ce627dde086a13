"""The commands of docs/terminal.md with what they print.

    python -m tests.terminal.page

writes into the page what they print now.
"""

import gzip
import io
import json
import re
import shlex
from contextlib import chdir, redirect_stdout
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.quality.samples import SAMPLES
from synth.terminal.command import main

PAGE = Path(__file__).parents[2] / "docs" / "terminal.md"
RECORDING = Path(__file__).with_name("run.jsonl.gz")
"""Four syntheses of LlamaIndex over the incident sample and over chunks of our own, and a call."""

QUESTIONS = """\
- query: What caused the outage and how was it fixed?
  facts: |
    * 8 instead of 80 | eight instead of eighty
    set back | rolled back
- query: Which services were affected?
  facts: checkout
- query: May I carry over 12 days of leave?
  checks: ["icontains: five days", "rubric: It is polite."]
- query: Who was on call?
  facts: Ada
"""
_BLOCK = re.compile(r"^(```console\n)(.*?)(^```$)", re.DOTALL | re.MULTILINE)


def run(*arguments: str) -> tuple[int, str]:
    """The exit status of a command, and what it prints."""
    printed = io.TextIOWrapper(io.BytesIO(), "utf-8")
    with redirect_stdout(printed):
        status = main(arguments)
    printed.seek(0)
    return status, printed.read()


def write_files(folder: Path) -> None:
    """The files that the page names."""
    chunks = (json.dumps({"text": chunk}) for chunk in SAMPLES[0].chunks)
    (folder / "chunks.jsonl").write_text("\n".join(chunks), "utf-8")
    (folder / "questions.yaml").write_text(QUESTIONS, "utf-8")
    (folder / "run.jsonl").write_bytes(gzip.decompress(RECORDING.read_bytes()))


def filled(page: str) -> str:
    """The page with what its commands print, in the current folder."""
    return _BLOCK.sub(lambda block: block[1] + _session(block[2]) + block[3], page)


def _session(block: str) -> str:
    shown, status = "", 0
    for line in block.splitlines():
        if line == "$ echo $?":
            shown += f"{line}\n{status}\n"
        elif line.startswith("$ synth "):
            status, printed = run(*shlex.split(line)[2:])
            shown += f"{line}\n{printed}"
    return shown


if __name__ == "__main__":
    with TemporaryDirectory() as folder, chdir(folder):
        write_files(Path(folder))
        text = filled(PAGE.read_text("utf-8"))
    PAGE.write_text(text, "utf-8")
