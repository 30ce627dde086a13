"""Programs that run with llama-index-core alone: a script that makes a run again, and a contract.

A program is a text in `code/`, with the data of a recipe in it as constants. A contract is a pytest
file that holds what is true of a recipe. A clause is in it where it holds now: what
llama-index-core 0.14.25 does is our `llama_index` behaviour.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib import resources
from itertools import count
from math import isfinite
from pprint import pformat
from typing import Any

from synth import __version__
from synth.errors import SynthError
from synth.export.recipe import Recipe
from synth.lazy import defer
from synth.llms import FunctionLLM
from synth.modes.base import PLANNED_CALLS
from synth.modes.registry import RELEASES, ResponseMode
from synth.runs.calls import Log
from synth.runs.events import Cap
from synth.runs.trace import Trace
from synth.text import encodings
from synth.text.model_tokenizers import GUESS, get_tokenizer


def llama_index_script(recipe: Recipe, trace: Trace) -> str:
    """Write a script that runs the recipe with llama-index-core and compares the prompts."""
    calls = [
        {
            "template": call.template,
            "prompt": call.prompt.text,
            "answer": call.answer,
            "satisfied": call.satisfied,
        }
        for call in trace.calls
    ]
    data = {
        "CALLS": calls,
        "WHOLE": trace.response is not None,
        "MUST_BE_EQUAL": recipe.behaviour in RELEASES,
    }
    return llama_index_program(recipe, data, "script_head", "with_llama_index", "script")


def llama_index_program(recipe: Recipe, data: dict[str, Any], *parts: str) -> str:
    """Write a program for llama-index-core of these parts; SynthError for a mode of our own."""
    if recipe.mode not in set(ResponseMode):
        raise SynthError(
            f"{recipe.mode} is a mode of your own, which LlamaIndex does not have: take the run as"
            " JSON instead."
        )
    folder = resources.files("synth.export") / "code"
    code = "".join((folder / f"{part}.txt").read_text("utf-8") for part in parts)
    constants = _constants(recipe) | data
    # What can't be seen in a text, such as half a character, is escaped.
    literals = {name: pformat(data, width=96, sort_dicts=False) for name, data in constants.items()}
    lines = "\n".join(f"{name} = {literal}" for name, literal in literals.items())
    release = RELEASES.get(recipe.behaviour, RELEASES["llama_index"])
    return code.replace("<release>", release).replace("# <data>", lines, 1)


def _constants(recipe: Recipe) -> dict[str, Any]:
    encoding = get_tokenizer(recipe.tokenizer).text_only.name
    return {
        "MODE": str(recipe.mode),
        "QUERY": recipe.query_str,
        "CHUNKS": list(recipe.text_chunks),
        "CONTEXT_WINDOW": recipe.context_window,
        "NUM_OUTPUT": recipe.most_output,
        "CHUNK_OVERLAP_RATIO": recipe.chunk_overlap_ratio,
        "CHUNK_SIZE_LIMIT": recipe.chunk_size_limit,
        "PADDING": recipe.response_padding_size,
        # Where the program runs, there is only tiktoken.
        "ENCODING": encoding if encoding in encodings.RECIPES else GUESS,
        "COUNT_FACTOR": recipe.count_factor,
        "FILTERING": recipe.structured_answer_filtering,
        "TEMPLATES": {name: list(messages) for name, messages in recipe.templates},
        "VARIABLES": dict(recipe.variables),
        "MEASURED": dict(recipe.measured),
    }


Reply = Callable[[int], tuple[str, bool]]
"""The answer to a call of this number, and whether the chunk helped."""

_OTHER_ANSWER = ("", True)  # to calls that were not recorded


@dataclass(frozen=True)
class Contract:
    """What can be held of a recipe, given recorded answers; SynthError where it is refused."""

    recipe: Recipe
    log: Log

    @property
    def answers(self) -> list[tuple[str, bool]]:
        """Return the recorded answers, up to one that is missing, and whether each chunk helped."""
        found: list[tuple[str, bool]] = []
        while (logged := self.log.get(len(found) + 1)) is not None:
            found.append((logged.answer, logged.satisfied))
        return found

    @defer
    def prompts(self) -> tuple[str, ...]:
        """Return the prompts that llama-index-core sends if it gets the recorded answers."""
        return tuple(call.prompt.text for call in self._recorded.calls)

    @defer
    def size(self) -> tuple[int, int] | None:
        """Bound the calls and prompt tokens, whatever the answers say; None without a bound."""
        recipe = self._upstream
        bounds = recipe.synthesizer().bounds(
            recipe.query_str, recipe.text_chunks, **dict(recipe.variables)
        )
        calls, tokens = bounds.calls.high, bounds.prompt_tokens.high
        return (int(calls), int(tokens)) if isfinite(calls + tokens) else None

    @defer
    def whole(self) -> bool:
        """Return whether no text of a chunk is lost, with each kind of answers that is tried."""
        return bool(self._tried) and not any(trace.lost_tokens for trace in self._tried)

    def text(self) -> str:
        """Return the pytest file of all that holds; SynthError where the recipe is refused."""
        data: dict[str, Any] = {"ANSWERS": self.answers, "OTHER_ANSWER": _OTHER_ANSWER}
        parts = ["contract_head", "with_llama_index", "contract", "clause_prompts"]
        data["PROMPTS"] = list(self.prompts)
        if self.size is not None:
            parts.append("clause_size")
            data["MOST_CALLS"], data["MOST_PROMPT_TOKENS"] = self.size
        if self.whole:
            parts.append("clause_whole")
        program = llama_index_program(self._upstream, data, *parts)
        return program.replace("<version>", __version__, 1)

    @defer
    def _upstream(self) -> Recipe:
        return replace(self.recipe, behaviour="llama_index")

    @defer
    def _recorded(self) -> Trace:
        answers = self.answers
        return self._run(
            lambda number: answers[number - 1] if number <= len(answers) else _OTHER_ANSWER
        )

    @defer
    def _tried(self) -> tuple[Trace, ...]:
        longest = " word" * self.recipe.num_output
        replies: tuple[Reply, ...] = (
            lambda number: ("", not self.recipe.structured_answer_filtering),
            lambda number: ("A word.", True),
            lambda number: (longest, True),
            lambda number: (longest if number % 2 else "", True),
        )
        try:
            return (self._recorded, *map(self._run, replies))
        except SynthError:
            return ()

    def _run(self, reply: Reply) -> Trace:
        numbers = count(1)

        def answer(prompt: str) -> str:
            text, helps = reply(next(numbers))
            if self.recipe.structured_answer_filtering:
                return json.dumps({"query_satisfied": helps, "answer": text})
            if not helps:
                raise ValueError("It failed in the recorded run too.")
            return text

        recipe = self._upstream
        options: dict[str, Any] = {"max_concurrency": 1, "cap": Cap(calls=PLANNED_CALLS)}
        synthesizer = recipe.synthesizer(FunctionLLM(answer), **options)
        values: dict[str, Any] = dict(recipe.variables)
        return synthesizer.run(recipe.query_str, recipe.text_chunks, **values)
