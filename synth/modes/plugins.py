"""Loads custom synthesizers from the modules that SYNTH_PLUGINS names.

    SYNTH_PLUGINS=my_module,another streamlit run server.py

Such a module registers its classes with `synth.register` when it is imported.
"""

import importlib
import os

from synth.errors import SynthError

VARIABLE = "SYNTH_PLUGINS"


def load() -> list[str]:
    """Import the modules and return their names; SynthError for one that can't be imported."""
    names = [name.strip() for name in os.environ.get(VARIABLE, "").split(",") if name.strip()]
    for name in names:
        try:
            importlib.import_module(name)
        except Exception as problem:
            raise SynthError(
                f"{VARIABLE} names {name!r}, which can't be imported"
                f" ({type(problem).__name__}: {problem}): put it on PYTHONPATH, or take it out."
            ) from problem
    return names
