"""Results of functions of texts, remembered by the length of the texts."""

from synth.text.remembered import remembered


def lengths(most):
    """A function of texts that is remembered, and what it was called with."""
    called = []

    @remembered(most)
    def length(*texts):
        called.append(texts)
        return len(texts)

    return length, called


def test_what_was_asked_last_is_remembered_and_the_oldest_goes():
    length, called = lengths(3_000)
    for text in ("a" * 900, "b" * 900, "c" * 900, "a" * 900, "d" * 900, "a" * 900, "b" * 900):
        length(text)
    assert [text[0] for (text,) in called] == ["a", "b", "c", "d", "b"]


def test_a_text_that_is_too_long_is_not_kept():
    length, called = lengths(1_000)
    length("short")
    length("long " * 1_000)
    length("long " * 1_000)
    assert len(called) == 3


def test_texts_within_tuples_count_and_nothing_else_need_be_a_text():
    length, called = lengths(1_000)
    for _ in range(2):
        length((("user", "a" * 2_000),), None)
        length((("user", "a" * 20),), None)
    assert len(called) == 3
