"""Random texts, chunks and templates, of the kinds that packing stumbles over."""

from random import Random

_ENGLISH = (
    "the quick brown fox jumps over a lazy dog while engineers measure latency and throughput"
    " of retrieval systems, then summarise findings; however results vary. Paul Graham wrote"
    " essays about startups, Lisp and painting. In 2021 revenue grew 12.5% to $3,400,000 (see"
    " Table 4)."
)
ENGLISH = _ENGLISH.split()
CHINESE = (
    "响应合成器是通过用户查询和给定文本块集合，利用大语言模型生成响应的组件。"
    "核心目标是简化流程！请回答问题？"
)
ODDITIES = [
    *(
        "🚀",
        "👩‍👩‍👧‍👦",
        "naïve",
        "العربية",
        "한국어",
        "日本語テキスト",
        "e\u0301",
        "\u200b",
        "don't",
    ),
    *("{context_str}", "{x}", "{{y}}", '{"k": [1, 2]}', "<|endoftext|>", "http://a.b/c?d=e&f=%20"),
    *("a" * 60, "\t", "\r\n", "\u00a0", "-" * 21, "x=1;y=2", "ﬁ", "𝔘𝔫𝔦", "0123456789" * 4),
]

QUESTION_TEMPLATES = [
    "Read:\n----------\n{context_str}\n----------\nIn the style of {tone_name}: {query_str}\nA: ",
    "请根据上下文回答。\n----------\n{context_str}\n----------\n使用{tone_name}的语气。\n查询：{query_str}\n回答：",
    'JSON {{"q": "{query_str}"}} {"lit": 1} [{context_str}] {not_given} { spaced } {1abc} {a.b}',
    "{context_str}{query_str}",
    "no context here, only {query_str}",
    "only {context_str}",
]
REFINE_TEMPLATES = [
    "Q: {query_str}\nOld: {existing_answer}\n----------\n{context_msg}\n----------\n{tone_name}: ",
    "{existing_answer}|{context_msg}|{query_str}|{lang}",
    "问题：{query_str}\n原回答：{existing_answer}\n新上下文：{context_msg}\n改进：",
    "no old answer {context_msg} {query_str}",
]
SIMPLE_TEMPLATES = ["{query_str}", "{tone_name}: {query_str}", "{context_str}|{query_str}"]


def text(dice: Random, size: int) -> str:
    words = dice.choices(ENGLISH, k=max(size, 1))
    match dice.choice(["words", "words", "words", "chinese", "mixed", "lines", "code", "unbroken"]):
        case "chinese":
            return "".join(dice.choices(CHINESE, k=size))
        case "mixed":
            pool = [dice.choice([*ENGLISH, *ODDITIES, *CHINESE]) for _ in range(size // 2 + 1)]
            return dice.choice([" ", ""]).join(pool)
        case "lines":
            return "".join(word + dice.choice(" \n  ") for word in words)
        case "code":
            return "".join(
                f"def f{n}(a):\n    return {{'k': a}}\n\n" for n in range(size // 16 + 1)
            )
        case "unbroken":
            return "".join(words)
        case _:
            return " ".join(words)


def chunks(dice: Random, window: int) -> tuple[str, ...]:
    """Chunks as they come, or blank, many, one far too large, or none."""
    match dice.choice(["usual"] * 6 + ["none", "blank", "large", "many", "white"]):
        case "none":
            return ()
        case "blank":
            return tuple(
                dice.choices(["", " ", "\n\n", "\t", text(dice, 20)], k=dice.randint(1, 5))
            )
        case "large":
            return (text(dice, dice.randint(window, window * 6)),)
        case "many":
            return tuple(text(dice, dice.randint(1, 15)) for _ in range(dice.randint(10, 60)))
        case "white":
            return (dice.choice([" \n", "\n", " "]) * dice.randint(1, 3_000), text(dice, 10))
    sizes = [5, 50, 200, window // 3, window, window * 2]
    count = dice.randint(1, 7)
    return tuple(text(dice, int(dice.choice(sizes) * dice.uniform(0.3, 1.2))) for _ in range(count))
