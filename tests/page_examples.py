"""The examples of a page: its blocks of Python, each with the output that is shown below it.

    python -m tests.page_examples FOLDER PAGE...

writes each example into a file of its own, so that a type checker can read it.
"""

import re
import sys
from dataclasses import dataclass
from pathlib import Path

_EXAMPLE = re.compile(
    r"^```python\n(.*?)^```$(?:\n+^```text\n(.*?)^```$)?", re.DOTALL | re.MULTILINE
)


@dataclass(frozen=True)
class Example:
    """A block of Python from `page`, beginning in `line`; `output` is None where none is shown."""

    page: Path
    line: int
    code: str
    output: str | None

    def __str__(self) -> str:
        return f"{self.page.stem} line {self.line}"


def examples(page: Path) -> list[Example]:
    text = page.read_text("utf-8")
    return [
        Example(page, text.count("\n", 0, found.start(1)) + 1, found[1], found[2])
        for found in _EXAMPLE.finditer(text)
    ]


if __name__ == "__main__":
    folder, *pages = map(Path, sys.argv[1:])
    for example in [example for page in pages for example in examples(page)]:
        path = folder / f"{str(example).replace(' ', '_').lower()}.py"
        path.write_text(example.code, "utf-8")
