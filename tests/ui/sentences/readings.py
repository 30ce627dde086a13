"""What each number in a sentence of the Playground is the number of: all readings, in order.

A reading is a pattern for a piece of a sentence: "#" stands for a number, MODE for a mode. It
names a quantity of `Source` for each number. A number that no reading explains is a defect:
nobody could say whether it is true.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from synth.documents.decoding import MOST_CHUNKS
from synth.modes.registry import MODES
from synth.prompts.packing import JOINT, LEAST_ROOM
from synth.quality.samples import SAMPLES
from tests.ui.sentences.source import Quantity, Source

Quantities = Sequence[Quantity | None]


class Found(NamedTuple):
    """What a reading found: its words and numbers, and the mode that is named last in them."""

    source: Source
    said: str
    mode: str
    match: str
    numbers: Sequence[int | None]


Explain = Callable[[Found], Quantities]


class Reading(NamedTuple):
    """A pattern, and what its numbers are the numbers of."""

    within: str
    pattern: re.Pattern[str]
    explain: Explain


READINGS: list[Reading] = []
_MODE = rf"\b(?:{'|'.join(sorted(MODES, key=len, reverse=True))})\b"


def reading(pattern: str, within: str = "") -> Callable[[Explain], Explain]:
    """Register what explains the numbers of a pattern in sentences that begin with `within`."""
    spelled = pattern.replace("MODE", _MODE).replace("#", r"(\d[\d,]*)")
    compiled = re.compile(rf"(?<![\w.]){spelled}(?!\d|[,.]\d)")

    def register(explain: Explain) -> Explain:
        READINGS.append(Reading(within, compiled, explain))
        return explain

    return register


def are(*quantities: Quantity) -> Explain:
    """The numbers of a pattern are those of these quantities, whatever the settings."""
    return lambda found: quantities


def of_mode(*names: str) -> Explain:
    """The numbers of a pattern are of these quantities of the mode that it names."""
    return lambda found: [(name, found.mode) for name in names]


def spread(name: str) -> Explain:
    """Two numbers, or one if they are equal: with short answers and with long ones."""

    def explain(found: Found) -> Quantities:
        both = [(name, found.mode, how) for how in ("short", "long")]
        least, most = sorted(both, key=found.source.value)
        one = found.source.value(least) == found.source.value(most)
        return (most, None) if one else (least, most)

    return explain


def bounded(found: Found) -> Quantities:
    """The least and the most calls, whatever the answers; one number if they are equal."""
    least, most = ("least_calls", found.mode), ("most_calls", found.mode)
    one = found.source.value(least) == found.source.value(most)
    return (most, None) if one else (least, most)


def modes_in(text: str) -> list[str]:
    """The modes that are named, in order."""
    return re.findall(_MODE, text)


def _first(text: str) -> int:
    return int(next(re.finditer(r"\d+", text))[0])


for _sample in SAMPLES:
    reading(re.escape(_sample.note).replace(r"\#", "#"))(are())
reading("if empty, none; under llama_index #")(are(("constant", 500)))
reading("a run stops after #, and after as many more each time")(are(("constant", 5_000)))
reading("would make # calls or more; the first # are here")(
    lambda found: (("constant", found.numbers[0]), ("constant", 5_000))
)
reading("a RecursionError, after # levels")(are(("constant", 325)))
reading("Up to # chunks and 2 MB of text")(are(("constant", MOST_CHUNKS)))
reading("^# more$")(are(("more_modes",)))
reading("^as (?:documented|llama-index-core): # calls?$")(are(("calls_otherwise",)))
reading("BM25")(are())
reading("^chunk # (?:chunk # of the list, score [0-9.]+)?$")(
    lambda found: (
        ("constant", found.numbers[0]),
        ("place_in_list", found.numbers[0]) if found.numbers[1] else None,
    )
)
reading("^(?:chunk|Call) #(?: reads it like this)?$")(
    lambda found: [("constant", found.numbers[0])]
)

# The Playground, of inputs and of a plan.
reading("Chunks # · # tokens?")(are(("chunks",), ("chunk_tokens",)))
reading("(?<=^of )#(?=, by)")(are(("chunks",)))
reading("Chunks # of # · # of # tokens?")(
    are(("sent_chunks",), ("chunks",), ("sent_chunk_tokens",), ("chunk_tokens",))
)
reading("# tokens?, without variables")(are(("template_tokens",)))
reading("(?<=, at most )# tokens?$")(of_mode("most_tokens"))
reading("At most # prompt and # output tokens?")(
    of_mode("most_prompt_tokens", "most_output_tokens")
)
reading("# of # tokens have no room in a window of #")(
    lambda found: (
        ("lost_tokens", found.mode),
        ("whole_tokens", found.mode),
        ("setting", "context_window"),
    )
)
reading("(?<=at most )# output tokens?")(of_mode("most_output_tokens"))

reading("MODE #(?: to #)? calls?(?=, (?:at most|any number))")(bounded)
reading("MODE # calls? or more(?=, )")(of_mode("least_calls"))

reading("MODE would make # calls?(?=, or stop early)")(
    lambda found: [("calls", found.mode, "short")]
)
reading("The first # calls? would have # prompt tokens?")(
    lambda found: (("calls", found.mode, "long"), ("prompt_tokens", found.mode, "long"))
)
reading("With answers of # tokens? this plan stops early")(are(("setting", "num_output")))
reading(
    "The window of # tokens? leaves -?# for a chunk: the template has #, the answer length"
    r" \(num_output\) is # and the safety margin \(padding\) #"
    "(?:.* holds an existing answer of # tokens?)?"
)(
    lambda found: (
        ("setting", "context_window"),
        ("too_much", *found.numbers[2:5]),
        ("template", found.mode, found.numbers[2], found.numbers[5] or 0),
        ("setting", "num_output"),
        ("constant", found.numbers[4]),
        ("setting", "num_output") if found.numbers[5] else None,
    )
)
reading(
    r"(?:With an existing answer of # tokens? \(num_output and # to spare\) in it: .*?)?"
    r"needs # of # tokens?, the answer length \(num_output\) is #"
    r"(?: and the safety margin \(padding\) #)?: that leaves # for a chunk, and # is the least"
)(
    lambda found: (
        ("longest_answer",) if found.numbers[0] else None,
        ("constant", JOINT) if found.numbers[0] else None,
        ("template", found.mode, found.numbers[2], found.numbers[0] or 0),
        ("setting", "context_window"),
        ("setting", "num_output"),
        ("constant", found.numbers[5]) if found.numbers[5] else None,
        ("left", found.numbers[2], found.numbers[5] or 0),
        ("constant", LEAST_ROOM),
    )
)
reading("(?:L|l)evel # (?:has|had) # texts? of # tokens?|level # had # of #|Level # has # calls?")(
    lambda found: [None if one is None else ("constant", one) for one in found.numbers]
)


# Of a run.
reading("MODE made # calls?(?: in [0-9.]+ m?s)?")(are(("made",)))
reading("# prompt tokens?, # output tokens?")(are(("read",), ("written",)))
reading("# tokens? of the chunks (?:were cut off|are not sent yet)")(are(("unsent",)))
reading("Answer · # (?:word|character)s?, (?:all|none) of them")(are(("words",)))
reading("Answer · # (?:word|character)s?, # of them")(are(("words",), ("quoted_words",)))
reading("holds # of # facts? of this question. Of the # that must be there, # (?:is|are)")(
    are(("held",), ("facts",), ("needed",), ("needed_held",))
)
reading("chunk # (?:chunk # of the list, score [0-9.]+ )?#(?= (?:word|character)s?(?: ·|$))")(
    lambda found: (
        ("constant", found.numbers[0]),
        ("place_in_list", found.numbers[0]) if found.numbers[1] else None,
        ("words_of_chunk", found.numbers[0]),
    )
)
reading("chunk # (?:chunk # of the list, score [0-9.]+ )?(?=not quoted|$)")(
    lambda found: (
        ("not_quoted", found.numbers[0]),
        ("place_in_list", found.numbers[0]) if found.numbers[1] else None,
    )
)
reading("#(?= tokens?$)", within="call ")(lambda found: [("answer_tokens", _first(found.said))])
reading("#", within="call ")(lambda found: [("of_call", _first(found.said), found.numbers[0])])
reading("Sources · # chunks?$")(are(("sent_chunks",)))
reading("Sources · # of # chunks? (?:is|are) quoted")(are(("quoted",), ("sent_chunks",)))

# Of a plan or of the calls that go on.
reading("MODE(?: would make| chosen|)(?: about)? #(?: to #)? calls?")(spread("calls"))
reading("#(?: to #)? levels?")(spread("levels"))
reading("# % (?:of the text|cut off)")(of_mode("lost_percent"))
reading("#(?: to #)? prompt(?: tokens?)?(?=[,;]| and)")(spread("prompt_tokens"))
reading("#(?: to #)? output tokens?(?=[.,]| tokens)")(spread("output_tokens"))


class Claim(NamedTuple):
    """A number that a page says of a quantity; both are None where it is not said."""

    said: str
    quantity: Quantity | None
    number: int | None


def claims(source: Source, said: str) -> Iterator[Claim]:
    """What a sentence claims of numbers; one that is not explained is a claim of None."""
    left = said
    for within, pattern, explain in READINGS:
        if not said.startswith(within):
            continue
        for match in pattern.finditer(left):
            mode = _mode(said[: match.end()]) or source.settings.mode
            numbers = [int(text.replace(",", "")) if text else None for text in match.groups()]
            for quantity, number in zip(
                explain(Found(source, said, mode, match[0], numbers)), numbers, strict=True
            ):
                yield Claim(said, quantity, number)
        left = pattern.sub(lambda match: "…" * len(match[0]), left)
    for number in re.findall(r"\d[\d,.]*", left):
        yield Claim(left, None, int(re.sub(r"\D", "", number)))


def _mode(text: str) -> str | None:
    """The mode that is named last."""
    return next(reversed(modes_in(text)), None)
