"""Every error of this package, as one tree, and the checks of arguments that raise them.

A message says what happened, with the numbers, and what to do next. `extra` says which package
to install where one is missing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from numbers import Integral, Real
from typing import Any


class SynthError(Exception):
    """Any failure that this package expects.

    `trace` is the `Trace` of what the run had done before it, if it was a run's; this module is
    below that of traces, so it can't import the class.
    """

    trace: Any = None


class BudgetError(SynthError):
    """There is no room for what must be sent."""


class CapReached(BudgetError):
    """A call could cross the cap and was not sent; with a higher cap the run can go on."""


class TemplateError(SynthError):
    """A template, or a variable given to it, does not work in the mode that uses it."""


class NotShrinking(SynthError):
    """A level of summaries has neither fewer texts nor fewer tokens than the one before."""


class ImportedRunError(SynthError):
    """A file does not hold a run, or holds one that contradicts itself."""


class QuestionSetError(SynthError):
    """A set of questions, or a check in it, can't be read; it never counts as passed."""


class CountingFailed(SynthError):
    """The server that was to count a text before a call did not, or can't."""


class ModelError(SynthError):
    """A call was sent, or should have been, and no usable answer came back.

    `reply` is the `runs.llm.Completion` that came in its place, if one did: it was paid for.
    `sent` is False where no request of the call can have reached a server.
    """

    reply: object = None
    sent = True


class MissingKey(ModelError):
    """The endpoint needs an API key and none was given."""

    sent = False


class AuthFailed(ModelError):
    """The endpoint refused the API key."""


class RateLimited(ModelError):
    """The endpoint refuses more requests for now, or the account has no credit."""


class ModelTimeout(ModelError):
    """No answer came within the time allowed."""


class ModelUnreachable(ModelError):
    """No connection to the endpoint could be made."""


class BadResponse(ModelError):
    """An answer came back that is not of the form asked for."""


_MOST = 10**12  # more than any size here, and far from where 64 bits end

INTERRUPTED = "Interrupted"
"""The `error_kind` of a run whose server has ended before it."""


class Stopped(Exception):
    """The person pressed Stop; not a failure."""


def describe(value: object) -> str:
    """Return a wrong argument as messages name it: the beginning of its repr, and its type."""
    if value is None:
        return "None"
    return f"{short(repr(value), 60)} ({type(value).__name__})"


def require(
    name: str, value: object, kind: Any, wanted: str, error: type[SynthError] = SynthError
) -> None:
    """Raise the error for a value that is not of this kind; `name` ends with "is" or "are"."""
    if not isinstance(value, kind):
        raise error(f"{name} {describe(value)}: give {wanted}.")


def whole(
    name: str,
    value: object,
    least: int = 0,
    most: int = _MOST,
    error: type[SynthError] = SynthError,
) -> int:
    """Return a whole number from `least` to `most`, numpy's too; else raise `error`."""
    size = int(value) if isinstance(value, Integral) and not isinstance(value, bool) else None
    if size is not None and least <= size <= most:
        return size
    shown = repr(value) if size is None else f"{size:,}"
    upper = "or more" if most == _MOST and (size is None or size < least) else f"to {most:,}"
    raise error(f"{name} is {shown}: give a whole number, {least:,} {upper}.")


def number(
    name: str, value: object, most: float = _MOST, error: type[SynthError] = SynthError
) -> float:
    """Return the value as a number from 0 to `most`; else `error`, which shows it."""
    if isinstance(value, Real) and not isinstance(value, bool) and 0 <= float(value) <= most:
        return float(value)
    upper = "or more" if most == _MOST else f"to {most:g}"
    raise error(f"{name} is {value!r}: give a number, 0 {upper}.")


def short(text: str, most: int) -> str:
    """Return the beginning of a text, of at most this many characters."""
    return text if len(text) <= most else text[: most - 3] + "..."


@contextmanager
def extra(name: str) -> Iterator[None]:
    """Wrap the imports that need an extra; ModuleNotFoundError says which one to install."""
    try:
        yield
    except ModuleNotFoundError as missing:
        raise ModuleNotFoundError(
            f"The package {missing.name} is not installed: install synthesis-playground[{name}],"
            " which brings it.",
            name=missing.name,
        ) from missing
