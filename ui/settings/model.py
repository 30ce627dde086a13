"""What follows from the settings of the model: its name, its price, the cap, recorded answers."""

from collections.abc import Iterable
from dataclasses import replace
from functools import lru_cache

from synth.errors import SynthError
from synth.llms import on_this_machine
from synth.llms.model_prices import list_price, model_facts
from synth.llms.on_this_machine import VARIABLE, model_file
from synth.prompts.prompt_helper import room_for_reasoning
from synth.runs.calls import Log
from synth.runs.prices import Price
from synth.text.encodings import RECIPES
from synth.text.model_tokenizers import (
    DEFAULT_ENCODING,
    ESTIMATE,
    GUESS,
    MODEL,
    SERVER,
    get_tokenizer,
    read_name,
)
from synth.text.tokenizer import Tokenizer, scale
from ui.session import browser, keys, workspace
from ui.settings.schema import ON_THIS_MACHINE, RECORDED, Pricing, Settings

TYPED = "typed"
"""Whose a price is that a person typed."""


def list_offered(kinds: Iterable[str], settings: Settings) -> list[str]:
    """Choose from kinds of models those that could answer here, and the one chosen now."""
    answers = {
        RECORDED.value: bool(find_recorded()),
        ON_THIS_MACHINE.value: not why_not_local(),
    }
    return [kind for kind in kinds if kind == settings.model or answers.get(kind, True)]


def name(settings: Settings) -> str:
    """Return the name of an endpoint's model."""
    return settings.model_name.strip()


def tokenizer(settings: Settings) -> str:
    """Return the spec of the tokenizer that counts for these settings.

    The encoding that a person chose is an estimate for a model that may have its own. That of a
    recorded model is no other model's.
    """
    if not settings.model_kind.has_server:
        return settings.tokenizer or DEFAULT_ENCODING
    chosen = "" if read_name(settings.tokenizer)[0] == MODEL else settings.tokenizer
    here = settings.model_kind == ON_THIS_MACHINE
    counts = _local_tokenizer() if here and not chosen else None
    if counts is not None:
        return counts.name
    if here or chosen or not name(settings):
        return f"{ESTIMATE} {chosen or GUESS}"
    return f"{MODEL} {name(settings)}"


def reasoning_output(settings: Settings) -> int:
    """Return the room for reasoning in tokens; where none is set, that of the effort asked for."""
    if not settings.model_kind.has_server:
        return 0
    if settings.reasoning_output is not None:
        return settings.reasoning_output
    return room_for_reasoning(settings.reasoning_effort, settings.num_output)


def counter(settings: Settings) -> Tokenizer:
    """Return what counts for these settings: their tokenizer, times the factor that was set."""
    return scale(get_tokenizer(tokenizer(settings)), settings.count_factor)


def asking_nobody(spec: str) -> str:
    """Put the estimate in the place of a server that counts.

    Somewhere else somebody may be connected to that server, and would lend their key.
    """
    return f"{ESTIMATE} {GUESS}" if read_name(spec)[0] == SERVER else spec


def tokenizer_setting(spec: str, kind: str) -> str:
    """Find the choice that gives this spec to a model of this kind; "" where its own may."""
    known, name = read_name(spec)
    if kind == RECORDED.value and known == MODEL:
        return spec
    if known == MODEL or (known == ESTIMATE and name == GUESS):
        return ""
    return name if name in RECIPES and spec != DEFAULT_ENCODING else ""


def priced_name(settings: Settings) -> str:
    """Return the name under which a price is kept for the model of these settings."""
    return settings.model if settings.model_kind.is_free else name(settings)


def pricing(settings: Settings) -> Pricing:
    """Return what a person chose as the price of the model."""
    return settings.prices.get(priced_name(settings), Pricing())


def price(settings: Settings) -> Price | None:
    """Return the price that a person typed, else the list price of the model that it costs as."""
    chosen, listed = pricing(settings), _listed(settings)
    if not chosen.typed:
        return listed
    output = listed.output if chosen.output is None and listed else chosen.output
    if output is None:
        return None
    if chosen.prompt is not None:
        return Price(chosen.prompt, output)
    return listed and replace(listed, output=output)


def priced_as(settings: Settings) -> str:
    """Whose price it is, where it need not be that of the model: another name, or TYPED."""
    if price(settings) is None:
        return ""
    if pricing(settings).typed:
        return TYPED
    if like := pricing(settings).like:
        return like
    return name(settings) if settings.model_kind.is_free or settings.base_url else ""


def _listed(settings: Settings) -> Price | None:
    """The list price of the model it costs as, else of its own name, whatever host serves it."""
    if like := pricing(settings).like:
        return model_facts(like).price
    return None if settings.model_kind.is_free else list_price(name(settings), settings.base_url)


def answered_by(model: str) -> str:
    """Say who answers: the model of the trace, if known, and offline where it is silent."""
    return f"{model or 'a trace'}, else offline"


def find_recorded() -> Log:
    """Return the answers of the trace that was opened last, by the number of their call, if any."""
    return workspace.value(keys.RECORDED, {})


def local_name() -> str:
    """Return what the model is called in sentences."""
    file = model_file()
    return "The model" if file is None else file.name


def why_not_local() -> str:
    """Return why it answers nobody here, in words; "" if it does."""
    if not browser.is_own_machine():
        return (
            "The model on this machine answers only whoever started the app, in a browser of the"
            " same machine: choose another model."
        )
    if model_file() is None:
        return (
            "There is no language model on this machine: `make tiny` installs one, and"
            f" {VARIABLE} names another model file. Or choose another model."
        )
    return ""


def _local_tokenizer() -> Tokenizer | None:
    """Return that of its server, started if none runs; None where it answers nobody here."""
    if why_not_local():
        return None
    try:
        server = on_this_machine.start_server()
    except SynthError:  # the model in the menu says why, and the page that it is an estimate
        return None
    return _counting(local_name(), server.api_key, server.base_url)


@lru_cache(maxsize=1)
def _counting(model: str, api_key: str, base_url: str) -> Tokenizer | None:
    """That of this server; None if it can't count, which is asked once."""
    from synth.llms.counting_server import server_tokenizer  # noqa: PLC0415  httpx2 is slow

    try:
        return server_tokenizer(model, api_key, base_url, place=ON_THIS_MACHINE.value)
    except SynthError:
        return None
