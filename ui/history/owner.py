"""Whose runs: those of a workspace, or those of all."""

from __future__ import annotations

from enum import Enum

from sqlalchemy import ColumnElement

from ui.history.tables import Run


class Every(Enum):
    """All workspaces, in the place of one: only for who may see the runs of all of them."""

    WORKSPACE = "every workspace"


Owner = str | Every
"""The workspace whose runs are looked for, or all."""


def runs_of(owner: Owner) -> tuple[ColumnElement[bool], ...]:
    """The conditions for the runs of an owner that were not deleted."""
    return *of_owner(owner), Run.deleted.is_(None)


def of_owner(owner: Owner) -> tuple[ColumnElement[bool], ...]:
    """The conditions for the runs of an owner, deleted ones too."""
    return () if isinstance(owner, Every) else (Run.workspace == owner,)
