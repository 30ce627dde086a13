"""Recordings of applications, made in environments of their own: `make recordings`.

    python -m tests.traces.recordings        the table of what is found in them

A file has the packages that made it, the day, and the spans of each application by its name.
"""

import dataclasses
import json
import lzma
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Any

from synth.traces import IMPORTED, ImportedRun, fits, read
from synth.traces.containers import read_spans
from synth.traces.fitting import lost_templates
from synth.traces.notes import NOTES
from synth.traces.spans import TraceSpan

FOLDER = Path(__file__).parent / "recordings"
_ROOT = Path(__file__).parents[2]
_LLAMA_INDEX = {"0.14.25": "4.6.1", "0.14.21": "4.6.1", "0.13.6": "4.3.10", "0.12.52": "4.3.0"}
_LLAMA_INDEX |= {"0.11.23": "3.0.4"}  # by each version the instrumentation of its time
ENVIRONMENTS: dict[str, tuple[str, list[str]]] = {
    f"llama-index-core-{core}": (
        "applications",
        [f"llama-index-core=={core}", f"openinference-instrumentation-llama-index=={spans}"],
    )
    for core, spans in _LLAMA_INDEX.items()
}
"""The module that records, and the packages that it needs, by the name of the file."""


def make(name: str) -> None:
    """Write one file anew, by an environment of its own."""
    module, packages = ENVIRONMENTS[name]
    with tempfile.TemporaryDirectory() as folder:
        python, spans = f"{folder}/bin/python", f"{folder}/spans.json"
        needed = ["opentelemetry-sdk", "pytest", "httpx<1", *packages]
        uv = [sys.executable, "-m", "uv"]
        subprocess.run([*uv, "venv", "--quiet", folder], check=True)
        install = [*uv, "pip", "install", "--quiet", "--link-mode=copy", "--python", python]
        subprocess.run([*install, *needed], check=True)
        record = [python, "-W", "ignore", "-m", f"tests.traces.{module}", spans]
        subprocess.run(record, check=True, cwd=_ROOT)
        applications = json.loads(Path(spans).read_text("utf-8"))
    made = f"{datetime.now(UTC):%Y-%m-%d}"
    data = {"packages": packages, "made": made, "applications": applications}
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    path = FOLDER / f"{name}.json.xz"
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))


@cache
def load(name: str) -> Mapping[str, Any]:
    return json.loads(lzma.decompress((FOLDER / f"{name}.json.xz").read_bytes()))


def runs_of(name: str) -> Iterator[tuple[str, ImportedRun]]:
    """The syntheses of a file, each with the name of its application."""
    for application, spans in load(name)["applications"].items():
        for run in read(json.dumps(spans)) if spans else []:
            if NOTES["no synthesis"] not in run.notes:
                yield application, run


NO_CLAIM = ("lost template", "unexplained", "no mode")


def reason(run: ImportedRun) -> str:
    """What is said of a run: that it is verified, or why not."""
    if run.mode == IMPORTED:
        return "no mode"
    if run.verify().equal:
        return "verified"
    if lost_templates(run):
        return "lost template"
    reasons = [", ".join(fit.changes) for fit in fits(run) if fit.is_likely]
    return " or ".join(reasons) or "unexplained"


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
    print("| recorded with | found | verified | explained | no claim |\n|---|---|---|---|---|")
    for name in ENVIRONMENTS:
        said = [reason(run) for _, run in runs_of(name)]
        verified, silent = said.count("verified"), sum(each in NO_CLAIM for each in said)
        explained = len(said) - verified - silent
        print(f"| {name} | {len(said)} | {verified} | {explained} | {silent} |")


if __name__ == "__main__":
    main()
