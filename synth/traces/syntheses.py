"""The syntheses of a trace whose spans came one by one, as an application sent them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from synth.traces.calls import read_values
from synth.traces.imported_run import IMPORTED, ImportedRun
from synth.traces.reading import read_runs
from synth.traces.spans import SpanTree, TraceSpan

_OUTERMOST = "synthesize"
_QUESTION = "query_str"
_INCOMPLETE = "Spans of this synthesis have not come, so no mode is claimed: what came is shown."


class Synthesis(NamedTuple):
    """A synthesis, and the name of the application; `incomplete` where spans of it are missing."""

    run: ImportedRun
    service: str
    incomplete: bool = False


def find_syntheses(spans: Sequence[TraceSpan], *, silent: bool) -> list[Synthesis]:
    """Read the syntheses of one trace, in the order in which they began.

    One that lacks spans is left out until the trace is `silent`; then nothing is claimed of it.
    """
    if not spans:
        return []
    tree = SpanTree(spans)
    roots, found = tree.syntheses(), []
    if not roots:
        return [*_calls_alone(tree)] if silent else []
    for root, run in zip(roots, read_runs(tree), strict=True):
        if not _lacks_spans(tree, root):
            found.append(Synthesis(run, root.service))
        elif silent:
            found.append(_incomplete(run, root.service))
    return found


def _incomplete(run: ImportedRun, service: str) -> Synthesis:
    return Synthesis(replace(run, mode=IMPORTED, notes=(*run.notes, _INCOMPLETE)), service, True)


def _lacks_spans(tree: SpanTree, root: TraceSpan) -> bool:
    orphans = [span for span in tree.roots if span.parent_id is not None]
    if root in orphans and not root.name.endswith(_OUTERMOST):
        return True
    return any(
        root.start <= orphan.start and orphan.end <= root.end
        for orphan in orphans
        if not orphan.name.endswith(_OUTERMOST)
    )


def _calls_alone(tree: SpanTree) -> Iterator[Synthesis]:
    questions = (read_values(span).get(_QUESTION) for span in tree.spans)
    if (question := next(filter(None, questions), None)) is not None:
        for run in read_runs(tree):
            yield _incomplete(replace(run, query=question), tree.spans[0].service)
