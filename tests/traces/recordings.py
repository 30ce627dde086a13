"""Recordings of applications, made in environments of their own: `make recordings`.

    python -m tests.traces.recordings        the table of what is found in them

A file has the packages that made it, the day, and the spans of each application by its name.
"""

import dataclasses
import json
import lzma
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from synth.errors import ImportedRunError
from synth.traces import IMPORTED, ImportedRun, fits, read
from synth.traces.containers import read_spans
from synth.traces.fitting import lost_templates
from synth.traces.imported_run import NOTES, OLDER_RULES
from synth.traces.spans import TraceSpan

FOLDER = Path(__file__).parent / "recordings"
_ROOT = Path(__file__).parents[2]


ENVIRONMENTS: dict[str, dict[str, Any]] = tomllib.loads(
    Path(__file__).with_name("environments.toml").read_text("utf-8")
)
CORES = [name for name in ENVIRONMENTS if name.startswith("llama-index-core")]


def make(name: str) -> None:
    """Write one file anew, by an environment of its own."""
    environment = ENVIRONMENTS[name]
    packages = environment["packages"]
    start = ["tests.traces.applications"]
    if framework := environment.get("framework"):
        start = ["tests.traces.frameworks.record", framework, *environment["instrumentors"]]
    with tempfile.TemporaryDirectory() as folder:
        python, spans = f"{folder}/bin/python", f"{folder}/spans.json"
        needed = ["opentelemetry-sdk", "pytest", "httpx<1", *packages]
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", folder], check=True)
        install = [*uv, "pip", "install", "--quiet", "--link-mode=copy", "--python", python]
        subprocess.run([*install, *needed], check=True)
        record = [python, "-W", "ignore", "-m", *start, spans]
        variables = {**os.environ, **environment.get("variables", {})}
        subprocess.run(record, check=True, cwd=_ROOT, env=variables)
        applications = json.loads(Path(spans).read_text("utf-8"))
    made = f"{datetime.now(UTC):%Y-%m-%d}"
    data = {"packages": packages, "made": made, "applications": applications}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path = FOLDER / f"{name}.json.xz"
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


@cache
def load(name: str) -> Mapping[str, Any]:
    return json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))


@cache
def runs_of(name: str) -> Sequence[tuple[str, ImportedRun]]:
    """The runs of a file, each with the name of its application."""
    runs: list[tuple[str, ImportedRun]] = []
    for application, spans in load(name)["applications"].items():
        with suppress(ImportedRunError):  # where there was no call
            runs += [(application, run) for run in read(json.dumps(spans))]
    return runs


NO_CLAIM = ("lost template", "unexplained", "no mode")
CALLS = "calls alone"
HEAD = "| recorded with | applications | found | verified | explained | no claim | calls alone |"
_ROOM = {
    "synthesizer with another padding": 450,
    "global prompt helper with another window": -500,
    "global limits of two kinds": -486,
    "tree summarize in 400 tokens": 400 - 50 - (3_900 - 256),
    "compact accumulate in 400 tokens": 400 - 50 - (3_900 - 256),
}
"""How much more room for chunks an application leaves than its trace says, in tokens."""

_OTHERS = {
    "chinese messages and a helper with a tokenizer of its own": "tokenizer o200k_base",
    "filtering whose replies cannot be read": "refine_template of about 70 tokens",
    "random runs": "refine_template of about 4 tokens",
}
"""What else an application sets, and its trace does not say."""


def reason(run: ImportedRun) -> str:
    """What is said of a run: that it is verified, or why not."""
    if run.mode == IMPORTED:
        return CALLS if NOTES["no synthesis"] in run.notes else "no mode"
    if run.verify().equal:
        return "verified"
    if lost_templates(run):
        return "lost template"
    found = fits(run)
    return ", ".join(found[0].changes) if len(found) == 1 else "unexplained"


def room_in(words: str) -> range:
    """The tokens more room for chunks that words say; none where they say something else."""
    if not (found := re.search(r"([\d,]+)(?: to ([\d,]+))? tokens (less|more) room", words)):
        return range(0)
    low, high = (int(each.replace(",", "")) for each in (found[1], found[2] or found[1]))
    return range(-high, 1 - low) if found[3] == "less" else range(low, high + 1)


def is_so(name: str, application: str, words: str) -> bool:
    """Whether each setting that is named is one that the application set."""
    *rules, setting = words.split(f"{OLDER_RULES}, ")
    if rules and (name not in CORES or name == CORES[0]):
        return False
    if room := room_in(setting):
        return _ROOM.get(application, 0) in room
    return _OTHERS.get(application, "nothing") in setting


@cache
def reasons_of(name: str) -> Sequence[tuple[str, str]]:
    """What is said of each run of a file, with the name of its application."""
    return [(application, reason(run)) for application, run in runs_of(name)]


def table_row(name: str) -> str:
    """What is found in a file, as a row of the table."""
    said = [words for _, words in reasons_of(name)]
    counts = Counter(said)
    silent = sum(counts[each] for each in NO_CLAIM)
    explained = len(said) - counts["verified"] - silent - counts[CALLS]
    numbers = (len(said) - counts[CALLS], counts["verified"], explained, silent, counts[CALLS])
    cells = [name, len(load(name)["applications"]), *numbers]
    return f"| {' | '.join(map(str, cells))} |"


def in_order(data: str) -> list[TraceSpan]:
    """The spans as they ended."""
    return sorted(read_spans(data)[0], key=lambda span: (span.end, -span.start))


def told(run: ImportedRun | None) -> dict[str, object]:
    """All that is compared of a run; templates by their messages."""
    assert run is not None
    fields = {
        each.name: getattr(run, each.name) for each in dataclasses.fields(run) if each.compare
    }
    messages = {name: template.message_templates for name, template in run.templates.items()}
    return {**fields, "templates": messages, "identity": run.identity}


def main() -> None:
    """Make the files that are named, or all, or print the table."""
    if sys.argv[1:2] == ["make"]:
        for name in sys.argv[2:] or ENVIRONMENTS:
            print(name)
            make(name)
        return
    print(HEAD, "|---" * HEAD.count(" |") + "|", *map(table_row, ENVIRONMENTS), sep="\n")
    named = [
        is_so(name, application, words)
        for name in ENVIRONMENTS
        for application, words in reasons_of(name)
        if words not in ("verified", CALLS, *NO_CLAIM)
    ]
    print(f"Reasons that are named: {len(named)}; that are not so: {named.count(False)}")


if __name__ == "__main__":
    main()
