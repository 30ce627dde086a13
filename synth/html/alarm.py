"""The box that says what a server cut off."""

from synth.html.escape import tags_html
from synth.html.markup import Html, tag
from synth.runs.trace import Trace
from synth.words.count_words import alarm_head, alarm_tags, what_it_did


def alarm_html(trace: Trace, consequence: str = "") -> Html:
    """The box that says what the server read of what was sent; nothing if it read all."""
    cut = trace.counts.cut
    if cut is None:
        return Html()
    return tag(
        "div.alarm.num",
        tag("div.alarm-head", alarm_head(trace), role="status"),
        tag("div.small.muted", f"{what_it_did(cut)} {consequence}".strip()),
        tags_html(alarm_tags(trace, cut)),
    )
