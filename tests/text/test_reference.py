"""Which replies only refer to the answer before them, as models write them."""

import pytest

from synth.text.reference import is_reference

REFERENCES = [
    "The original answer remains unchanged.",
    "The original answer is already complete and accurate.",
    "No refinement needed.",
    "The context isn't useful, so I return the original answer.",
    "The existing answer stands as is.",
    "**Refined Answer:** The original answer remains unchanged.",
    "The previous response is still valid, as the new context does not add anything.",
    "The new context describes the weather in Bremen, so the original answer stands.",
    "The additional context doesn't provide any relevant information. Therefore, the original"
    " answer remains the same.",
    "Based on the new context provided, no changes are needed to the original answer.",
    "I have nothing to add.",
    "There is nothing more to add to the existing answer.",
    "The answer remains the same.",
    "The original answer does not need to be refined.",
    "The original answer is correct - no further changes are required.",
    "My previous answer stands; the new context is about another team.",
    "I'll keep the original answer.",
    "The new context confirms the original answer.",
    "I would keep my answer as it is.",
    "Since the additional text talks about parking rules, I will stick with the existing answer.",
    "(The original answer remains the same.)",
    "The answer provided is already accurate, and there is no need for refinement.",
    "The existing answer does not require any updates based on the new context.",
    "Given that the new context is not relevant, I'll stick with my original answer.",
    "The provided context does not change the existing answer.",
    "原来的答案已经很完整了，不需要修改。",
    "新的背景信息没有用，因此返回原始答案。",
    "原答案保持不变。",
    "新的上下文没有帮助，原有的回答仍然有效。",
    "維持原答案。",
    "无需修改，原始答案已经准确完整。",
    "没有什么需要补充的。",
]
ANSWERS = [
    "The original answer remains unchanged: the pool was set to 8.",
    "The original answer is correct.\n\nThe pool of connections was set to eight.",
    "No refinement needed. The pool was set to eight instead of eighty.",
    "The context isn't useful, so I return the original answer: It was Ada.",
    "The pool was set to 8, so the original answer stands.",
    "The original answer, eight, is correct.",
    "The current answer of the team was to restart everything at once, and so it went on.",
    "The current answer of the court stands since 1998.",
    "They kept the original plan; the pool had eight connections, as before the edit.",
    "No changes were made to the configuration on 3 May.",
    "No changes.",
    "The answer is in the configuration: the pool holds eight connections.",
    "I don't know.",
    "The context does not mention it.",
    "The new context says that the pool was set to eight.",
    "Eight. The original answer remains unchanged.",
    "The existing bridge remains closed until May.",
    "The response time stays at 80 ms.",
    "The original response was sent on 3 May.",
    "The existing answer is wrong: it was 80.",
    "The original answer to the riddle is time.",
    "No changes are needed in the kitchen.",
    "It remains unchanged at 5 percent.",
    "",
    "Der Pool wurde auf acht gesetzt. Die ursprüngliche Antwort gilt.",
    "原答案保持不变：连接池被设置成了八。",
    "连接池被设置成了八，原答案仍然有效。",
    "最初的原因是连接池太小，因为有人在修改配置的时候少写了一个零。",
    "没有人修改配置。",
]


@pytest.mark.parametrize("reply", REFERENCES)
def test_a_reply_that_only_refers_to_the_answer_before_it(reply):
    assert is_reference(reply)
    assert is_reference(f"\n{reply.upper()} ")


@pytest.mark.parametrize("reply", ANSWERS)
def test_a_reply_that_says_anything_else_is_an_answer(reply):
    assert not is_reference(reply)


@pytest.mark.parametrize(
    "piece", ["no ", "原", "以", "original answer ", "n't", "更改进", ", ", "an"]
)
def test_a_paste_of_one_thing_is_read(piece):
    assert is_reference("The original answer remains. " + piece * 100_000 + "8") is False


@pytest.mark.parametrize("reply", REFERENCES)
def test_one_that_repeats_the_answer_is_whole(reply):
    for answer in ("The pool was set to 8.", "It was Ada.", "连接池被设置成了八。"):
        assert not is_reference(f"{reply} {answer}")
        assert not is_reference(f"{reply}\n\n{answer}")
        assert not is_reference(f"{answer} {reply}")
