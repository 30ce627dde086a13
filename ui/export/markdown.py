"""The summary of a run or a comparison in Markdown, to paste into an issue.

Texts of others stand in fences and code spans, so they are shown as they are: they make no link,
mention nobody and close nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from synth.runs.trace import Trace
from synth.text.wording import Bold, visible
from synth.words.call_words import call_facts, ending, without_servers_words
from synth.words.count_words import alarm_head
from synth.words.sentences import reads
from ui.export.reported import Compared, ReportedRun
from ui.look.elements import Frame

_TICKS = re.compile("`+")
_MARKS = re.compile(r"([\\`*_{}\[\]<>|~&$]|:(?=/)|(?<=www)\.)")


def run_markdown(run: ReportedRun) -> str:
    """The question, what the run made, its answer, findings, settings and calls."""
    return _document(_run(run), run.versions)


def comparison_markdown(compared: Compared) -> str:
    """The question, the findings, the measures, the answers, and the settings that differ."""
    return _document(_comparison(compared), compared.runs[0][1].versions)


def _document(blocks: Iterable[str], versions: str) -> str:
    return "\n\n".join((*filter(None, blocks), f"_{versions}_")) + "\n"


def _run(run: ReportedRun) -> Iterator[str]:
    yield "### Question"
    yield _fence(run.request.query_str)
    yield _sentence([Bold(alarm_head(run.trace))] if run.trace.counts.cut else [])
    yield _sentence(run.headline)
    yield ending(run.trace)
    if run.trace.response is not None:
        yield "### Answer"
        yield _fence(run.trace.response)
    yield "\n".join(f"- {_sentence(parts)}" for parts in run.findings)
    yield "### Settings"
    yield _table(("setting", "value"), [(name, (_code(value),)) for name, value in run.settings])
    if run.trace.calls:
        yield "### Calls"
        rows = []
        for call in run.trace.calls:
            tokens = ", ".join(call_facts(call, run.timed, run.edited))
            rows.append((f"{call.number}", (_code(call.template), reads(call), tokens)))
        yield _table(("call", "template", "reads", "tokens"), rows)


def _comparison(compared: Compared) -> Iterator[str]:
    names = [name for name, _ in compared.runs]
    yield "### Question"
    yield _fence(compared.question)
    yield _sentence(compared.findings)
    yield "\n".join(f"- {_code(name)}: {_code(reason)}" for name, reason in compared.without)
    yield _table(("measure", *map(_plain, names)), compared.measures)
    for text, given_by in compared.answers:
        yield f"### Answer of {' and '.join(map(_code, given_by))}"
        yield _fence(text)
    if rows := compared.settings:
        yield "### Settings that differ"
        cells = [(name, [_code(value) for value in values]) for name, values in rows]
        yield _table(("setting", *map(_plain, names)), cells)


def _sentence(parts: Sequence[str]) -> str:
    return "".join(
        f"**{_plain(part)}**" if isinstance(part, Bold) else _plain(part) for part in parts
    )


def _plain(text: str) -> str:
    """Text in which nothing is Markdown, a mention, or the number of an issue."""
    marks = _MARKS.sub(r"\\\1", " ".join(visible(text).split("\n")))
    return re.sub("([@#])", "\\1\u2060", marks)


def _code(text: str) -> str:
    """A code span, whose ticks are more than any in the text; on one line, and safe in a table."""
    line = " ".join(visible(text).split()) or " "
    ticks = "`" * (max(map(len, _TICKS.findall(line)), default=0) + 1)
    pad = " " if line.startswith("`") or line.endswith("`") else ""
    return f"{ticks}{pad}{line}{pad}{ticks}".replace("|", "\\|")


def _fence(text: str) -> str:
    """A block of code, whose fence is longer than any in the text."""
    ticks = "`" * max(3, max(map(len, _TICKS.findall(text)), default=0) + 1)
    return f"{ticks}text\n{visible(text)}\n{ticks}"


def _table(head: Sequence[str], rows: Iterable[tuple[str, Sequence[str]]]) -> str:
    """A table whose cells are Markdown already; the first cell of each row is a name."""
    lines = [" | ".join((_plain(name), *cells)) for name, cells in rows]
    top = [" | ".join(head), " | ".join("---" for _ in head)]
    return "\n".join(f"| {line} |" for line in (*top, *lines))


def calls_table(trace: Trace) -> Frame:
    """One row for each call, with the names of the library; not what a server said of a failure."""
    return without_servers_words(trace).to_frame()


def compared_calls(compared: Compared) -> Frame:
    """The same of several runs, of which one made calls at least; the run's name comes first."""
    import pandas as pd  # noqa: PLC0415  slow to import

    frames = {name: calls_table(run.trace) for name, run in compared.runs if run.trace.calls}
    return pd.concat(frames, names=["run"]).reset_index("run")
