"""Every container gives the same run, and a broken file says what is wrong with it."""

import gzip
import json
from contextlib import suppress

import pytest

from synth.errors import ImportedRunError
from synth.traces import read, size_limits
from tests.plans import answers
from tests.traces.files import FILES
from tests.traces.files import RECORDED as SDK


def example():
    [run] = read(SDK)
    return run


def test_the_recording_is_read():
    run = example()
    assert (run.mode, run.query, run.model) == ("accumulate", "What was the pool set to?", "m")
    [first, second] = run.chunks
    assert (first.node.id_, first.score, first.node.metadata) == ("a1", 0.9, {"file": "log.txt"})
    assert run.texts == ["file: log.txt\n\nThe pool was set to 8.", "Ada set it to 80."]
    assert second.score == 0.5
    assert answers(run) == ["To 8.", "To 80."]
    assert [call.reported_prompt_tokens for call in run.calls] == [100, 100]
    assert [call.seconds for call in run.calls] == [0.009, 0.009]
    assert run.started.isoformat() == "2025-06-15T15:06:40.020000+00:00"
    assert run.seconds == 0.086
    assert run.response == "Response 1: To 8.\n---------------------\nResponse 2: To 80."
    assert run.verify().equal


def told(run):
    """What a run says, its templates as their messages."""
    templates = {name: one.message_templates for name, one in run.templates.items()}
    return {
        **vars(run),
        "templates": templates,
        "helper": None,
        "identity": "",
        "service": "",
        "notes": (),
    }


def edited(change):
    """The example with a change made to each of its spans."""
    rows = [json.loads(line) for line in SDK.splitlines()]
    return "\n".join(json.dumps(change(row) or row) for row in rows)


@pytest.mark.parametrize("name", FILES)
def test_every_container_gives_the_same_run(name):
    [run] = read(FILES[name])
    assert told(run) == told(example())


def test_whatever_is_left_out_is_said():
    [run] = read(FILES["prints between"])
    assert "11 lines of the file are no JSON" in run.notes[-1]


def other_trace(row):
    row["context"]["trace_id"] = "0xdef"
    for name in ("start_time", "end_time"):
        row[name] = row[name].replace("2025", "2024")


def test_traces_stand_in_the_order_of_their_time():
    runs = read(SDK + edited(other_trace))
    assert [run.started.year for run in runs] == [2024, 2025]


def hide(row):
    hidden = ("input.value", "llm.input_messages", "llm.prompt_template.variables")
    for name in row["attributes"]:
        if name.startswith(hidden):
            row["attributes"][name] = "__REDACTED__"


def test_hidden_values_are_counted():
    [run] = read(edited(hide))
    assert any("Values are hidden in 6 of 6 spans" in note for note in run.notes)
    assert any("No prompt was read of 2 of 2 calls" in note for note in run.notes)
    assert not run.verify().equal


SECRET = "sk-not-for-anybody"


def planted(row):
    row["attributes"] |= {
        "user.id": SECRET,
        "llm.invocation_parameters.api_key": SECRET,
        "http.headers": {"authorization": SECRET},
    }
    parameters = row["attributes"].get("llm.invocation_parameters")
    if parameters:
        extra = json.loads(parameters) | {"api_key": SECRET}
        row["attributes"]["llm.invocation_parameters"] = json.dumps(extra)
    row["resource"]["attributes"]["key"] = SECRET


def test_a_key_beside_the_spans_goes_no_further():
    [run] = read(edited(planted))
    assert told(run) == told(example())
    assert SECRET not in repr([told(run), run.chunks, run.calls])


def without(name):
    return lambda row: row.pop(name) and row


def circle(row):
    row["parent_id"] = row["context"]["span_id"]


BROKEN = {
    "empty": ("", "The file is empty"),
    "a picture": (b"\x89PNG\r\n", "no JSON and no table.*An object is a span"),
    "a table": ("question,answer\nWhy?,So", "a table of 1 row.*object has question and answer"),
    "a number": ("8", "No span.*1 value of JSON"),
    "another object": ('{"run": 1, "steps": []}', "No span.*the first object has run and steps"),
    "no context": (edited(without("context")), "No span.*8 values.*has name, kind"),
    "no trace": (edited(lambda row: row["context"].update(trace_id=5)), "context.trace_id: Input"),
    "its own parent": (edited(circle), "8 of 8 spans of trace .* are their own parents"),
    "gzip, cut off": (gzip.compress(SDK.encode())[:-20], "gzip file is damaged"),
    "gzip, damaged": (b"\x1f\x8b\x08" + bytes(40), "gzip file is damaged"),
    "no calls": (SDK.splitlines()[0], "has 1 span: 1 of chain. None is read as a call"),
    "nested": ("[" * 100_000, "no JSON that can be read .maximum recursion depth"),
    "a long number": ('{"a": ' + "9" * 5_000 + "}", "Exceeds the limit"),
    "a time that never comes": (
        '{"resourceSpans": [{"scopeSpans": [{"spans": [{"traceId": "1", "spanId": "2",'
        ' "name": "x", "startTimeUnixNano": "99999999999999999999"}]}]}]}',
        "startTimeUnixNano: the time must be",
    ),
    "deep attributes": (
        edited(lambda row: row["attributes"].update(json.loads('{"a":' * 30 + "1" + "}" * 30))),
        "nested more than 20 levels",
    ),
}


@pytest.mark.parametrize("data", [data for data, _ in BROKEN.values()], ids=list(BROKEN))
def test_a_broken_file_says_what_is_wrong(data, request):
    _, message = BROKEN[request.node.callspec.id]
    with pytest.raises(ImportedRunError, match=message) as caught:
        read(data)
    assert str(caught.value).endswith(".")


def odd_text(row):
    text = json.dumps(row).replace("The pool was set to 8.", "\\ud800 half a pair, \\u0000 and 🚀")
    return json.loads(text)


def test_any_text_is_read():
    [run] = read(edited(odd_text))
    assert run.chunks[0].text == "\ud800 half a pair, \0 and 🚀"
    assert run.trace().prompt_tokens > 0


def numbered(row):
    row["attributes"] |= {
        f"llm.input_messages.{'9' * 5_000}.message.role": "user",
        "retrieval.documents.99999.document.id": "far",
    }


def test_numbers_in_the_names_of_attributes_have_a_limit():
    [run] = read(edited(numbered))
    assert answers(run) == ["To 8.", "To 80."]


@pytest.mark.parametrize(
    "time", ["9999-12-31T23:59:59-14:00", "0001-01-01T00:00:00+14:00", -5, 1e300]
)
@pytest.mark.parametrize("name", ["start_time", "end_time"])
def test_a_time_of_no_computer_is_refused(name, time):
    with pytest.raises(ImportedRunError, match=rf"line 1 has a wrong field, {name}: "):
        read(edited(lambda row: row.update({name: time})))


@pytest.mark.parametrize("depth", [15, 100, 500, *range(900, 1_000, 5)])
def test_no_depth_breaks_the_reading(depth):
    """Some depths are read as JSON, and can't be written again."""
    for deep in ("[" * depth + "]" * depth, '{"a":' * depth + "1" + "}" * depth):
        text = SDK.replace('"input.value": ', f'"input.value": {deep}, "beside": ')
        assert text != SDK
        with suppress(ImportedRunError):
            [run] = read(text)
            run.verify()


@pytest.mark.parametrize(
    ("bound", "most", "message"),
    [
        ("MOST_BYTES", 100, r"has [\d,]+ bytes, and 100 is the limit"),
        ("MOST_SPANS", 3, "more than 3 spans: export fewer"),
        ("MOST_ATTRIBUTES", 3, "more than 3 attributes"),
    ],
)
def test_a_file_with_too_much_in_it_is_refused(bound, most, message, monkeypatch):
    monkeypatch.setattr(size_limits, bound, most)
    for data in (SDK, gzip.compress(SDK.encode())):
        with pytest.raises(ImportedRunError, match=message):
            read(data)
