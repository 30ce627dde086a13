"""The model on this machine: who may ask it, and what it is called."""

from synth.llms.on_this_machine import VARIABLE, model_file
from ui.session import browser

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
