"""Inputs that would hold a core or fill the memory, were it not for a bound; and their readers."""

import io
import json
from collections.abc import Callable
from dataclasses import dataclass

from pypdf import PdfWriter
from pypdf.generic import DictionaryObject, NameObject, StreamObject

from synth import SynthError
from synth.documents import MOST_MEGABYTES
from synth.quality import questions, read_questions
from synth.traces import read, size_limits
from tests.traces.hostile import calls_in_chain, lines
from ui.controls.own_text import readable_texts


@dataclass(frozen=True)
class Hostile:
    """An input, how it is made and read, and words of what the reader says of it."""

    name: str
    make: Callable[[], bytes]
    read: Callable[[bytes], str]
    outcome: str

    @property
    def size(self) -> int:
        return len(self.make())

    @property
    def is_ended(self) -> bool:
        """Whether nothing but its time bounds its reader."""
        return "took more than" in self.outcome


@dataclass(frozen=True)
class Upload:
    """Uploads a file of this name as chunks; `most` bytes pass the widget."""

    name: str
    most = MOST_MEGABYTES * 1_000_000

    def __call__(self, data: bytes) -> str:
        texts, problems = readable_texts([(self.name, data)])
        return problems[0] if problems else f"{len(texts):,} texts"


@dataclass(frozen=True)
class Questions:
    """Takes a file of this name as the set of questions; `most` bytes pass the widget."""

    name: str
    most = questions.MOST_BYTES

    def __call__(self, data: bytes) -> str:
        try:
            return f"{len(read_questions(self.name, data)):,} questions"
        except SynthError as problem:
            return str(problem)


@dataclass(frozen=True)
class Trace:
    """Opens a file of this name as a trace; `most` bytes pass the widget."""

    name: str
    most = size_limits.MOST_BYTES

    def __call__(self, data: bytes) -> str:
        try:
            runs = read(data)
        except SynthError as problem:
            return str(problem)
        return f"{sum(len(run.calls) for run in runs):,} calls"


def pdf_of_shared_stream(pages: int, operators: bytes) -> bytes:
    writer = PdfWriter()
    content = StreamObject()
    content.set_data(operators)
    shared = writer._add_object(content.flate_encode(9))
    font = {"/Type": "/Font", "/Subtype": "/Type1", "/BaseFont": "/Helvetica"}
    named = DictionaryObject({NameObject(key): NameObject(name) for key, name in font.items()})
    fonts = DictionaryObject({NameObject("/F1"): named})
    for _ in range(pages):
        page = writer.add_blank_page(300, 200)
        page[NameObject("/Contents")] = shared
        page[NameObject("/Resources")] = DictionaryObject({NameObject("/Font"): fonts})
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


def merge_bomb() -> bytes:
    """Ten levels, each of which merges the one before ten times."""
    levels = ["l0: &l0 {" + ", ".join(f"k{at}: v" for at in range(100)) + "}"]
    for at in range(1, 10):
        levels.append(f"l{at}: &l{at} {{<<: [{', '.join([f'*l{at - 1}'] * 10)}]}}")
    return "\n".join(levels).encode()


def _default_bomb() -> bytes:
    default = {"assert": [{"type": "contains", "value": "x" * 1_000}] * 50}
    return json.dumps({"defaultTest": default, "tests": [{"vars": {"a": "b"}}] * 900}).encode()


def _filled_bomb() -> bytes:
    value = {"type": "contains", "value": "{{a}}" * 50_000}
    return json.dumps([{"vars": {"query": "b", "a": "x" * 500_000}, "assert": [value]}]).encode()


HOSTILE = (
    Hostile('JSON lines of "a"', lambda: b'"a"\n' * 5_000_000, Upload("a.jsonl"), "2,000,000 is"),
    Hostile(
        "JSON of lists",
        lambda: b"[" + b"[]," * 6_000_000 + b"[]]",
        Upload("a.json"),
        "12,000,002 values, and 2,000,000 is the limit",
    ),
    Hostile(
        "text of 19 MB", lambda: b"a" * 19_000_000, Upload("a.txt"), "19.0 MB of text; at most 2"
    ),
    Hostile(
        "PDF of 200 pages that share 200 kB of text",
        lambda: pdf_of_shared_stream(200, b"BT /F1 12 Tf " + b"(word) Tj " * 20_000 + b"ET"),
        Upload("a.pdf"),
        "took more than",
    ),
    Hostile(
        "PDF of 3,000 pages",
        lambda: pdf_of_shared_stream(3_000, b"BT /F1 12 Tf (word) Tj ET"),
        Upload("a.pdf"),
        "holds 3,000 chunks; at most 2,000",
    ),
    Hostile(
        "PDF with 64 MB of operators",
        lambda: pdf_of_shared_stream(1, b"q Q " * 16_000_000),
        Upload("a.pdf"),
        "has no text",
    ),
    Hostile(
        "YAML that merges again and again",
        merge_bomb,
        Questions("a.yaml"),
        "more than 100,000 values",
    ),
    Hostile(
        "YAML list of lists",
        lambda: b"[" + b"[]," * 1_600_000 + b"]",
        Questions("a.yaml"),
        "more than 100,000 values",
    ),
    Hostile(
        "checks that all tests have in common",
        _default_bomb,
        Questions("a.json"),
        "written into each",
    ),
    Hostile(
        "a long variable, named many times",
        _filled_bomb,
        Questions("a.json"),
        "100,000 is the limit",
    ),
    Hostile(
        "a question with 300,000 checks",
        lambda: b'{"query": "a", "checks": ["is-json"' + b', "is-json"' * 300_000 + b"]}",
        Questions("a.jsonl"),
        "at most 100 items",
    ),
    Hostile(
        "trace of 2,000 calls in a chain of 90 spans",
        lambda: lines(calls_in_chain(2_000, 90)).encode(),
        Trace("a.jsonl"),
        "2,000 calls",
    ),
    Hostile(
        "trace of 3,300,000 empty resources",
        lambda: b'{"resourceSpans": [' + b"{}," * 3_300_000 + b"{}]}",
        Trace("a.json"),
        "and 1,000,000 is the limit",
    ),
)
