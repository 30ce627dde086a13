"""Runs for reports, made without a page, and a reader of the HTML that comes of them."""

from html.parser import HTMLParser
from typing import Any, cast

from synth.errors import SynthError
from synth.llms import LLM, ExtractiveLLM
from synth.runs.trace import Trace
from tests.recipes import make_request
from ui.plans.cost import dollars_for
from ui.settings.request import Request
from ui.store.rows import Run, RunInfo

CHUNKS = ("The pool was set to 8 instead of 80.", "Lunch was late. " * 12, "DNS was ruled out.")
QUESTION = "What was the pool set to?"


def request_of(mode: str = "compact", **changed: Any) -> Request:
    """A request of three chunks."""
    return make_request(
        mode, **{"query_str": QUESTION, "text_chunks": CHUNKS, "context_window": 400, **changed}
    )


def reported(mode: str = "compact", llm: LLM | None = None, **changed: Any) -> Run:
    """A run of such a request, which may fail."""
    request = request_of(mode, **changed)
    llm = llm or ExtractiveLLM(request.context_window, request.num_output, request.tokenizer)
    synthesizer = request.synthesizer(llm)
    variables: dict[str, Any] = dict(request.variables)
    try:
        trace = synthesizer.run(request.query_str, request.text_chunks, **variables)
    except SynthError as error:
        trace = cast(Trace, error.trace)
    return Run(RunInfo(dollars=dollars_for(request.model, trace.sent)), request, trace)


class Read(HTMLParser):
    """A page as it was read: its text, and its tags with their attributes."""

    def __init__(self, source: str) -> None:
        super().__init__()
        self.text, self.style = "", ""
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._styled = False
        self.feed(str(source))
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
