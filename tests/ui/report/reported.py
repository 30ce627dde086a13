"""Runs for reports, made without a page, and a reader of the HTML that comes of them."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import Any, cast

from synth.default_prompts import DEFAULTS
from synth.errors import SynthError
from synth.llms import LLM, ExtractiveLLM
from synth.response_synthesizers.registry import MODES
from synth.trace import Trace
from ui.report import ReportedRun
from ui.request.request import Model, Request

CHUNKS = ("The pool was set to 8 instead of 80.", "Lunch was late. " * 12, "DNS was ruled out.")
QUESTION = "What was the pool set to?"


def request_of(mode: str = "compact", **changed: Any) -> Request:
    """A request of three chunks; what is not named is the default of the pages."""
    chunks = changed.get("chunks", CHUNKS)
    templates = tuple(
        (name, (("user", DEFAULTS[name].template),)) for name in MODES[mode].templates
    )
    given: dict[str, Any] = {
        "behaviour": "documented",
        "query": QUESTION,
        "chunks": chunks,
        "positions": tuple(range(len(chunks))),
        "scores": (None,) * len(chunks),
        "window": 400,
        "num_output": 60,
        "overlap": 0.1,
        "chunk_limit": None,
        "padding": None,
        "encoding": "cl100k_base",
        "filtering": False,
        "templates": templates,
        "variables": (),
        "model": Model(),
    }
    return Request(mode=mode, **{**given, **changed})


def reported(mode: str = "compact", llm: LLM | None = None, **changed: Any) -> ReportedRun:
    """A run of such a request, which may fail."""
    request = request_of(mode, **changed)
    llm = llm or ExtractiveLLM(request.window, request.num_output, request.encoding)
    synthesizer = request.synthesizer(llm)
    variables: dict[str, Any] = dict(request.variables)
    bounds = synthesizer.bounds(request.query, request.chunks, **variables)
    try:
        trace = synthesizer.run(request.query, request.chunks, **variables)
    except SynthError as error:
        trace = cast(Trace, error.trace)
    return ReportedRun(request, trace, bounds)


class Read(HTMLParser):
    """A page as it was read: its text, and its tags with their attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.style = "", ""
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._styled = False
        self.feed(source)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self._styled = tag == "style"

    def handle_endtag(self, tag: str) -> None:
        self._styled = False

    def handle_data(self, data: str) -> None:
        if self._styled:
            self.style += data
        else:
            self.text += data

    @property
    def names(self) -> set[str]:
        """The names of all tags."""
        return {name for name, _ in self.tags}

    def of(self, style: str) -> list[dict[str, str | None]]:
        """The attributes of the tags that have this class."""
        return [attrs for _, attrs in self.tags if style in (attrs.get("class") or "").split()]
