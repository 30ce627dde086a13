"""The model on this machine: who may ask it, and what it is called."""

from functools import lru_cache
from typing import TYPE_CHECKING

from synth.errors import SynthError
from synth.llms import on_this_machine
from synth.llms.on_this_machine import VARIABLE, model_file
from ui.session import browser

if TYPE_CHECKING:
    from synth.llms.counting_server import ServerTokenizer

KIND = "on_this_machine"
"""The model that a llama.cpp beside the app serves."""


def name() -> str:
    """Return what the model is called in sentences."""
    file = model_file()
    return "The model" if file is None else file.name


def label() -> str:
    """Return the model as one that is chosen: "SmolLM2, 135M, on this machine"."""
    file = model_file()
    return "A model on this machine" if file is None else f"{file.choice}, on this machine"


def why_not() -> str:
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


def tokenizer() -> "ServerTokenizer | None":
    """Return that of its server, started if none runs; None where it answers nobody here."""
    if why_not():
        return None
    try:
        server = on_this_machine.start_server()
    except SynthError:  # the model in the menu says why, and the page that it is an estimate
        return None
    return _counting(name(), server.api_key, server.base_url)


@lru_cache(maxsize=1)
def _counting(model: str, api_key: str, base_url: str) -> "ServerTokenizer | None":
    """That of this server; None if it can't count, which is asked once."""
    from synth.llms.counting_server import server_tokenizer  # noqa: PLC0415  httpx2 is slow

    try:
        return server_tokenizer(model, api_key, base_url, place=KIND)
    except SynthError:
        return None
