"""The tables that benchmarks write into docs/reliability.md."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

_FILE = Path(__file__).parents[1] / "docs" / "reliability.md"
_END = "<!-- to here -->\n"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(map(str, line))} |" for line in lines) + "\n"


def write(command: str, text: str) -> None:
    """Put the text in the place of what this command of make wrote before."""
    begin = f"<!-- made by make {command} -->\n"
    before, _, rest = _FILE.read_text("utf-8").partition(begin)
    _, _, after = rest.partition(_END)
    _FILE.write_text(f"{before}{begin}\n{text}\n{_END}{after}", "utf-8")
