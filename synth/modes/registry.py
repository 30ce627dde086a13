"""The one registry of modes, simplest first, and what makes a synthesizer by the name of a mode.

Custom modes are added to it, also from the modules that SYNTH_PLUGINS names:

    SYNTH_PLUGINS=my_module,another streamlit run server.py
"""

import importlib
import os
from collections.abc import Callable, Mapping
from difflib import get_close_matches
from enum import Enum, StrEnum
from functools import cache
from inspect import Parameter, signature
from typing import Literal, Unpack

from synth.errors import SynthError, describe
from synth.modes.accumulate import Accumulate, CompactAndAccumulate
from synth.modes.base import BaseSynthesizer, ModeFacts, facts_of
from synth.modes.inputs import Options
from synth.modes.llama_index import LLAMA_INDEX
from synth.modes.llama_index_older import OLDER_LLAMA_INDEX
from synth.modes.refine import CompactAndRefine, Refine
from synth.modes.single_call import ContextOnly, Generation, NoText, SimpleSummarize
from synth.modes.tree_summarize import TreeSummarize
from synth.prompts.prompt_helper import PromptHelper
from synth.runs.llm import LLM

MODES: dict[str, type[BaseSynthesizer]] = {
    synthesizer.mode: synthesizer
    for synthesizer in (
        Refine,
        CompactAndRefine,
        TreeSummarize,
        SimpleSummarize,
        Accumulate,
        CompactAndAccumulate,
        Generation,
        NoText,
        ContextOnly,
    )
}


def mode_class(mode: str) -> type[BaseSynthesizer]:
    """Return the class of a mode; BaseSynthesizer for one that is not registered here."""
    return MODES.get(mode, BaseSynthesizer)


def mode_facts(mode: str) -> ModeFacts:
    """Return the facts of a mode; the careful ones for an unknown name."""
    return facts_of(mode_class(mode))


def register(synthesizer: type[BaseSynthesizer]) -> type[BaseSynthesizer]:
    """Add a custom synthesizer under its `mode`; SynthError for a taken name or a wrong class."""
    if not (isinstance(synthesizer, type) and issubclass(synthesizer, BaseSynthesizer)):
        raise SynthError(
            f"{describe(synthesizer)} is not a subclass of BaseSynthesizer: register one."
        )
    mode, name = synthesizer.mode, synthesizer.__qualname__
    if not isinstance(mode, str) or mode in ("", BaseSynthesizer.mode):
        raise SynthError(f"{name} has the mode {mode!r}: give it a name of its own, as in 'vote'.")
    try:
        signature(synthesizer).bind(None, False)
    except TypeError as problem:
        raise SynthError(
            f"{name} can't be made of a model and whether it streams ({problem}): let its"
            " __init__ take llm and streaming, and hand them on."
        ) from None
    registered = MODES.get(mode, synthesizer)
    if _definition(registered) != _definition(synthesizer):
        where = f"{registered.__name__} of {registered.__module__}"
        raise SynthError(f"The mode {mode} exists already ({where}): choose another name.")
    MODES[mode] = synthesizer  # a reloaded module brings its class anew
    return synthesizer


def _definition(synthesizer: type[BaseSynthesizer]) -> tuple[str, str]:
    return synthesizer.__module__, synthesizer.__qualname__


Behaviour = Literal["documented", "llama_index", "llama_index_before_0.14.22"]
_KINDS: Mapping[str, Mapping[str, type[BaseSynthesizer]]] = {
    "documented": {},
    "llama_index": LLAMA_INDEX,
    "llama_index_before_0.14.22": OLDER_LLAMA_INDEX,
}
PLUGINS = "SYNTH_PLUGINS"
RELEASES: Mapping[Behaviour, str] = {
    "llama_index": "0.14.25",
    "llama_index_before_0.14.22": "0.14.21",
}
"""The version of llama-index-core to which each behaviour is held."""


def other_behaviour(behaviour: Behaviour) -> Behaviour:
    """Return the behaviour whose plan stands beside one of this behaviour."""
    return "llama_index" if behaviour == "documented" else "documented"


class ResponseMode(StrEnum):
    """The nine modes; registered ones are named by their string."""

    REFINE = "refine"
    COMPACT = "compact"
    TREE_SUMMARIZE = "tree_summarize"
    SIMPLE_SUMMARIZE = "simple_summarize"
    ACCUMULATE = "accumulate"
    COMPACT_ACCUMULATE = "compact_accumulate"
    GENERATION = "generation"
    NO_TEXT = "no_text"
    CONTEXT_ONLY = "context_only"


class FactoryOptions(Options, total=False):
    """The arguments of `get_response_synthesizer`."""

    response_mode: ResponseMode | str
    llm: LLM | None
    prompt_helper: PromptHelper | None
    behaviour: Behaviour
    streaming: bool


def get_response_synthesizer(
    response_mode: ResponseMode | str = ResponseMode.COMPACT,
    llm: LLM | None = None,
    prompt_helper: PromptHelper | None = None,
    behaviour: Behaviour = "documented",
    streaming: bool = False,
    **options: Unpack[Options],
) -> BaseSynthesizer:
    """Make a synthesizer for a mode; without a model, with the one in Settings.

    `behaviour` is what the documents promise, or what llama-index-core 0.14.25 does, or one before
    0.14.22; for the other options see `Options`. SynthError for what is unknown, with the nearest
    known name.
    """
    mode = response_mode.value if isinstance(response_mode, Enum) else response_mode
    if mode not in list(MODES):
        raise SynthError(f"There is no mode {mode!r}: {_hint(mode)}")
    if behaviour not in list(_KINDS):
        names = " or ".join(map(repr, _KINDS))
        raise SynthError(f"There is no behaviour {behaviour!r}: give {names}.")
    kind = _KINDS[behaviour].get(mode, MODES[mode])
    if _takes_options(kind):  # type: ignore[arg-type]  # mypy asks for the hash of an instance
        return kind(llm, streaming, prompt_helper=prompt_helper, **options)
    # A constructor as the documents print it takes no options, so they are set afterwards.
    synthesizer = kind(llm or options.get("service_context"), streaming)
    synthesizer.configure(prompt_helper, **options)
    return synthesizer


@cache
def _takes_options(kind: Callable[..., BaseSynthesizer]) -> bool:
    parameters = signature(kind).parameters.values()
    return any(each.kind is Parameter.VAR_KEYWORD for each in parameters)


def _hint(mode: object) -> str:
    if isinstance(mode, LLM):  # which LlamaIndex takes first
        return "give the model as llm=..., after the mode."
    nearest = get_close_matches(str(mode), MODES, 1)
    return f"do you mean {nearest[0]}?" if nearest else f"the modes are {', '.join(MODES)}."


def load_plugins() -> list[str]:
    """Import the modules of SYNTH_PLUGINS and return their names; SynthError where one can't be."""
    names = [name.strip() for name in os.environ.get(PLUGINS, "").split(",") if name.strip()]
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as problem:
            raise SynthError(
                f"{PLUGINS} names {name!r}, which can't be imported"
                f" ({type(problem).__name__}: {problem}): put it on PYTHONPATH, or take it out."
            ) from problem
    return names
