"""The sum that all lessons rest on: the room for chunks in one call."""

from __future__ import annotations

from dataclasses import dataclass

from synth.prompt_helper import PADDING
from synth.tokens import Tokenizer, get_tokenizer
from ui.lessons.lesson import Line
from ui.request import Request

Block = tuple[Line, ...]


@dataclass(frozen=True)
class Room:
    """How the room for chunks in one call is found, in tokens; `name` is the template's."""

    name: str
    template: int
    query: int
    variables: tuple[tuple[str, int], ...]
    padding: int
    room: int
    larger: bool


def tokenizer_of(request: Request) -> Tokenizer:
    """The tokenizer that counts for a request."""
    return get_tokenizer(request.encoding)


def room_of(request: Request) -> Room:
    """The room that the packer has; BudgetError where there is too little of it."""
    synthesizer = request.synthesizer()
    packer, count = synthesizer.packer, tokenizer_of(request).count
    values = {"query_str": request.query, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values) for name in synthesizer.templates]
    refines = len(filled) == 2
    tightest = packer.tighter(*filled) if refines else filled[0]
    padding = packer.padding if refines else PADDING
    documented = request.behaviour == "documented"
    if documented:
        room = packer.room(tightest, padding)
    else:
        room = packer.helper.chunk_size(tightest.measured, padding=padding)
    query = count(request.query)
    # What LlamaIndex packs with has the custom variables empty.
    variables = tuple((name, count(text)) for name, text in request.variables if documented)
    used = request.window - request.num_output - padding - room
    template = used - query - sum(tokens for _, tokens in variables)
    return Room(tightest.name, template, query, variables, padding, room, refines)


def room_block(request: Request) -> Block:
    """Window, minus all that is no chunk, as on paper."""
    room = room_of(request)
    larger = ", the larger of the two" if room.larger else ""
    purpose = "kept free for the answer so far" if room.larger else "a small reserve"
    return (
        Line("", "context window", request.window),
        Line("−", f"{room.name}{larger}", room.template),
        Line("−", "question", room.query),
        *(Line("−", f"{name}, your variable", tokens) for name, tokens in room.variables),
        Line("−", "num_output, kept for the new answer", request.num_output),
        Line("−", f"padding, {purpose}", room.padding),
        Line("=", "room for chunks in one call", room.room),
    )
