"""The sentence about a step."""

from __future__ import annotations

from collections.abc import Sequence

from synth.pictures.walk import ChunkPiece, Step
from synth.text.wording import Bold, counted, listed, numbered


def step_sentence(step: Step) -> list[str]:
    """The sentence of a step, for `sentence_html`."""
    outcome = {"chain": _refined, "list": _grown, "levels": _level}[step.shape](step)
    return [Bold(f"Step {step.number:,} of {step.total:,}"), f": {outcome}."]


def _refined(step: Step) -> str:
    diff = step.diff
    if trouble := _trouble(step):
        stays = step.before and not (diff.dropped or diff.added)
        outcome = trouble + (", so the answer stays as it was" if stays else "")
    elif not step.before:
        outcome = f"the first answer has {counted(diff.added, 'word')}"
    elif diff.added or diff.dropped:
        kept_words = counted(diff.kept, "word")
        outcome = f"{kept_words} kept, {diff.added:,} added, {diff.dropped:,} dropped"
    else:
        outcome = "the answer stays as it was"
    return f"{_goes_in(step.pieces)}; {outcome}"


def _trouble(step: Step) -> str:
    """The reason why there is no usable new answer; "" if there is one."""
    if step.failed:
        return "the call failed"
    if step.filtered:
        return "the model said that this does not answer the question"
    if step.lost == "empty":
        return "the reply was empty"
    if step.lost == "refers":
        return "the answer was lost: the reply only refers to it"
    if step.lost == "shorter":
        left, before = step.diff.kept + step.diff.added, step.diff.kept + step.diff.dropped
        return f"most of the answer was lost: {counted(before, 'word')} became {left:,}"
    return ""


def _grown(step: Step) -> str:
    outcome = f"the list has {counted(len(step.after), 'answer')}"
    return f"{_goes_in(step.pieces)}; {'the call failed' if step.failed else outcome}"


def _level(step: Step) -> str:
    calls, level = len(step.calls), step.calls[0].depth
    read = [counted(len(step.before), "answer")] if step.before else []
    read += [_names(step.pieces)] if step.pieces else []
    failed = f"; {step.failed:,} of them failed" if step.failed else ""
    reads = "reads" if calls == 1 else "read"
    return f"{counted(calls, 'call')} at level {level} {reads} {listed(read)}{failed}"


def _goes_in(pieces: Sequence[ChunkPiece]) -> str:
    if not pieces:
        return "no chunk goes in"
    if len(pieces) == 1 and pieces[0].part:
        return f"{pieces[0].label}, goes in"
    several = len({piece.chunk for piece in pieces}) > 1
    return f"{_names(pieces)} {'go' if several else 'goes'} in"


def _names(pieces: Sequence[ChunkPiece]) -> str:
    """The chunks of these pieces, or the one piece, in words."""
    if len(pieces) == 1:
        return pieces[0].label
    return numbered("chunk", list(dict.fromkeys(piece.chunk for piece in pieces)))
