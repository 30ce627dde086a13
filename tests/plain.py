"""Plain tiktoken, with nothing of ours around it, to count against."""

import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

import tiktoken

_VENDORED = Path(__file__).parents[1] / "synth" / "text" / "encodings"
_NAMES = {  # tiktoken looks for a file named by the sha1 of where it would download it
    "cl100k_base": "9b5ad71b2ce5302211f9c61530b329a4922fc6a4",
    "o200k_base": "fb374d419588a4632f3f557e76b4b70aebbca790",
}


@cache
def encoding(name: str) -> tiktoken.Encoding:
    """tiktoken's own encoding, from a copy of the vendored file: it deletes what it distrusts."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copy(_VENDORED / f"{name}.tiktoken", Path(folder) / _NAMES[name])
        before = os.environ.get("TIKTOKEN_CACHE_DIR")
        os.environ["TIKTOKEN_CACHE_DIR"] = folder
        try:
            return tiktoken.get_encoding(name)
        finally:
            os.environ.pop("TIKTOKEN_CACHE_DIR")
            if before is not None:
                os.environ["TIKTOKEN_CACHE_DIR"] = before


def count(text: str, name: str = "cl100k_base") -> int:
    """Tokens of a text, in which special tokens are plain text."""
    return len(encoding(name).encode(text, disallowed_special=()))
