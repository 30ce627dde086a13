"""What tells the rows of the list apart: each run against the one before with its question."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import tzinfo

from synth.text.wording import counted
from ui.history.tables import Summary
from ui.settings.changes import changes
from ui.settings.request import Request


def row_words(runs: Sequence[Summary], requests: Mapping[str, Request], local: tzinfo) -> list[str]:
    """The words of each row; `runs` are the latest first, `requests` are theirs by id."""
    times = {run.id: f"{run.started.astimezone(local):%H:%M}" for run in runs}
    words = []
    for at, run in enumerate(runs):
        before = next((one for one in runs[at + 1 :] if one.question == run.question), None)
        parts = [f"branch of {times.get(run.parent, 'an older run')}"] if run.parent else []
        if run.reused:
            parts.append(f"{counted(run.reused, 'answer')} reused")
        if before is not None and run.id in requests and before.id in requests:
            parts += _changed(before, run, requests)
        words.append("; ".join(parts))
    return words


def _changed(before: Summary, run: Summary, requests: Mapping[str, Request]) -> list[str]:
    """The settings, templates and chunks that changed; mode and model have columns of their own."""
    old, new = requests[before.id], requests[run.id]
    own = ("mode", "model", "templates", "measured", "text_chunks", "positions", "scores")
    same = replace(old, **{name: getattr(new, name) for name in own})
    parts = changes(same, new) if same != new else []
    parts += [
        f"{name.removesuffix('_template')} v{version}"
        for name, version in run.template_versions.items()
        if version != before.template_versions.get(name, version)
    ]
    return parts + ["other chunks"] * (old.text_chunks != new.text_chunks)
