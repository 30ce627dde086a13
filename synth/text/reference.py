"""Whether a reply only refers to the answer before it: "The original answer remains unchanged."

Models that are asked to refine an answer say so instead of repeating it. Such a reply has nothing
but words about answers and contexts; one that says anything else as well is an answer.
"""

import re

_ORIGINAL = re.compile(
    r"\b(?:original|existing|previous|prior|current|earlier|initial)\s+(?:answer|response|reply)\b"
    r"|\banswer\s+(?:remains|is|stays|stands|unchanged|provided|given|(?:does\s+not|doesn['’]t)"
    r"\s+(?:need|require|change))\b|\bsame\s+answer\b|\brefinement\s+is\s+(?:not|unnecessary)\b"
    r"|\b(?:refine|change|update|improve|keep|repeat|return)\s+(?:the|my)\s+answer\b"
    r"|\bno\s+(?:\w+\s+)?refinements?\b"
    r"|\bno\s+(?:\w+\s+)?(?:changes?|updates?|modifications?|revisions?|adjustments?|improvements?"
    r"|edits?|corrections?|additions?)\s+(?:(?:is|are|was|were)\s+)?(?:needed|necessary|required"
    r"|warranted)\b"
    r"|\bnothing\s+(?:\w+\s+)?to\s+(?:add|change|refine|improve|update)\b|\bno\s+need\s+to\s+refine"
    r"|(?:原|现有|現有|已有|先前|之前|当前|當前)[^。！？\n]{0,4}(?:答案|回答|答复|答覆)"
    r"|(?:答案|回答)[^。！？\n]{0,4}(?:不变|不變|无需|無需|无须|無須|不需要|不用)"
    r"|(?:无需|無需|不需要|没有必要|沒有必要)[^。！？\n]{0,6}(?:修改|更改|改动|改進|改进|完善|更新|补充|補充)"
    r"|没有[^。！？\n]{0,6}(?:补充|可以?添加)",
    re.IGNORECASE,
)
_CONTEXT = re.compile(
    r"\b(?:(?:new|additional|provided|given|further|extra|more)\s+(?:context|information|details?"
    r"|text|passages?|documents?)|context)\b"
    r"|上下文|语境|(?:新|额外|補充|补充|提供)的?(?:背景)?(?:内容|信息|資訊|文本|材料|资料)",
    re.IGNORECASE,
)
"""A clause on the context may say what stands in it: that is why the answer stays."""

_TALK = re.compile(
    r"""
    \w+n['’]t|(?:there|that|it)['’]s|an?|the|th[ei]se|those|this|that|it|its|is|are|was|were|be|been|has|have|had|having
    |do(?:es)?|did|cannot|can|could|will|would|shall|should|may|might|must|i|i['’](?:ll|d|m|ve)|we
    |you|me|my|our|your|there|here|and|or|but|so|as|since|because|for|of|to|in|on|with|by|from|at
    |any(?:thing)?|all|every|everything|no|not|nor|none|nothing|new|more|further|additional(?:ly)?|than|then|thus|therefore
    |hence|however|still|also|just|only|already|fully|both|same|such|what|which|given|well|upon
    |based|after|before|sorry|yes|note|up|date|enough|very|true|one|most|best|better|good|fine|way|else
    |answers?|response|reply|original(?:ly)?|existing|previous(?:ly)?|prior|current(?:ly)?|earlier
    |initial|question|query|asked|contexts?|information|text|passages?|documents?|details?
    |content|final|possible
    |(?:remain|stand|stay|hold|keep|retain|return|repeat|maintain|stick|refer|leave|provid|giv
    |restat|reiterat|refin|chang|updat|modif|revis|edit|adjust|improv|alter|add|correct|need|requir
    |warrant|mak|made|review|consider|find|found|contain|includ|offer|affect|impact|suffic|address
    |cover|support|confirm|contradict|help|necess|unnecess|unchang|unmodif|valid|accura|complet
    |adequa|satisf|comprehens|appropriat|use|relevan|irrelevan|unrelated|relate|clear|significant
    |substantial|precise|concise|appl)\w*
    |(?:答案|回答|答复|答覆|回复|问题|問題|内容|信息|原|始|来|來|有|本|现|現|已|经|經|先|之?前|当|當|的|仍|然|依
    |旧|舊|保持|保留|维持|維持|沿用|返回|重复|重複|给出|不|变|變|效|正确|正確|准确|準確|完整|全面|充分|足够|足夠|适用|適用
    |无|無|需|须|須|要|没|沒|必|任何|什么|什麼|可|以|进一步|進一步|一步|再|做|作|出|进行|進行|修改|更改|改动|改動|更|新|改进|改進
    |完善|补充|補充|调整|調整|优化|優化|添加|我|们|們|将|將|会|會|因|此|所|由|于|於|为|為|根据|根據|鉴|鑑|是|了|也|并|並|且
    |对|對|该|該|很|都|用|地方|变化|變化|地|得|就|让|讓|使|帮助|幫助|关|關)++
    """,
    re.VERBOSE | re.IGNORECASE,
)
"""Words of which no answer to a question is made."""

_CLAUSES = re.compile(r"[.!?;:,\n—–]+|[。！？；：，、]|\s-\s")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")


def is_reference(reply: str) -> bool:
    """Return whether a reply says nothing but that the answer before it stands."""
    if not _ORIGINAL.search(reply):
        return False
    return all(
        _CONTEXT.search(clause) or all(map(_TALK.fullmatch, _WORD.findall(clause)))
        for clause in _CLAUSES.split(reply)
    )
