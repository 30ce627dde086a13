"""What commands read, bounded in size, and how lines and plain tables are printed."""

import json
import sys
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from synth.documents import MOST_MEGABYTES, read_file
from synth.documents.cutting import Cutting, cut
from synth.documents.decoding import require_few
from synth.errors import SynthError
from synth.llms.model_prices import ModelFacts, model_facts
from synth.text.wording import reveal, short
from synth.traces import ImportedRun, read, size_limits
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
    data = read_bytes(path, size_limits.MOST_BYTES)
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


QUESTION, REASON = 44, 300  # characters that are shown


def format_table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return rows of equal length as lines whose columns stand below one another."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return ["   ".join(map(str.ljust, row, widths)).rstrip() for row in rows]


def show_results(results: Sequence[Any], rows: Sequence[Sequence[str]], as_data: bool) -> None:
    """Print the rows of results, which are dataclasses, or these as JSON."""
    data = [json.dumps([asdict(each) for each in results], indent=2)] if as_data else None
    show(data or format_table(rows))


def format_foreign(text: str, most: int) -> str:
    """Return a foreign text as one line of so many characters, which can't steer the terminal."""
    return reveal(short(text, most))


def show(lines: Iterable[str]) -> None:
    """Print lines; a letter that the terminal lacks is a question mark."""
    encoding = sys.stdout.encoding
    for line in lines:
        print(line.encode(encoding, "replace").decode(encoding))
