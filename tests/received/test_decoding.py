"""What comes as protobuf is read as it was sent, and what is none is refused in words."""

import gzip
import zlib
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from synth.traces import capacity
from synth.traces.spans import Failure
from tests.received.otlp import request, span
from ui.received import store
from ui.received.store import TooLargeError, UnreadableError, decode

SPANS = [
    span(id="1" * 16, openinference_span_kind="LLM"),
    span(id="2" * 16, llm_prompts=["one", "two"], user_id="somebody"),
    span(id="3" * 16, output_value="连接 🚀"),
]


def sent(*spans):
    return request(spans).SerializeToString()


def test_what_is_read_of_a_span_is_there_and_no_more():
    one = span(openinference_span_kind="LLM", llm_prompts=["one", "two"], user_id="somebody")
    [found] = decode(sent(one))
    assert found.attributes == {"openinference.span.kind": "LLM", "llm.prompts": ["one", "two"]}
    assert (found.service, found.start, found.end) == ("bot", 1.7e9, 1.7e9 + 1)
    failure = Failure("ValueError", "it broke")
    [failed] = decode(sent(type(one)(**{**vars(one), "failure": failure})))
    assert failed.failure == failure


@pytest.mark.parametrize("pack", [gzip.compress, zlib.compress])
def test_it_may_be_packed(pack):
    data = sent(*SPANS)
    assert decode(pack(data), packed=True) == decode(data)
    with pytest.raises(UnreadableError, match="ends in the middle"):
        decode(pack(data)[:-9], packed=True)


def test_what_unpacks_to_too_much_is_refused_before_it_is_held(monkeypatch):
    monkeypatch.setattr(store, "MOST_REQUEST", 1_000)
    with pytest.raises(TooLargeError, match="32,000,000 bytes"):
        decode(gzip.compress(bytes(10**6)), packed=True)


def test_a_span_with_too_many_attributes_is_refused(monkeypatch):
    monkeypatch.setattr(capacity, "MOST_ATTRIBUTES", 5)
    many = span(**{f"a{number}": number for number in range(6)})
    with pytest.raises(UnreadableError, match="more than 5 attributes"):
        decode(sent(many))


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
        decode(message.SerializeToString())


@given(data=st.binary(max_size=200), packed=st.booleans())
def test_any_bytes_are_read_or_refused(data, packed):
    for body in (data, sent(*SPANS)[:-20] + data):
        with suppress(UnreadableError):
            decode(body, packed=packed)
