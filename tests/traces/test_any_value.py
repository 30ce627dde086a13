"""Any value of a file may be another one: the file is read, or refused in words."""

import json
from contextlib import suppress

from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ImportedRunError, SynthError
from synth.traces import read
from tests.examples import examples
from tests.traces.test_containers import EXAMPLES

KINDS: list[object] = [
    None,
    True,
    0,
    -5,
    10**400,
    1e400,
    float("nan"),
    "",
    "5",
    "[5]",
    "{",
    [],
    [7],
    {},
    {"a": [1]},
]
ANY = st.sampled_from([*KINDS, *map(json.dumps, KINDS)])


def places(value, way=()):
    """The ways to all values in a JSON value, also to those in JSON texts in it."""
    yield way
    if isinstance(value, str) and value.startswith(("{", "[")):
        with suppress(ValueError):
            yield from places(json.loads(value), (*way, None))
    elif isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from places(value[key], (*way, key))


def changed(value, way, other):
    """The value with another one at the end of the way; None in a way opens a JSON text."""
    if not way:
        return other
    if way[0] is None:
        return json.dumps(changed(json.loads(value), way[1:], other))
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[way[0]] = changed(value[way[0]], way[1:], other)
    return copy


def document(path):
    if path.suffix == ".jsonl":
        return [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    return json.loads(path.read_text("utf-8"))


DOCUMENTS = [document(path) for path in sorted(EXAMPLES.iterdir())]
PLACES = [(at, way) for at, whole in enumerate(DOCUMENTS) for way in places(whole)]


@examples(600)
@given(st.sampled_from(PLACES), ANY)
def test_any_value_at_any_place_is_read_or_refused_in_words(place, value):
    at, way = place
    try:
        runs = read(json.dumps(changed(DOCUMENTS[at], way, value)))
    except ImportedRunError:
        return
    for run in runs:
        assert all(type(call.sent_tokens) is int for call in run.calls)
        assert run.trace().call_count == len(run.calls)
        with suppress(SynthError):
            run.verify()
