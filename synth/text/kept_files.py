"""The files of tokenizers that a person gave, kept in a folder by the hash of what is in them.

A spec has this hash alone, and so have a saved run and a link: none of them can name a path, nor a
file that was not given on this machine.
"""

import os
import re
from collections.abc import Callable, Mapping
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory

from synth.errors import SynthError
from synth.text.chat_templates import CONFIG, TEMPLATE

TOKENIZER = "tokenizer.json"
NAMES = (TOKENIZER, CONFIG, TEMPLATE)
"""The names of the files of a tokenizer, as makers of models publish them."""

DIGEST = r"[0-9a-f]{64}"
"""What a hash looks like, as a regular expression."""

_folders: list[Path] = []


def keep_in(folder: Path | None) -> None:
    """Keep and look for files in this folder from now on; in none for None."""
    _folders[:] = [] if folder is None else [folder]


def folder() -> Path | None:
    """The folder in which files are kept, if there is one."""
    return next(iter(_folders), None)


def path_of(digest: str) -> Path | None:
    """The tokenizer.json of the files with this hash; None where they are not on this machine."""
    kept = folder()
    if kept is None or not re.fullmatch(DIGEST, digest):
        return None
    path = kept / digest / TOKENIZER
    return path if path.is_file() else None


def keep(files: Mapping[str, bytes], check: Callable[[Path], None]) -> str:
    """Keep files by their names, which are of `NAMES`; returns the hash of all of them.

    `check` gets the path of the tokenizer.json before it is kept, and raises what is wrong with it.
    SynthError where they can't be written.
    """
    kept, parts = folder(), "".join(f"{name} {_hash(files[name])}\n" for name in sorted(files))
    digest = _hash(parts.encode())
    if path_of(digest) is not None:
        return digest
    try:
        if kept is None:
            raise FileNotFoundError("no folder is set")
        kept.mkdir(mode=0o700, parents=True, exist_ok=True)
        with TemporaryDirectory(dir=kept, ignore_cleanup_errors=True) as unfinished:
            whole = Path(unfinished) / digest
            whole.mkdir()
            for name in files:
                (whole / name).write_bytes(files[name])
            check(whole / TOKENIZER)
            os.replace(whole, kept / digest)
    except OSError as problem:
        raise SynthError(f"The file can't be kept in {kept}: {problem.strerror}.") from problem
    return digest


def _hash(data: bytes) -> str:
    return sha256(data).hexdigest()
