"""The texts of a model counted by its server, which is seldom asked.

Texts are cut at seams (text/seams.py). What lies between two seams is read alike in every text,
so the tokens of each different part are asked for once, many parts in one request, and a prompt
made of known parts needs none. Whether that is so for the model's tokenizer is asked of hard
texts when the tokenizer is made, and of every whole text that is sent later. Where it isn't, each
text is counted by the server as it is, which takes more requests, and no ends of tokens are known.
"""

import threading
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from itertools import chain, pairwise
from time import monotonic
from typing import Any, TypeVar

import numpy as np
from typing_extensions import override

from synth.errors import CountingFailed
from synth.llms import background
from synth.llms.dialects import Dialect, Read, Rendered
from synth.llms.exchange import FAULTS
from synth.llms.failures import RequestFacts, as_model_error
from synth.llms.foresight import Foresight
from synth.text.frames import WHITE, Frame, frame_around, stand_ins
from synth.text.seams import SEAMS, atom_bounds, hard_texts
from synth.text.slices import Ints
from synth.text.tokenizer import Tokenizer
from synth.text.wording import encodable

_BODY = 100_000  # characters of texts in a request
_LOOSE = 20  # unknown parts of a text up to which they are asked for one by one
_KEPT = 4_000_000  # characters of known parts
_FEW = 4  # unknown parts, with which others like them are asked for
_TEXTS = 2_000  # in a request
_SHOWN = 10  # characters beside a place

T = TypeVar("T")

Ends = tuple[int, ...]
"""Where the tokens of a part have ended."""


class ServerTexts(Tokenizer):
    """Counts texts as the server does.

    `doubt` says why texts are counted one by one, or "". CountingFailed where the server no
    longer answers, which it `failed` to do last at this time of the monotonic clock.
    """

    seams = SEAMS

    def __init__(self, dialect: Dialect, name: str) -> None:
        super().__init__(name, list)
        self.doubt = ""
        self.failed: float | None = None
        self._dialect = dialect
        self._known: dict[str, Ends] = {}
        self._known_characters = 0
        self._foresight = Foresight()
        self._frames: dict[tuple[str, ...], Frame] = {}
        self._lock = threading.RLock()
        self._check()

    @property
    def asked(self) -> int:
        """Requests so far."""
        return self._dialect.beside.asked

    def chat_frame(self, roles: tuple[str, ...]) -> Frame:
        """What the server's chat template puts around messages of these roles."""
        with self._lock:
            if roles not in self._frames:
                self._frames[roles] = self._asked_frame(roles)
            return self._frames[roles]

    def _asked_frame(self, roles: tuple[str, ...]) -> Frame:
        contents = stand_ins(len(roles), WHITE)
        chat = self._rendered(roles, contents)
        frame = frame_around(contents, chat.text)
        if frame is not None:
            return frame._replace(extra_tokens=chat.tokens - self.count(chat.text))
        contents = stand_ins(len(roles))  # only what it adds in all can be told
        extra = self._rendered(roles, contents).tokens - sum(map(self.count, contents))
        return Frame(("",) * (len(roles) + 1), extra)

    def _rendered(self, roles: Iterable[str], contents: Iterable[str]) -> Rendered:
        messages = [
            {"role": role, "content": content}
            for role, content in zip(roles, contents, strict=True)
        ]
        return self._of_server(self._dialect.render(messages))

    @override
    def prepare(self, texts: Sequence[str]) -> None:
        """Ask for all that is unknown of these texts together."""
        sent = list(map(encodable, texts))
        if self.doubt:
            unknown = [
                one
                for one in dict.fromkeys(sent)
                if one and one not in self._texts and one not in self._words
            ]
            for text, read in zip(unknown, self._read(unknown), strict=True):
                self._remember(text, read.tokens)
            return
        self._learn([_atoms(text) for text in sent])
        stripped = [_atoms(text.strip()) for text in sent]  # as they will be packed
        self._learn(stripped)
        for atoms in stripped:
            self._foresight.see(atoms)

    @override
    def _counted(self, text: str) -> int:
        sent = encodable(text)
        parts = self._parts(_atoms(sent))
        return self._read([sent])[0].tokens if parts is None else sum(map(len, parts))

    @override
    def token_ends(self, text: str) -> Ints | None:
        atoms = _atoms(encodable(text))
        parts = self._parts(atoms)
        if parts is None:
            return None
        begins = np.cumsum([0, *map(len, atoms)])[:-1]
        starts = np.repeat(begins, list(map(len, parts)))
        ends: Ints = np.fromiter(chain.from_iterable(parts), np.int64, len(starts)) + starts
        return ends

    def _parts(self, atoms: Sequence[str]) -> list[Ends] | None:
        """The ends of tokens in each part of a text; None where they don't add up."""
        if self.doubt:
            return None
        with self._lock:
            if not all(map(self._known.__contains__, atoms)):
                self._learn([atoms])
            return None if self.doubt else [self._known[atom] for atom in atoms]

    def _learn(self, texts: Sequence[Sequence[str]]) -> None:
        """Ask for the parts of these texts that are not known: of long new ones as they are."""
        with self._lock:
            if self._known_characters > _KEPT:
                self._known.clear()
                self._known_characters = 0
            wholes: dict[str, None] = {}
            loose: dict[str, None] = {}
            for atoms in texts:
                unknown = self._unknown(atoms)
                if len(unknown) > _LOOSE and 2 * sum(map(len, unknown)) > sum(map(len, atoms)):
                    wholes |= dict.fromkeys(map("".join, _bodies(atoms, most=_BODY)))
                else:
                    loose |= dict.fromkeys(unknown)
            if not wholes and len(loose) <= _FEW:
                others = self._unknown(self._foresight.alike(loose))
                loose |= dict.fromkeys(next(_bodies(others), []))
            reads = self._read([*wholes, *loose])
            for text, read in zip(wholes, reads, strict=False):
                self._take(text, read)
            self._know_all(loose, reads[len(wholes) :])
            # Of a text whose tokens don't show where they end, part by part.
            left = list(dict.fromkeys(self._unknown(chain.from_iterable(texts))))
            self._know_all(left, self._read(left))

    def _unknown(self, atoms: Iterable[str]) -> list[str]:
        return [atom for atom in atoms if atom not in self._known]

    def _take(self, text: str, read: Read) -> None:
        """Remember the parts of a text that was read as a whole."""
        if read.ends is None:
            return
        bounds = atom_bounds(text)
        ended = np.searchsorted(read.ends, bounds, side="right")
        inside = np.concatenate([[0], read.ends])[ended] != bounds
        if inside.any():
            at = bounds[int(np.flatnonzero(inside)[0])]
            self._doubt(text[max(0, at - _SHOWN) : at + _SHOWN])
        for (start, end), (first, last) in zip(pairwise(bounds), pairwise(ended), strict=True):
            self._know(text[start:end], tuple((read.ends[first:last] - start).tolist()))

    def _know_all(self, atoms: Iterable[str], reads: Iterable[Read]) -> None:
        for atom, (tokens, ends) in zip(atoms, reads, strict=True):
            # All at the end of the part where that isn't known, which adds up.
            known = (len(atom),) * tokens if ends is None else tuple(ends.tolist())
            self._know(atom, known)

    def _know(self, atom: str, ends: Ends) -> None:
        known = self._known.setdefault(atom, ends)
        if known is ends:
            self._known_characters += len(atom)
        elif known != ends:
            self._doubt(atom)

    def _doubt(self, text: str) -> None:
        self.doubt = self.doubt or (
            f"Its tokens run across {text!r}, so each text is counted by the server as a whole."
        )

    def _check(self) -> None:
        """Ask for hard texts, whole and in parts."""
        texts = hard_texts()
        self.chat_frame(("user",))  # vLLM's shows a special token, which is sent between texts
        if self._read(texts[:1])[0].ends is None:
            self.doubt = (
                "The server doesn't show where its tokens end, so each text is counted by it as a"
                " whole."
            )
            return
        parts = dict.fromkeys(atom for text in texts for atom in _atoms(text))
        reads = self._read([*texts, *parts])
        self._know_all(parts, reads[len(texts) :])
        for text, read in zip(texts, reads, strict=False):
            self._take(text, read)

    def _read(self, texts: Sequence[str]) -> list[Read]:
        return [
            read for some in _bodies(texts) for read in self._of_server(self._dialect.read(some))
        ]

    def _of_server(self, work: Coroutine[Any, Any, T]) -> T:
        try:
            return background.start(work).result()
        except FAULTS as error:
            endpoint, timeout = self._dialect.beside.endpoint, self._dialect.beside.timeout
            self.failed = monotonic()
            facts = RequestFacts("", endpoint.host, timeout, 0, 0, endpoint.key)
            raise CountingFailed(
                f"The server did not count a text. {as_model_error(error, facts)} Or count with"
                " an encoding such as o200k_base, which is an estimate."
            ) from None  # the SDK's message may quote the key


def _atoms(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise(atom_bounds(text))]


def _bodies(texts: Iterable[str], most: int = _TEXTS) -> Iterator[list[str]]:
    """The texts in groups, each for one request."""
    some: list[str] = []
    size = 0
    for text in texts:
        if some and (size + len(text) > _BODY or len(some) == most):
            yield some
            some, size = [], 0
        some.append(text)
        size += len(text)
    if some:
        yield some
