"""The tables of pages in docs/, each written by a command of make."""

from collections.abc import Sequence
from pathlib import Path

_RELIABILITY = Path(__file__).parents[1] / "docs" / "reliability.md"
_END = "<!-- to here -->\n"


def table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    """A table as Markdown; a bar in a cell is escaped."""
    lines = [head, ["---"] * len(head), *rows]
    cells = ([str(cell).replace("|", "\\|") for cell in line] for line in lines)
    return "".join(f"| {' | '.join(line)} |\n" for line in cells)


def written(command: str, page: Path = _RELIABILITY) -> str:
    return _parted(command, page)[1].strip("\n") + "\n"


def write(command: str, text: str, page: Path = _RELIABILITY) -> None:
    """Put the text in the place of what this command wrote before."""
    before, _, after = _parted(command, page)
    page.write_text(f"{before}\n{text}\n{after}", "utf-8")


def _parted(command: str, page: Path) -> tuple[str, str, str]:
    begin = f"<!-- made by make {command} -->\n"
    before, _, rest = page.read_text("utf-8").partition(begin)
    own, _, after = rest.partition(_END)
    return before + begin, own, _END + after
