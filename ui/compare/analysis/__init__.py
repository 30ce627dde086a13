"""What a comparison has to say, from plans and traces alone: findings, measures, tables."""

from ui.compare.analysis.after import findings
from ui.compare.analysis.answers import grid_frame, groups, outcome
from ui.compare.analysis.before import planned_findings
from ui.compare.analysis.entry import Entry, any_ended
from ui.compare.analysis.modes import modes_frame
from ui.compare.analysis.rows import Row, rows

__all__ = [
    "Entry",
    "Row",
    "any_ended",
    "findings",
    "grid_frame",
    "groups",
    "modes_frame",
    "outcome",
    "planned_findings",
    "rows",
]
