"""What a mode says of itself, so that nothing outside these modules must know it by name."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, ClassVar, Literal

Goal = Literal["detail", "summary", "per_chunk", "cheapest", "fastest"]
ResponseSource = Literal["last_answer", "all_answers", "chunks", "nothing", "other"]

_ABOUT_PACKING = ("chunk_separator", "count_whole_chunks")
_ABOUT_STEPS = ("bound", "response_source", "drops_excess", "may_never_end", *_ABOUT_PACKING)


class ModeFacts:
    """The base of BaseSynthesizer: class attributes with a careful value for a new mode.

    The adviser, the comparison of modes and the curves read them, and so custom modes have
    all three. A class that overrides `steps` or `pack` says anew what depends on them: it
    does not inherit these facts from the mode that it changes.
    """

    mode: ClassVar[str] = "custom"
    """The name under which it is registered."""
    summary: ClassVar[str] = "A custom synthesizer."
    """What it does, in one sentence that begins with its verb, for the list of modes."""
    templates: ClassVar[tuple[str, ...]] = ()
    """The names of the templates that it fills."""
    filters: ClassVar[bool] = False
    """Whether it reads `structured_answer_filtering`."""
    makes_objects: ClassVar[bool] = True
    """Whether `output_cls` makes its response one object."""
    needs_nodes: ClassVar[bool] = True
    """Whether no nodes give the empty response without a call."""

    goals: ClassVar[Mapping[Goal, int]] = MappingProxyType({})
    """The adviser's goals that it suits, each with its rank; 1 is the first choice.

    For the cheapest and the fastest mode the plans decide, and the rank only between equals.
    """
    approach: ClassVar[str] = ""
    """How it works, in one whole sentence for the adviser; the summary where it is empty."""
    response_source: ClassVar[ResponseSource] = "other"
    """What its response is: the last answer that says something, all answers in a list, the
    chunks, no text at all, or something else."""
    sends_chunks: ClassVar[bool] = True
    """Whether its prompts carry chunk text."""
    chunk_separator: ClassVar[str | None] = None
    """What joins the chunks that it packs all together; None where it packs each on its own.

    Chunks that are joined beforehand make the same calls, so they are joined once for all
    points of a curve.
    """
    drops_excess: ClassVar[bool] = False
    """Whether it never sends chunk text that does not fit its one call."""
    may_never_end: ClassVar[bool] = False
    """Whether long answers can keep it from ending."""

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for method, facts in (("steps", _ABOUT_STEPS), ("pack", _ABOUT_PACKING)):
            for fact in facts:
                nearest = next(kind for kind in cls.__mro__ if {method, fact} & vars(kind).keys())
                if fact not in vars(nearest):  # the fact is about the method that was replaced
                    first = [kind for kind in cls.__mro__ if fact in vars(kind)][-1]
                    setattr(cls, fact, vars(first)[fact])
