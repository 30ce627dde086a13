"""What a question asks for: its parts, and the kind of answer that each of them wants.

>>> [part.text for part in asked("What broke the dam, and when was it mended?").parts]
['What broke the dam', 'when was it mended']
>>> asked("车辆被淹后，哪些损失可以理赔，多久内报案？").topic
'车辆被淹后'
"""

import re
from dataclasses import dataclass

from synth.text.words import telling_words

_SUMMARY = frozenset(
    telling_words(
        "summarize summarise summary overview gist main key important point idea topic text"
        " document passage chunk content tell explain describe give please short brief"
        " 总结 概括 摘要 概述 主要 内容 要点 大意 一下 文章 本文"
    )
)
_ASKING = r"(?:what|how|when|why|who|whom|whose|which|where)\b"
# Possessive: a run of commas and spaces is matched from its beginning only.
_BETWEEN = re.compile(
    rf"[?;。！？；，\n]++|(?<![,\s])[,\s]++(?:(?:and|or|but)\s++)?(?={_ASKING})", re.IGNORECASE
)
_ASKS = re.compile(
    rf"\b{_ASKING}|[什怎哪谁几吗]|多[少久长大高远]|如何|为何|何时|何地|是否|能否", re.IGNORECASE
)
_HOW_MUCH = re.compile(
    r"\bhow (?:long|soon|often|many|much|far|large|big|high|fast|old)\b|多[少久长大高远](?:时间)?",
    re.IGNORECASE,
)
_WHY = re.compile(r"\bwhy\b|为什么|为何", re.IGNORECASE)
_PARTS = 8  # at most: an answer has room for fewer

_NUMBER = (
    r"(?:\d[\d,.]*|\b(?:half|twice|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|twenty|thirty|forty|fifty|sixty|hundred|thousand|million|dozen)\b"
    r"|[一二三四五六七八九十百千万两半]+)"
)
_UNIT = (
    r"\s*(?:(?:second|minute|hour|day|week|month|year)s?\b"
    r"|个?(?:秒|分|小时|日|天|周|星期|月|年|点))"
)
_DATE = (
    r"\d:\d\d|\b(?:1\d|20)\d\d\b|\b(?:Jan|Febr)uary|\b(?:March|April|May|June|July|August)\b"
    r"|\b(?:Septem|Octo|Novem|Decem)ber|day\b|\b(?:noon|midnight)\b"
)


@dataclass(frozen=True)
class Kind:
    """A kind of answer: how one asks for it, words that go with it, and how it looks."""

    asked: re.Pattern[str]
    words: str = ""
    looks: re.Pattern[str] | None = None


_KINDS = (
    Kind(
        re.compile(r"\bwhy\b|\bcaus|\breasons?\b|原因|为什么|为何|导致|引起|造成", re.IGNORECASE),
        words="cause reason trigger culprit 原因 由于 因为 导致 引起 造成",
        looks=re.compile(
            r"\b(?:because|due to|caused by|reason (?:for|was|is))\b|原因是|由于|因为",
            re.IGNORECASE,
        ),
    ),
    Kind(
        re.compile(
            r"\b(?:fix|mend|solv|repair|resolv|restor|remed)|修复|解决|恢复|维修",
            re.IGNORECASE,
        ),
        words="fix mend solve repair resolve restore remedy revert replace roll"
        " 修复 解决 恢复 回滚 更换",
    ),
    Kind(
        re.compile(
            r"\bwhen\b|\bhow (?:long|soon)\b|\bwhat (?:time|date|day|year)\b"
            r"|多久|多长|何时|时候|几[点天年]",
            re.IGNORECASE,
        ),
        looks=re.compile(rf"(?i:{_NUMBER}{_UNIT})|{_DATE}"),  # in small letters, may is no month
    ),
    Kind(
        re.compile(
            r"\bhow (?:many|much|far|large|big|high|fast|old)\b|多[少大高远]|几", re.IGNORECASE
        ),
        looks=re.compile(_NUMBER, re.IGNORECASE),
    ),
    Kind(
        re.compile(r"\bwho(?:m|se)?\b|谁", re.IGNORECASE), looks=re.compile(r"\b[A-Z]\w+ [A-Z]\w+")
    ),
)


@dataclass(frozen=True)
class Part:
    """One thing that a question asks."""

    text: str

    @property
    def about(self) -> str:
        """The text without words that only measure: "how long" asks for nothing that is long."""
        return _HOW_MUCH.sub(" ", self.text)

    @property
    def wants_reason(self) -> bool:
        """Whether it asks why something is so."""
        return bool(_WHY.search(self.text))

    @property
    def kinds(self) -> list[Kind]:
        """The kinds of answer that fit it; often none."""
        return [kind for kind in _KINDS if kind.asked.search(self.text)]


@dataclass(frozen=True)
class Question:
    """The parts of a question, and the text between them that asks nothing."""

    parts: tuple[Part, ...]
    topic: str


def asked(query: str) -> Question:
    """The query cut where another question word begins, or another clause of Chinese.

    A query without a question word is one part.
    """
    clauses = [clause.strip(" ,") for clause in _BETWEEN.split(query)]
    parts = [Part(clause) for clause in clauses if _ASKS.search(clause)]
    if not parts:
        return Question((Part(query),), "")
    rest = (clause for clause in clauses if clause and not _ASKS.search(clause))
    return Question(tuple(parts[:_PARTS]), " ".join(rest))


def wants_summary(query: str) -> bool:
    """Whether the query has no word that could tell one sentence from another."""
    return set(telling_words(query)) <= _SUMMARY
