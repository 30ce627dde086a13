"""The sum that all lessons rest on: the room for chunks in one call."""

from __future__ import annotations

from dataclasses import dataclass

from synth.prompt_helper import PADDING
from ui.lessons.lesson import Line
from ui.request.request import Request

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


def room_of(request: Request) -> Room:
    """The room that the packer has; BudgetError where there is too little of it."""
    synthesizer = request.synthesizer()
    count = synthesizer.prompt_helper.tokenizer.count
    packer, names = synthesizer.packer, synthesizer.templates
    values = {"query_str": request.query, **dict(request.variables)}
    filled = [synthesizer.filled(name, **values).partial(existing_answer="") for name in names]
    refines = len(filled) > 1
    tightest = packer.tighter(*filled) if refines else filled[0]
    padding = packer.padding if refines else PADDING
    variables = request.variables
    if request.behaviour == "documented":
        room = packer.room(tightest, padding)
    else:
        room = packer.helper.chunk_size(tightest.measured, padding=padding)
        variables = ()  # they cost nothing there when it packs
    query, own = count(request.query), tuple((name, count(text)) for name, text in variables)
    others = query + sum(tokens for _, tokens in own)
    template = request.window - request.num_output - padding - room - others
    return Room(tightest.name, template, query, own, padding, room, refines)


def room_block(request: Request) -> Block:
    """Window, minus all that is no chunk, as on paper."""
    room = room_of(request)
    larger = ", the larger of the two" if room.larger else ""
    purpose = "kept free for the answer so far" if room.larger else "a small reserve"
    taken = (
        (f"{room.name}{larger}", room.template),
        ("question", room.query),
        *((f"{name}, your variable", tokens) for name, tokens in room.variables),
        ("num_output, kept for the new answer", request.num_output),
        (f"padding, {purpose}", room.padding),
    )
    return (
        Line("", "context window", request.window),
        *(Line("−", label, tokens) for label, tokens in taken if tokens),
        Line("=", "room for chunks in one call", room.room),
    )
