"""The way of a fact through the calls of a run: what is marked, and where it was lost."""

from synth.pictures.placement import Mark
from synth.quality import FactPath

_VERBS = {
    "lost here": "lost by",
    "cut by the server here": "cut by the server before",
}  # else it was lost after the call


def fact_mark(path: FactPath) -> Mark | None:
    """Find what of the picture is lit for a fact: its way to its end; None without a way."""
    end, sign = _end(path)
    calls = frozenset({*path.sent, *path.answers, *([] if end is None else [end])})
    if not (calls or path.chunks):
        return None
    return Mark(path.fact.text, frozenset(path.chunks), calls, end, sign)


def _end(path: FactPath) -> tuple[int | None, str]:
    """Find the call where the fact was lost, and its sign; a cut is at the answer before."""
    if path.stage == "answered" or path.why == "unfinished":
        return None, ""
    if path.stage == "not_sent":
        return None, "no room left" if path.why == "cut" else "not sent"
    if path.why == "server":
        return path.call, "cut by the server here"
    if path.why == "cut":
        return path.evidence[0].number, "cut off here"
    return path.call, "not used" if path.why == "unused" else "lost here"


def source_words(path: FactPath) -> str:
    """Say what became of a fact of a chunk, to end its row; "" where no call lost it."""
    mark = fact_mark(path)
    if mark is None or mark.end is None:
        return ""
    return f"{_VERBS.get(mark.sign, 'lost after')} call {mark.end}"
