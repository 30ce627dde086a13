"""Each field of each span of a recording, with each of a list of odd values in its place."""

import json
import re
from copy import deepcopy
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.errors import ImportedRunError
from synth.imports import read
from synth.response_synthesizers.registry import MODES

EXAMPLES = Path(__file__).parent / "examples"
NAMES = sorted(path.name for path in EXAMPLES.iterdir())
LONG = 10**400

NASTY: list[object] = [
    None,
    True,
    False,
    0,
    -1,
    5,
    1.5,
    2**63,
    10**30,
    LONG,
    -LONG,
    1e308,
    float("nan"),
    float("inf"),
    "",
    "x",
    "5",
    "-1",
    "true",
    "NaN",
    "1e400",
    "9" * 400,
    "9" * 5_000,
    "\ud800",
    "\0",
    "\u202e<b>",
    "{self}{texts}{log}",
    "__REDACTED__",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01T00:00:00+14:00",
    "-1",
    "99999999999999",
    "[5]",
    "{}",
    "{1}",
    '{"query_satisfied": 5}',
    "[" * 1_000,
    [],
    [5],
    [None],
    [[]],
    ["x"],
    {},
    {"": None},
    {"self": "x", "texts": "y", "log": "z"},
    {"a": {"b": [1, {"c": 2}]}},
]


def documents(name):
    """The JSON values of a file."""
    text = (EXAMPLES / name).read_text("utf-8")
    return (
        [json.loads(line) for line in text.splitlines()] if name.endswith("l") else json.loads(text)
    )


def opened(value):
    """The object or list that a text of JSON holds; None for another value."""
    try:
        found = json.loads(value) if isinstance(value, str) else None
    except ValueError:
        return None
    return found if isinstance(found, dict | list) else None


def places(value, at=()):
    """The ways to all values in this one, those in texts of JSON too."""
    yield at
    inside = opened(value) or value
    if isinstance(inside, dict | list):
        for key in inside if isinstance(inside, dict) else range(len(inside)):
            yield from places(inside[key], (*at, key))


def replaced(value, at, new):
    """The value with a new one at this place."""
    if not at:
        return new
    inside = opened(value)
    found = deepcopy(value) if inside is None else inside
    found[at[0]] = replaced(found[at[0]], at[1:], new)
    return found if inside is None else json.dumps(found)


def look(data):
    """Read a file, and ask all that is known of its runs; ImportedRunError is an answer."""
    try:
        runs = read(data)
    except ImportedRunError:
        return
    for run in runs:
        assert (run.seconds >= 0, run.trace().call_count) == (True, len(run.calls))
        if run.mode in MODES:
            run.verify()


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_value_breaks_the_reading(name):
    """The plainest file with every third value; the others, which take longer, with every 24th."""
    whole, step = documents(name), 3 if name == "sdk.jsonl" else 24
    for number, at in enumerate(places(whole)):
        for value in NASTY[number % step :: step]:
            look(json.dumps(replaced(whole, at, value)))


def with_attribute(name, value):
    """The plainest file, with an attribute of each span changed."""
    whole = documents("sdk.jsonl")
    for row in whole:
        row["attributes"][name] = value
    return json.dumps(whole)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("output.value", "5"),
        ("output.value", "true"),
        ("input.value", '{"prompt": "template_var_mappings={1}", "kwargs": {"self": "x"}}'),
        ("input.value", '{"messages": ["ChatMessage(role=<MessageRole.USER: \'user\'>"]}'),
        ("llm.invocation_parameters", '{"context_window": 1e400, "num_output": true}'),
        ("retrieval.documents.0.document.score", LONG),
        ("retrieval.documents.0.document.score", float("nan")),
        ("retrieval.documents.0.document.metadata", 5),
        ("llm.token_count.prompt", True),
    ],
)
def test_an_attribute_of_another_kind_is_left_out(name, value):
    runs = read(with_attribute(name, value))
    assert [run.mode for run in runs] == ["accumulate"]
    for chunk in runs[0].chunks:
        assert chunk.score is None or chunk.score in (0.5, 0.9)
    assert all(type(call.sent_tokens) is int for call in runs[0].calls)


@pytest.mark.parametrize(
    "time", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", -5, 1e300]
)
@pytest.mark.parametrize("name", ["start_time", "end_time"])
def test_a_time_of_no_computer_is_refused(name, time):
    whole = documents("sdk.jsonl")
    whole[0][name] = time
    with pytest.raises(ImportedRunError, match=rf"line 1: {name}: .*Export the trace again"):
        read(json.dumps(whole))


ANY = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(st.characters())),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.sampled_from(NAMES), st.data())
def test_no_random_values_break_the_reading(name, data):
    whole = documents(name)
    for _ in range(data.draw(st.integers(1, 5))):
        at = data.draw(st.sampled_from(list(places(whole))))
        whole = replaced(whole, at, data.draw(ANY | st.sampled_from(NASTY)))
    look(json.dumps(whole))


@pytest.mark.parametrize("depth", [15, 100, 500, *range(900, 1_000, 5)])
def test_no_depth_breaks_the_reading(depth):
    """Some depths are read as JSON, and can't be written again."""
    for deep in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        for name in ("sdk.jsonl", "langfuse.json"):
            text = json.dumps(documents(name))
            look(re.sub(r'"(input\.value|input)": ', rf'"\1": {deep}, "beside": ', text))
