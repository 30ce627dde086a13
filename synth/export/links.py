"""A short text in a link: compressed, in letters that an address may hold."""

import base64
import binascii
import zlib

from synth.errors import ImportedRunError, SynthError

MOST_LETTERS = 7_000
"""The longest text in a link: proxies commonly refuse an address of more than 8,192 bytes."""

_MOST_BYTES = 1_000_000  # of what is unpacked; a few letters may claim to hold gigabytes


def pack(text: str) -> str:
    """Return the text in letters for a link; SynthError for one that needs too many of them."""
    letters = base64.urlsafe_b64encode(zlib.compress(text.encode(), 9)).decode().rstrip("=")
    if len(letters) > MOST_LETTERS:
        raise SynthError(
            f"It takes {len(letters):,} characters, and {MOST_LETTERS:,} is the limit of a link:"
            " save it as a file."
        )
    return letters


def unpack(letters: str) -> str:
    """Return the text that `packed` wrote; ImportedRunError for anything else."""
    if len(letters) > MOST_LETTERS:
        raise ImportedRunError(
            f"The link has {len(letters):,} characters, and {MOST_LETTERS:,} is the limit: ask for"
            " a file instead."
        )
    try:
        body = base64.b64decode(letters + "=" * (-len(letters) % 4), altchars=b"-_", validate=True)
        stream = zlib.decompressobj()
        text = stream.decompress(body, _MOST_BYTES)
        if stream.unconsumed_tail:
            raise ImportedRunError(
                f"The link unpacks to more than {_MOST_BYTES:,} bytes: ask for a file instead."
            )
        if not stream.eof:
            raise ValueError("its end is missing")
        return text.decode()
    except (binascii.Error, zlib.error, ValueError) as error:
        raise ImportedRunError(f"The link is damaged ({error}): copy it again.") from error
