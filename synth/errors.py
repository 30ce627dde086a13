"""Every error of this package, as one tree.

    SynthError
    ├── BudgetError         the window can't hold what must be sent
    │   └── CapReached          the next call could cross the cap of the run
    ├── TemplateError       a template or its variables are wrong
    ├── NotShrinking        a mode would never end
    ├── ImportedRunError    a saved run can't be trusted
    ├── QuestionSetError    a question or one of its checks can't be read
    ├── CountingFailed      the model's server did not count a text
    └── ModelError          the model did not give an answer
        ├── MissingKey          no API key
        ├── AuthFailed          the key was refused
        ├── RateLimited         too many requests, or no credit left
        ├── ModelTimeout        no answer in time
        ├── ModelUnreachable    no connection to the server
        └── BadResponse         an answer came, and it can't be used

A message says what happened, with the numbers, and what to do next. `extra` says which package
to install where one is missing.
"""

from collections.abc import Iterator
from contextlib import contextmanager
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

    `reply` is the `runs.steps.Completion` that came in its place, if one did: it was paid for.
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


INTERRUPTED = "Interrupted"
"""The `error_kind` of a run whose server has ended before it."""


class Stopped(Exception):
    """The person pressed Stop; not a failure."""


def describe(value: object) -> str:
    """Return a wrong argument as messages name it: the beginning of its repr, and its type."""
    if value is None:
        return "None"
    return f"{short(repr(value), 60)} ({type(value).__name__})"


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
