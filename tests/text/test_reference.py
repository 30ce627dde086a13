"""Which replies only refer to the answer before them, as models write them."""

import pytest

from synth.text.reference import is_reference

REFERENCES = [
    "The original answer remains unchanged.",
    "No refinement needed.",
    "The context isn't useful, so I return the original answer.",
    "**Refined Answer:** The original answer remains unchanged.",
    "The new context describes the weather in Bremen, so the original answer stands.",
    "I have nothing to add.",
    "The original answer is correct - no further changes are required.",
    "My previous answer stands; the new context is about another team.",
    "(The original answer remains the same.)",
    "Given that the new context is not relevant, I'll stick with my original answer.",
    "原来的答案已经很完整了，不需要修改。",
    "新的上下文没有帮助，原有的回答仍然有效。",
    "維持原答案。",
]
ANSWERS = [
    "The original answer remains unchanged: the pool was set to 8.",
    "The context isn't useful, so I return the original answer: It was Ada.",
    "The original answer, eight, is correct.",
    "The current answer of the court stands since 1998.",
    "No changes were made to the configuration on 3 May.",
    "I don't know.",
    "The new context says that the pool was set to eight.",
    "The existing bridge remains closed until May.",
    "The existing answer is wrong: it was 80.",
    "",
    "Der Pool wurde auf acht gesetzt. Die ursprüngliche Antwort gilt.",
    "原答案保持不变：连接池被设置成了八。",
    "没有人修改配置。",
]


@pytest.mark.parametrize("reply", REFERENCES)
def test_a_reply_that_only_refers_to_the_answer_before_it(reply):
    assert is_reference(reply)
    assert is_reference(f"\n{reply.upper()} ")
    for answer in ("The pool was set to 8.", "连接池被设置成了八。"):
        assert not is_reference(f"{reply} {answer}")
        assert not is_reference(f"{answer}\n\n{reply}")


@pytest.mark.parametrize("reply", ANSWERS)
def test_a_reply_that_says_anything_else_is_an_answer(reply):
    assert not is_reference(reply)


@pytest.mark.parametrize("piece", ["no ", "原", "original answer ", "n't", "更改进", ", "])
def test_a_paste_of_one_thing_is_read(piece):
    assert is_reference("The original answer remains. " + piece * 100_000 + "8") is False
