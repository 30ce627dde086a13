"""`synth app`: the pages, for the browsers of this machine, or with `--class` of its network."""

import os
import socket
from argparse import Namespace
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import synth
from synth.errors import SynthError, extra, whole
from synth.terminal import FILES
from synth.terminal.streams import read_bytes
from synth.traces.size_limits import MOST_BYTES

_ADDRESS = "127.0.0.1"
_ELSEWHERE = "198.51.100.1"  # an address that nobody has; nothing is sent there
_PACKAGE = Path(synth.__file__).parent
_FOLDERS = (_PACKAGE / "playground", _PACKAGE.parent)  # of a wheel, of a checkout
_NEEDED = ("streamlit", "platformdirs", "plotly", "sqlalchemy")


def run(arguments: Namespace) -> int:
    """Serve the pages until the process is stopped; ModuleNotFoundError without the extra `app`."""
    with extra("app"):
        for name in _NEEDED:
            if find_spec(name) is None:
                raise ModuleNotFoundError(name=name)
    if arguments.file:
        FILES.append((Path(arguments.file).name, read_bytes(arguments.file, MOST_BYTES)))
    address = network_address() if arguments.for_class else _ADDRESS
    if not arguments.for_class:
        os.environ["SYNTH_OWN_MACHINE"] = "1"  # as `make run` says it
    port = whole("--port", arguments.port, least=1, most=65_535)
    options = ["--server.port", f"{port}", "--server.address", address]
    options += ["--browser.serverAddress", address, "--server.headless", "true"]
    streamlit = import_module("streamlit.web.cli")  # nothing else in this package may know it
    try:
        streamlit.main(["run", str(_server()), *options], "streamlit", standalone_mode=False)
    except streamlit.click.exceptions.Abort:
        raise KeyboardInterrupt from None
    return 0


def network_address() -> str:
    """Return the address that this machine has in its network; SynthError if it is in none."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as way:
        try:
            way.connect((_ELSEWHERE, 9))
        except OSError as problem:
            raise SynthError(
                f"This machine is in no network ({problem}), so no class can open its pages:"
                " connect it, or start the pages without --class."
            ) from problem
        address: str = way.getsockname()[0]
    return address


def _server() -> Path:
    for folder in _FOLDERS:
        if (server := folder / "server.py").is_file():
            return server
    raise SynthError(
        f"The pages are not beside {_PACKAGE}: install synthesis-playground[app] anew."
    )
