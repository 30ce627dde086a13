"""What comes as protobuf or JSON is the same, and what is none is refused in words."""

import gzip
import json
import zlib
from contextlib import suppress

import pytest
from google.protobuf.json_format import MessageToDict
from hypothesis import given
from hypothesis import strategies as st

from synth.traces import capacity
from synth.traces.spans import Failure
from tests.received.otlp import OWN, TRACE, request, span
from ui.received import decoding
from ui.received.decoding import TooLargeError, UnreadableError, decode

SPANS = [
    span(id="1" * 16, openinference_span_kind="LLM"),
    span(id="2" * 16, llm_prompts=["one", "two"], user_id="somebody"),
    span(id="3" * 16, output_value="连接 🚀"),
]


def as_json(message):
    document = MessageToDict(message)
    for resource in document["resourceSpans"]:
        for scope in resource["scopeSpans"]:
            for one in scope["spans"]:
                one.update(traceId=TRACE, spanId=one["name"] if len(one["name"]) == 16 else OWN)
    return json.dumps(document).encode()


def read(data, *, is_json=False, packed=False):
    return decode(data, is_json=is_json, packed=packed)


def test_protobuf_and_json_are_the_same_with_what_is_read_and_no_more():
    one = [span(openinference_span_kind="LLM", llm_prompts=["one", "two"], user_id="somebody")]
    message = request(one)
    [found] = read(message.SerializeToString())
    assert found.attributes == {"openinference.span.kind": "LLM", "llm.prompts": ["one", "two"]}
    assert (found.service, found.start, found.end) == ("bot", 1.7e9, 1.7e9 + 1)
    assert read(as_json(message), is_json=True) == [found]
    capitals = as_json(message).replace(TRACE.encode(), TRACE.upper().encode())
    assert read(capitals, is_json=True) == [found]


def test_a_failure_is_read():
    failed = span()
    failed = type(failed)(**{**vars(failed), "failure": Failure("ValueError", "it broke")})
    message = request([failed])
    [found] = read(message.SerializeToString())
    assert found.failure == Failure("ValueError", "it broke")
    assert read(as_json(message), is_json=True) == [found]


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_it_may_be_packed(pack):
    data = request(SPANS).SerializeToString()
    assert read(pack(data), packed=True) == read(data)
    with pytest.raises(UnreadableError, match="ends in the middle"):
        read(pack(data)[:-9], packed=True)


def test_what_unpacks_to_too_much_is_refused_before_it_is_held(monkeypatch):
    monkeypatch.setattr(decoding, "MOST_REQUEST", 1_000)
    with pytest.raises(TooLargeError, match="32,000,000 bytes"):
        read(gzip.compress(bytes(10**6)), packed=True)


def test_a_span_with_too_many_attributes_is_refused(monkeypatch):
    monkeypatch.setattr(capacity, "MOST_ATTRIBUTES", 5)
    message = request([span(**{f"a{number}": number for number in range(6)})])
    with pytest.raises(UnreadableError, match="more than 5 attributes"):
        read(message.SerializeToString())


MANY = capacity.MOST_JSON
HOSTILE = {
    "objects": b'{"resourceSpans": [' + b"{}," * MANY + b"{}]}",
    "numbers": b"[" + b"1," * MANY + b"0]",
    "strings": b"[" + b'"",' * MANY + b"0]",
    "quotes alone": b'"' * 5 * MANY,
    "escapes": b'["\\\\",' + rb'"\"",' * MANY + b"0]",
}


@pytest.mark.parametrize("data", HOSTILE.values(), ids=HOSTILE)
def test_json_with_too_many_values_is_refused_before_one_is_built(data, monkeypatch):
    monkeypatch.setattr(decoding.json, "loads", lambda text: pytest.fail("it was built"))
    with pytest.raises(TooLargeError, match="more than 1,000,000 values"):
        read(data, is_json=True)


JSON = st.recursive(
    st.text(alphabet='a"\\,[{连') | st.integers() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(alphabet='b"\\,{['), inner),
)


def values_of(document):
    if not isinstance(document, list | dict):
        return 0
    inner = document.values() if isinstance(document, dict) else document
    return max(1, len(document)) + sum(map(values_of, inner))


@given(document=JSON)
def test_the_values_of_json_are_counted_without_what_stands_in_its_texts(document):
    text = json.dumps(document, ensure_ascii=False)
    assert capacity.values_of_json(text, len(text)) == values_of(document)
    assert (capacity.values_of_json(text, 0) > 0) == (values_of(document) > 0)


@pytest.mark.parametrize(
    "change",
    [
        {"trace_id": b""},
        {"span_id": bytes(8)},
        {"span_id": b"short"},
        {"parent_span_id": b"short"},
        {"end_time_unix_nano": 2**64 - 1},
    ],
)
def test_a_request_with_a_span_that_is_none_is_refused(change):
    message = request(SPANS)
    for name, value in change.items():
        setattr(message.resource_spans[0].scope_spans[0].spans[1], name, value)
    with pytest.raises(UnreadableError, match=r"no valid id|can't be read"):
        read(message.SerializeToString())


BAD_JSON = [b"", b"\xff", b"[]", b"5", b"{}", b"[" * 100_000, b'{"resourceSpans": 5}',
            b'{"resourceSpans": [{"scopeSpans": [{"spans": [5]}]}]}']  # fmt: skip


@pytest.mark.parametrize("data", BAD_JSON, ids=range(len(BAD_JSON)))
def test_what_is_no_json_of_otlp_is_refused_in_words(data):
    with pytest.raises(UnreadableError):
        read(data, is_json=True)


@given(data=st.binary(max_size=200), packed=st.booleans(), is_json=st.booleans())
def test_any_bytes_are_read_or_refused(data, packed, is_json):
    for sent in (data, request(SPANS).SerializeToString()[:-20] + data):
        with suppress(UnreadableError):
            read(sent, is_json=is_json, packed=packed)
