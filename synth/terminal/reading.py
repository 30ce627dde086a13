"""What a command reads: a file or standard input, bounded in size."""

import sys
from pathlib import Path

from synth.documents import MOST_MEGABYTES, read_file
from synth.documents.cutting import Cutting, cut
from synth.documents.decoding import require_few
from synth.errors import SynthError
from synth.llms.model_prices import ModelFacts, model_facts
from synth.traces import ImportedRun, capacity, read
from synth.traces.servers import read_server


def read_chunks(path: str) -> list[str]:
    """Read the chunks of a file, a text cut at blank lines; SynthError as in `read_file`."""
    data = read_bytes(path, MOST_MEGABYTES * 1_000_000)
    ending = ".jsonl" if path == "-" else None
    chunks: list[str] = []
    for loaded in read_file(_name(path), data, ending):
        texts = cut(loaded.text, Cutting()) if loaded.kind == "text" else (loaded.text,)
        chunks += filter(str.strip, texts)
    require_few(len(chunks), f"{_name(path)} holds", "Take a part of it.")
    return chunks


def read_runs(path: str, project: str | None = None) -> list[ImportedRun]:
    """Read the runs of a file of spans, or of a project of the server at this address.

    ImportedRunError as in `read`, which names the file.
    """
    if path.startswith(("http://", "https://")):
        return read_server(path, project)
    data = read_bytes(path, capacity.MOST_BYTES)
    try:
        return read(data)
    except SynthError as problem:
        raise type(problem)(f"{_name(path)}: {problem}") from problem


def find_model_facts(model: str) -> ModelFacts:
    """Look up what is known of a model; without the package that knows it, say so and go on."""
    try:
        return model_facts(model) if model else ModelFacts()
    except ModuleNotFoundError as missing:
        print(f"No price and no window is known: {missing}", file=sys.stderr)
        return ModelFacts()


def _name(path: str) -> str:
    return "standard input" if path == "-" else Path(path).name


def read_bytes(path: str, most: int) -> bytes:
    """Read a file, and one byte more than `most` of a larger one, so that its reader refuses it."""
    if path == "-":
        return sys.stdin.buffer.read(most + 1)
    try:
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as problem:  # ValueError for a name with a null character
        reason = problem.strerror if isinstance(problem, OSError) else str(problem)
        raise SynthError(f"{path} can't be opened ({reason}): give the path of a file.") from None
