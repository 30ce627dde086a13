"""Every reader of what others wrote: valid files for it, and what is done with what it reads."""

import base64
import json
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

from synth.documents import read_file
from synth.errors import SynthError
from synth.export.files import pack, trace_from_json, trace_to_json, unpack
from synth.llms.chat_completions import Reading, read_piece
from synth.llms.complaints import ErrorReply
from synth.modes.registry import MODES
from synth.prompts.templates import DEFAULTS
from synth.quality import Check, Question, read_facts, read_questions, write_questions
from synth.quality.checks import KINDS
from synth.traces import read
from synth.traces.imported_run import trace_of
from tests.quality.answered import answered
from tests.recipes import make_request
from tests.soak.damage import damaged
from tests.traces.files import FILES
from tests.ui.page import Page
from tests.ui.pdf_files import pdf
from ui.pages.runs.recordings import request_of
from ui.plans.plan_range import plan_range
from ui.session import keys
from ui.store import rows
from ui.store.rows import Run, RunInfo, packed, unpacked
from ui.workspaces import files, opening
from ui.workspaces.files import from_json

TESTS = Path(__file__).parents[1]
_CHUNKS = ("The pool was set to 8 instead of 80.", "Lunch was late. Ada ate at 14:15.")
_QUESTION = "What was the pool set to?"


@dataclass(frozen=True)
class Reader:
    """A reader: `use` reads a damaged file and does what the app does with it.

    It may raise `refuses` and nothing else. `share` is its share of the cases, against 1 of most.
    """

    name: str
    files: Callable[[], tuple[str, ...]]
    use: Callable[[str], object]
    refuses: tuple[type[Exception], ...] = (SynthError,)
    share: float = 1.0

    def try_one(self, seed: str) -> bool:
        """Whether the damaged file of this seed was read; False if it was refused in words."""
        dice = Random(f"{self.name} {seed}")
        file = damaged(dice, dice.choice(self.files()))
        try:
            self.use(file)
        except self.refuses as problem:
            if not str(problem).strip():
                raise AssertionError("It is refused without a word.") from problem
            return False
        return True


@cache
def _trace_files() -> tuple[str, ...]:
    return tuple(file for file in FILES.values() if isinstance(file, str))


def _use_trace(text: str) -> None:
    for run in read(text):
        assert (run.seconds >= 0, run.trace().call_count) == (True, len(run.calls))
        if run.mode in MODES and run.verify().equal:
            plan_range(request_of(run))
            trace_of(run)


@cache
def _run() -> Run:
    request = make_request("compact", _QUESTION, _CHUNKS, 1_000)
    trace = answered("It was 8.", _CHUNKS, "compact", 1_000)
    return Run(RunInfo(name="a", note="b"), request, trace)


@cache
def _run_files() -> tuple[str, ...]:
    return (rows.write_file(_run()),)


def _use_run(text: str) -> None:
    run = files.read(text)
    if isinstance(run, Run):
        rows.write_file(run)
        plan_range(run.request)


@cache
def _values() -> dict[str, Any]:
    columns = [
        ["A", {"mode": "refine", "context_window": 900}],
        ["B", {"temperature": 0.5}],
    ]
    return {
        "mode": "refine",
        "context_window": 2_000,
        "query_str": _QUESTION,
        "text_qa_template": DEFAULTS["text_qa_template"].template,
        "chunks": [{"text": text, "source": "a.txt"} for text in _CHUNKS],
        "variables.tone": "calm",
        keys.COLUMNS: columns,
        keys.FACTS: {_QUESTION: "* 8 | 8 instead of 80"},
        keys.QUESTION_SET: _question_files()[0],
        keys.QUESTIONS: "Why?\nWhen?",
        keys.GUESSES: [[["tree", 0, "calls"], 3]],
        keys.LESSONS_DONE: ["tree"],
    }


@cache
def _workspace_files() -> tuple[str, ...]:
    return (json.dumps({"kind": "workspace", "version": 1, "values": _values()}),)


def _use_workspace(text: str) -> None:
    opening.in_new_workspace(text)


class _Compare(Page):
    script = "pages/compare.py"


def _draw_workspace(text: str) -> None:
    """Draw each page that shows a workspace; a page that ends with an error fails the test."""
    space = opening.in_new_workspace(text)
    for page in (Page, _Compare):
        page(**{name: value for name, value in space.values.items() if name != "chunks"})


@cache
def _saved_values() -> tuple[str, ...]:
    return (json.dumps(_values()),)


def _use_saved_values(text: str) -> None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):
        return
    if isinstance(data, dict):
        from_json(data)


@cache
def _rows() -> tuple[str, ...]:
    return (base64.b64encode(packed(trace_to_json(_run().trace))).decode(),)


def _use_row(letters: str) -> None:
    body = base64.b64decode(letters.encode("utf-8", "replace") + b"===")
    trace_from_json(unpacked(body), _run().trace.setup)


@cache
def _link_files() -> tuple[str, ...]:
    return tuple(pack(file) for file in _workspace_files())


@cache
def _question_files() -> tuple[str, ...]:
    """A question with a check of each kind that reads the value 8."""
    checks = [Check("is-json"), Check("regex", r"\d+")]
    for name in KINDS:
        with suppress(SynthError):
            checks.append(Check(name, 8))
    facts = read_facts("* 8 | eight")
    question = Question(_QUESTION, {"tone": "calm"}, facts, tuple(checks))
    return (write_questions([question]),)


def _use_questions(ending: str) -> Callable[[str], None]:
    traces = [answered(text) for text in ("It was 8.", '{"a": 1}', "")]

    def use(text: str) -> None:
        for question in read_questions(f"a{ending}", text):
            for check in question.checks:
                for trace in traces:
                    check.outcome(trace)

    return use


@cache
def _promptfoo(ending: str) -> tuple[str, ...]:
    return ((TESTS / f"quality/promptfoo/tests{ending}").read_text("utf-8"),)


@cache
def _uploads(ending: str) -> tuple[str, ...]:
    documents = [
        {"page_content": _CHUNKS[0], "metadata": {"source": "a.pdf", "page": 1}, "id": "1"},
        {"node": {"text": _CHUNKS[1], "id_": "2", "metadata": {}}, "score": 0.5},
        [{"content": "one", "meta": {"file_path": "b"}}, 0.25],
        "two",
    ]
    return {
        ".txt": _CHUNKS,
        ".json": (json.dumps(documents), json.dumps({"docstore/data": {"1": documents[0]}})),
        ".jsonl": ("\n".join(map(json.dumps, documents)),),
        ".csv": ("text,source,score\n" + "\n".join(f'"{text}",a,0.5' for text in _CHUNKS),),
        ".pdf": (pdf(*_CHUNKS).decode("latin-1"),),
    }[ending]


def _upload(ending: str, share: float = 1.0) -> Reader:
    encoding = "latin-1" if ending == ".pdf" else "utf-8"
    return Reader(
        f"an uploaded {ending} file",
        lambda: _uploads(ending),
        lambda text: read_file(f"a{ending}", text.encode(encoding, "replace")),
        share=share,
    )


def _replies() -> tuple[str, ...]:
    message = {"role": "assistant", "content": "It was 8.", "refusal": None, "tool_calls": None}
    reply = {
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": {"prompt_tokens": 12, "completion_tokens": 4},
    }
    return json.dumps(reply), json.dumps({"error": {"message": "no", "code": 400}})


def _use_reply(text: str) -> None:
    try:
        data = json.loads(text)
    except (ValueError, RecursionError):  # which an exchange takes for a reply that is garbled
        return
    ErrorReply(data, 400).complaint.quote("")
    reading = Reading("a model", str)
    if piece := read_piece(data):
        reading.add(piece)
        reading.completion(())


READERS = (
    Reader("a trace", _trace_files, _use_trace, share=3.0),
    Reader("a file of a run", _run_files, _use_run),
    Reader("a file of a workspace", _workspace_files, _use_workspace),
    Reader("the same, drawn on the pages", _workspace_files, _draw_workspace, share=0.005),
    Reader("a workspace in a link", _link_files, lambda text: files.read(unpack(text))),
    Reader("values of a saved workspace", _saved_values, _use_saved_values),
    Reader("saved calls", _rows, _use_row, (SynthError, ValueError)),
    Reader("questions as JSON lines", _question_files, _use_questions(".jsonl")),
    Reader("questions as YAML", lambda: _promptfoo(".yaml"), _use_questions(".yaml"), share=0.5),
    Reader("questions as CSV", lambda: _promptfoo(".csv"), _use_questions(".csv")),
    *(_upload(ending) for ending in (".txt", ".csv", ".json", ".jsonl")),
    _upload(".pdf", share=0.2),
    Reader("facts", lambda: ("* 8 | eight\n◆ Ada", "one\ntwo | 2"), read_facts, (ValueError,)),
    Reader("a reply of a server", _replies, _use_reply, (SynthError,)),
)
