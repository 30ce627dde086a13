"""A recorded run among the saved ones: once, whether it was received or came in a file."""

from hashlib import sha256

from synth.traces import ImportedRun
from ui.history import history, summaries
from ui.history.run_file import RunFile
from ui.imported.as_request import held_request
from ui.imported.opened_file import OpenedRun
from ui.runs import start


def run_id(run: ImportedRun, space: str, shared: bool) -> str | None:
    """The id under which the run is saved in a workspace; None if its trace has none.

    Where the runs of all workspaces are `shared`, as on one's own machine, it is the same in all.
    """
    owner = "" if shared else space
    return sha256(f"{owner} {run.identity}".encode()).hexdigest()[:32] if run.identity else None


def save(opened: OpenedRun, space: str, shared: bool) -> bool:
    """Save a run that the pages can hold, unless it was saved before; HistoryError.

    Returns whether it can be saved.
    """
    id, request = run_id(opened.run, space, shared), opened.request
    if id is None or request is None:
        return False
    if not summaries.is_there(history.history(), id):
        file = RunFile(held_request(opened.run, request), opened.trace)
        start.recorded_elsewhere(file, space, start.LIVE, id)
    return True
