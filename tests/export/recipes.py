"""Recipes whose runs are exported in tests, and the models that answered them."""

import json
from dataclasses import dataclass, replace

from synth.errors import SynthError
from synth.export.recipe import Recipe
from synth.llms import FunctionLLM
from synth.runs.trace import Trace
from tests.recipes import recipe_values

CHUNKS = (
    "The pool held 8 connections, not 80. " * 9,
    'It said "lookup: i/o timeout" and C:\\logs;\n\tthe cause was another. ' * 7,
    "连接池太小，车辆在暴雨中被淹。" * 12 + "\ud800 \u202e \0 '''",
    "A short one.",
    "  \n ",
    "The fix was a rollback at 10:38. " * 14,
)
CHAT = ("system", "Be brief, in {tone}.")


def recipe(mode="compact", behaviour="llama_index", **changed):
    """A recipe with chunks that are hard to write down, in a window that cuts them."""
    values = recipe_values(mode) | {
        "behaviour": behaviour,
        "query_str": 'What was the pool\'s size?\nAnd "why"?',
        "text_chunks": CHUNKS,
        "context_window": 900,
    }
    return Recipe(mode=mode, **values | changed)


def chats(made):
    """The recipe with a system message before each template, which holds a custom variable."""
    templates = tuple((name, (CHAT, *messages)) for name, messages in made.templates)
    return replace(made, templates=templates, variables=(("tone", "a {query_str} tone"),))


def reply(prompt):
    """An answer that depends on every character of the prompt; now and then an empty one."""
    total = sum(map(ord, prompt)) % 9_973
    return "" if total % 7 == 0 else f"{len(prompt)} characters, {total} their sum.\n" * (total % 3)


def verdict(prompt):
    """A reply to a call of structured answer filtering; now and then one that is no object."""
    total = sum(map(ord, prompt))
    reply = {"query_satisfied": bool(total % 2), "answer": str(total)}
    return json.dumps(reply) if total % 5 else "none"


def recorded(made, fn=None):
    """The recipe, and a run of it with this model; what it had done, where it ends early."""
    llm = FunctionLLM(fn or (verdict if made.structured_answer_filtering else reply))
    synthesizer = made.synthesizer(llm, max_concurrency=1)
    try:
        trace = synthesizer.run(made.query_str, made.text_chunks, **dict(made.variables))
    except SynthError as problem:
        trace = problem.trace
    assert isinstance(trace, Trace)
    return made, trace


@dataclass
class Interrupted:
    """A model that is out of order from one of its calls on."""

    at: int
    calls: int = 0

    def __call__(self, prompt):
        self.calls += 1
        if self.calls >= self.at:
            raise SynthError("It is out of order.")
        return reply(prompt)
